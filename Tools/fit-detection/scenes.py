#!/usr/bin/env python3
"""Lay scenes: small photos of pages, and of none, with exact outlines. What the net learns from.

    scenes.py --out FILE --count 9000 --seed 0 [--textures 0] [--jobs 2]
    scenes.py --pictures DIR --count 1600 --seed 500000 [--jobs 2]

The first form is for the net: FILE.npy has the photos squeezed to SIDE × SIDE pixels, FILE.labels for each its kind (0 a
page, 1 no page, 2 a page that fills the photo), the page's corners clockwise, and the outlines of all sheets in view;
coordinates are shares of the photo's width and height. The second form is for the ranking: larger PNGs in their own shape,
of other textures, and truth.json. A scene depends on its seed and on the stocks of textures alone.
"""
import argparse
import json
import os
import pickle
from concurrent.futures import ProcessPoolExecutor

import cv2
import numpy as np

import textures
from drawing import SKIN, camera, colour, smooth_noise

SIDE = 256
LONG_SIDE = 400
PICTURE_LONG_SIDE = 640
PICTURE_TEXTURES = 100_000      # The first seed of the textures of pictures: none is one of the net's.
PAGE, NONE, FULL = 0, 1, 2
STOCKS = {"grounds": (textures.ground, 1500), "views": (textures.view, 700), "pages": (textures.page, 2400), "things": (textures.thing, 500)}
curled = 0.0
shares = [0.7, 0.2, 0.1]        # Of scenes with a page, without one, and filled by one.
stocks = {}


def pick(rng, name):
    return stocks[name][rng.integers(len(stocks[name]))]


# Laying a sheet.

class Shape:
    """How a sheet differs from a flat rectangle; all lengths are shares of its sides."""

    def __init__(self, rng, kind, aspect):
        self.bulge = np.zeros(2)
        self.swing = np.zeros(2)
        self.skew = np.ones(2)      # Where along a side its arc is highest: at half of it to this power.
        self.crumple = 0.0
        self.radius = 0.0
        self.folds = []
        self.torn = 0.0
        self.aspect = aspect
        self.seed = rng.integers(1 << 30)
        soft = kind not in ("card", "board")
        if soft and rng.random() < (0.4 if kind == "receipt" else 0.22):
            self.bulge = rng.normal(0, 0.018, 2)
            self.swing = rng.normal(0, 0.01, 2)
        if curled and soft and rng.random() < curled:  # An open book's page: both ends bulge the same way, and much.
            self.bulge = rng.normal(0, 0.05) * rng.uniform(0.5, 1.2, 2)
            if kind == "receipt":       # Each end curls by itself, and the sides with it.
                self.bulge, self.swing = rng.normal(0, 0.025, 2), rng.normal(0, 0.035, 2)
        if soft:
            self.skew = np.exp(rng.normal(0, 0.45, 2))
        if soft and rng.random() < (0.45 if kind == "receipt" else 0.15):
            self.crumple = abs(rng.normal(0, 0.006))
        if kind == "card" or rng.random() < 0.04:
            self.radius = rng.uniform(0.01, 0.06)
        if soft and rng.random() < 0.12:
            self.folds = [(int(rng.integers(4)), rng.uniform(0.04, 0.22), rng.random() < 0.6) for _ in range(int(rng.integers(1, 3)))]
        if kind == "receipt" and rng.random() < 0.25:
            self.torn = rng.uniform(0.003, 0.012)


def bent(rng, shape, u, v):
    """Where the sheet's flat coordinates are, for places in its quad's; and its relief, for shading."""
    from_top, from_bottom, from_left, from_right = 1 - v, v, 1 - u, u
    arc_u, arc_v = (np.sin(np.pi * np.clip(at, 0, 1) ** power) for at, power in zip((u, v), shape.skew))
    new_v = v - arc_u * (shape.bulge[0] * from_top + shape.bulge[1] * from_bottom)
    new_u = u - arc_v * (shape.swing[0] * from_left + shape.swing[1] * from_right)
    relief = 0
    if shape.crumple > 0:
        noise = np.random.default_rng(shape.seed)
        field = smooth_noise(noise, 96, 96, noise.uniform(8, 30), noise.uniform(8, 60))
        other = smooth_noise(noise, 96, 96, noise.uniform(8, 30), noise.uniform(8, 60))
        at = (np.clip(u, 0, 1) * 94).astype(np.float32), (np.clip(v, 0, 1) * 94).astype(np.float32)
        one = cv2.remap(field, *at, cv2.INTER_LINEAR)
        new_u = new_u + shape.crumple * one
        new_v = new_v + shape.crumple * cv2.remap(other, *at, cv2.INTER_LINEAR)
        relief = one
    if shape.torn > 0:
        noise = np.random.default_rng(shape.seed + 1)
        ragged = np.cumsum(noise.normal(0, 1, 200)).astype(np.float32)
        ragged -= np.linspace(ragged[0], ragged[-1], 200)
        new_v = new_v + np.where(v < 0.3, -1, 1) * shape.torn * np.interp(u, np.linspace(0, 1, 200), ragged / max(1, np.abs(ragged).max()))
    return new_u, new_v, relief


def lay(rng, photo, texture, quad, shape, light=True):
    """The texture on the quad, bent by its shape, with soft edges; returns its share of each pixel."""
    height, width = photo.shape[:2]
    low = np.floor(np.clip(quad.min(0) - 12, 0, [width, height])).astype(int)
    high = np.ceil(np.clip(quad.max(0) + 12, 0, [width, height])).astype(int)
    if (high - low).min() < 2:
        return np.zeros((height, width), np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]))
    scale = 2
    xs = (np.arange((high[0] - low[0]) * scale, dtype=np.float32) + 0.5) / scale + low[0]
    ys = (np.arange((high[1] - low[1]) * scale, dtype=np.float32) + 0.5) / scale + low[1]
    m = matrix.astype(np.float32)
    w = m[2, 0] * xs[None, :] + m[2, 1] * ys[:, None] + m[2, 2]
    w = np.where(w > 1e-5, w, 1e-5) if np.median(w) > 0 else w
    u = (m[0, 0] * xs[None, :] + m[0, 1] * ys[:, None] + m[0, 2]) / w
    v = (m[1, 0] * xs[None, :] + m[1, 1] * ys[:, None] + m[1, 2]) / w
    u, v, relief = bent(rng, shape, u, v)
    inside = (u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)
    a = shape.aspect
    if shape.radius > 0:
        x, y = np.minimum(u, 1 - u) * a, np.minimum(v, 1 - v)
        r = shape.radius * min(1, a)
        inside &= ~((x < r) & (y < r) & ((x - r) ** 2 + (y - r) ** 2 > r * r))
    flap = None
    for corner, size, is_shown in shape.folds:
        x = (u if corner in (0, 3) else 1 - u) * a
        y = v if corner in (0, 1) else 1 - v
        size = size * min(1, a)
        inside &= x + y > size
        if is_shown:
            flap = (x + y < 2 * size) & (x < size) & (y < size) if flap is None else flap | ((x + y < 2 * size) & (x < size) & (y < size))
    th, tw = texture.shape[:2]
    picture = cv2.remap(texture, (u * tw).astype(np.float32), (v * th).astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    if flap is not None:
        picture[flap] = picture.mean((0, 1)) * rng.uniform(0.85, 1.1)
    if light:
        bend = rng.normal(0, 0.07) * (u - 0.5) + rng.normal(0, 0.05) * (v - 0.5) + rng.uniform(0, 6) * shape.bulge.sum() * np.cos(np.pi * np.clip(u, 0, 1))
        picture *= (1 + np.clip(bend + rng.uniform(0, 0.06) * relief, -0.5, 0.3))[..., None]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    alpha = cv2.resize(inside.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    picture = cv2.resize(picture * inside[..., None], size, interpolation=cv2.INTER_AREA)
    part = photo[low[1]:high[1], low[0]:high[0]]
    part *= 1 - alpha[..., None]
    part += picture
    whole = np.zeros((height, width), np.float32)
    whole[low[1]:high[1], low[0]:high[0]] = alpha
    return whole


def shadowed(rng, photo, quad, strength):
    """The sheet's own shadow on what lies under it."""
    mask = np.zeros(photo.shape[:2], np.float32)
    off = rng.normal(0, rng.choice([1, 3, 8]), 2)
    cv2.fillPoly(mask, [(quad + off).astype(np.int32)], 1)
    photo *= (1 - strength * cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 7)))[..., None]


def turned(rng, texture):
    return np.rot90(texture, int(rng.choice([0, 0, 0, 2, 1, 3])))


# What covers and holds.

def skin_tone(rng):
    return np.array(SKIN[rng.integers(len(SKIN))], np.float32) * rng.uniform(0.75, 1.1) + rng.normal(0, 6, 3)


def limb(photo, points, widths, tone):
    """A chain of round segments, shaded across."""
    mask = np.zeros(photo.shape[:2], np.uint8)
    for (one, two), wide in zip(zip(points[:-1], points[1:]), widths):
        cv2.line(mask, tuple(int(v) for v in one), tuple(int(v) for v in two), 255, max(1, int(wide)), cv2.LINE_AA)
    mask = mask.astype(np.float32) / 255
    wide = max(2.0, float(np.mean(widths)))
    depth = cv2.GaussianBlur(mask, (0, 0), wide / 3)
    photo *= (1 - mask)[..., None]
    photo += mask[..., None] * tone * (0.55 + 0.5 * depth)[..., None]


def fingers(rng, photo, quad, tone=None):
    """Fingers or a thumb over a side, from outside."""
    tone = skin_tone(rng) if tone is None else tone
    side = rng.integers(4)
    at = quad[side] + (quad[(side + 1) % 4] - quad[side]) * rng.uniform(0.05, 0.95)
    away = (at - quad.mean(0)) / max(1, np.linalg.norm(at - quad.mean(0)))
    across = np.array([-away[1], away[0]])
    long = LONG_SIDE * rng.uniform(0.7, 1.3)
    for k in range(int(rng.choice([1, 1, 2, 3, 4]))):
        wide = long * rng.uniform(0.035, 0.07)
        tip = at + across * k * wide * 1.15 - away * rng.uniform(-0.01, 0.14) * long
        knuckle = tip + away * long * rng.uniform(0.1, 0.2) + across * rng.normal(0, 8)
        root = knuckle + away * long * 0.8 + across * rng.normal(0, 40)
        limb(photo, [tip, knuckle, root], [wide, wide * 1.1], tone * rng.uniform(0.92, 1.05))
        if rng.random() < 0.5:
            cv2.ellipse(photo, tuple(int(v) for v in tip), (max(1, int(wide * 0.3)), max(1, int(wide * 0.25))), float(np.degrees(np.arctan2(away[1], away[0]))), 0, 360, tuple(float(v) for v in np.clip(tone * 1.12 + 8, 0, 255)), -1, cv2.LINE_AA)


def palm(rng, photo, quad, tone):
    """The hand behind a sheet that is held up."""
    side = rng.integers(4)
    at = quad[side] * 0.5 + quad[(side + 1) % 4] * 0.5
    middle = quad.mean(0)
    away = (at - middle) / max(1, np.linalg.norm(at - middle))
    wide = LONG_SIDE * rng.uniform(0.16, 0.34)
    centre = at + away * wide * rng.uniform(-0.4, 0.4)
    limb(photo, [centre, centre + away * LONG_SIDE], [wide * rng.uniform(0.7, 1.1)], tone)
    across = np.array([-away[1], away[0]])
    for k in range(int(rng.integers(0, 5))):
        start = centre + across * (k - 2) * wide * 0.25
        limb(photo, [start, start - away * wide * rng.uniform(0.6, 1.6) + across * rng.normal(0, 15)], [wide * 0.22], tone * rng.uniform(0.9, 1.05))
    if rng.random() < 0.4:  # A sleeve.
        start = centre + away * wide * rng.uniform(0.8, 2)
        limb(photo, [start, start + away * LONG_SIDE], [wide * 1.3], np.array(colour(rng, 10, 220, 30), np.float32))


def pen_or_cable(rng, photo, quad):
    tone = np.array(colour(rng, 5, 240, 60), np.float32)
    at = quad.mean(0) + rng.normal(0, 0.35, 2) * (quad.max(0) - quad.min(0))
    if rng.random() < 0.6:
        way = rng.normal(0, 1, 2)
        way = way / np.linalg.norm(way) * LONG_SIDE * rng.uniform(0.08, 0.2)
        limb(photo, [at - way, at + way], [LONG_SIDE * rng.uniform(0.008, 0.025)], tone)
    else:
        points = at + np.cumsum(rng.normal(0, 45, (7, 2)), 0)
        cv2.polylines(photo, [points.astype(np.int32)], False, tuple(float(v) for v in tone), int(rng.integers(1, 5)), cv2.LINE_AA)


def rounds(rng, photo, at):
    """A cup, a plate, a coin, fruit."""
    radius = int(LONG_SIDE * rng.uniform(0.02, 0.17))
    place = tuple(int(v) for v in at)
    squash = (radius, max(1, int(radius * rng.uniform(0.6, 1))))
    cv2.ellipse(photo, place, squash, rng.uniform(0, 180), 0, 360, colour(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 3))):
        cv2.ellipse(photo, place, tuple(max(1, int(v * rng.uniform(0.4, 0.95))) for v in squash), 0, 0, 360, colour(rng), -1, cv2.LINE_AA)


def smooth(points, count=60):
    """A curve through a chain of points, its corners rounded off."""
    places = np.linspace(0, len(points) - 1, count)
    chain = np.stack([np.interp(places, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], 1).astype(np.float32)
    return cv2.GaussianBlur(chain, (1, 0), sigmaX=0.1, sigmaY=count / len(points) / 2) if count > 8 else chain


def cable(rng, photo):
    height, width = photo.shape[:2]
    start = rng.uniform(-0.1, 1.1, 2) * [width, height]
    points = smooth(start + np.cumsum(rng.normal(0, LONG_SIDE * 0.16, (int(rng.integers(4, 9)), 2)), 0))
    wide = max(1, int(LONG_SIDE * rng.uniform(0.004, 0.014)))
    shade = np.ones((height, width), np.float32)
    cv2.polylines(shade, [(points + rng.normal(0, wide, 2)).astype(np.int32)], False, rng.uniform(0.5, 1), wide * 2, cv2.LINE_AA)
    photo *= cv2.GaussianBlur(shade, (0, 0), wide)[..., None]
    tone = colour(rng, 5, 60, 5) if rng.random() < 0.6 else colour(rng, 20, 240, 40)
    cv2.polylines(photo, [points.astype(np.int32)], False, tone, wide, cv2.LINE_AA)


def capsule(rng, photo, at, long, wide):
    """A pen, a marker, a battery, a lighter: two tones along it, and a gloss."""
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)]) * long / 2
    tone, cap = np.array(colour(rng, 5, 245, 60), np.float32), np.array(colour(rng, 5, 245, 60), np.float32)
    cut = rng.uniform(-0.8, 0.8)
    shade = np.zeros(photo.shape[:2], np.float32)
    off = rng.normal(0, wide * 0.5, 2)
    cv2.line(shade, tuple((at - way + off).astype(int)), tuple((at + way + off).astype(int)), rng.uniform(0.1, 0.6), max(1, int(wide)))
    photo *= 1 - cv2.GaussianBlur(shade, (0, 0), max(0.8, wide / 3))[..., None]
    limb(photo, [at - way, at + way * cut], [wide], tone)
    limb(photo, [at + way * cut, at + way], [wide * rng.uniform(0.8, 1.15)], cap)


def mug(rng, photo, at):
    """A cup seen from above and aside: its wall, its rim, what is in it, and a handle."""
    radius = LONG_SIDE * rng.uniform(0.05, 0.11)
    lean = rng.uniform(0, 2 * np.pi)
    down = np.array([np.cos(lean), np.sin(lean)]) * radius * rng.uniform(0.2, 1.3)
    squash = rng.uniform(0.7, 1)
    turn = float(np.degrees(lean)) + 90
    tone = np.array(colour(rng, 20, 250, 30), np.float32)
    shade = np.zeros(photo.shape[:2], np.float32)
    cv2.ellipse(shade, tuple((at + down + rng.normal(0, radius * 0.3, 2)).astype(int)), (int(radius), int(radius * squash)), turn, 0, 360, rng.uniform(0.1, 0.6), -1)
    photo *= 1 - cv2.GaussianBlur(shade, (0, 0), radius * rng.uniform(0.1, 0.4))[..., None]
    if rng.random() < 0.8:
        grip = at + down * 0.5 + np.array([-np.sin(lean), np.cos(lean)]) * radius * rng.choice([-1, 1]) * 1.05
        cv2.ellipse(photo, tuple(grip.astype(int)), (int(radius * 0.5), int(radius * 0.4)), turn, 0, 360, tuple(float(v) for v in tone * 0.85), max(1, int(radius * 0.2)), cv2.LINE_AA)
    for k in np.linspace(1, 0, 6):
        cv2.ellipse(photo, tuple((at + down * k).astype(int)), (int(radius * (1 - 0.12 * k)), int(radius * squash * (1 - 0.12 * k))), turn, 0, 360, tuple(float(v) for v in tone * (0.6 + 0.3 * (1 - k))), -1, cv2.LINE_AA)
    cv2.ellipse(photo, tuple(at.astype(int)), (int(radius), int(radius * squash)), turn, 0, 360, tuple(float(v) for v in np.clip(tone * 1.05, 0, 255)), -1, cv2.LINE_AA)
    cv2.ellipse(photo, tuple(at.astype(int)), (int(radius * 0.88), int(radius * squash * 0.88)), turn, 0, 360, tuple(float(v) for v in tone * rng.uniform(0.4, 0.8)), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.ellipse(photo, tuple((at + down * 0.2).astype(int)), (int(radius * 0.75), int(radius * squash * 0.75)), turn, 0, 360, colour(rng, 20, 200, 30), -1, cv2.LINE_AA)


def keyboard(rng, photo):
    """Rows of keys in perspective, cut by the photo's border as often as not."""
    height, width = photo.shape[:2]
    across, down = int(rng.integers(8, 19)), int(rng.integers(4, 7))
    box = camera(rng, width, height, across / down, rng.uniform(0.06, 0.4), False)
    box = box + rng.normal(0, 0.3, 2) * [width, height]
    side = 16
    base = np.array(colour(rng, 10, 240, 5), np.float32)
    keys = filled_like(base, down * side, across * side)
    key = np.clip(base + rng.choice([-1, 1]) * rng.uniform(8, 60), 5, 250)
    for row in range(down):
        for column in range(across):
            if rng.random() < 0.97:
                left, top = column * side + 2, row * side + 2
                keys[top:top + side - 4, left:left + side - 4] = key
                keys[top + 3:top + 7, left + 4:left + 8] = 255 - key if rng.random() < 0.8 else key
    shadowed(rng, photo, box, rng.uniform(0, 0.5))
    lay(rng, photo, keys.astype(np.uint8), box.astype(np.float32), Shape(rng, "card", across / down))


def laptop(rng, photo):
    """An open laptop's lower half from above: a slab, dark or light keys in it, and a pad."""
    height, width = photo.shape[:2]
    tone = np.array(colour(rng, 130, 245, 6) if rng.random() < 0.7 else colour(rng, 15, 120, 6), np.float32)
    slab = filled_like(tone, 200, 290)
    key = np.array(colour(rng, 8, 60, 4) if rng.random() < 0.75 else colour(rng, 150, 250, 4), np.float32)
    rows, columns = int(rng.integers(4, 7)), int(rng.integers(10, 16))
    left, top, wide, deep = int(rng.integers(10, 30)), int(rng.integers(8, 30)), 290, int(rng.integers(80, 120))
    wide -= 2 * left
    if rng.random() < 0.3:
        slab[top - 4:top + deep + 4, left - 4:left + wide + 4] = key * 0.7
    for row in range(rows):
        for column in range(columns):
            y, x = top + row * deep // rows, left + column * wide // columns
            slab[y:y + deep // rows - 3, x:x + wide // columns - 3] = key
            if rng.random() < 0.8:
                slab[y + 3:y + 6, x + 4:x + 7] = 255 - key
    if rng.random() < 0.9:
        x, y = int(rng.integers(80, 130)), top + deep + 8
        slab[y:195, x:x + int(rng.integers(70, 110))] = tone * rng.uniform(0.85, 1.1)
    box = camera(rng, width, height, 1.45, rng.uniform(0.1, 0.6), False) + rng.normal(0, 0.3, 2) * [width, height]
    shadowed(rng, photo, box, rng.uniform(0, 0.5))
    lay(rng, photo, turned(rng, slab.astype(np.uint8)), box.astype(np.float32), Shape(rng, "card", 1.45))


def calculator(rng, photo, at):
    """A small slab with a window and rows of buttons."""
    slab = filled_like(np.array(colour(rng, 10, 240, 10)), 150, 100)
    slab[10:35, 10:90] = colour(rng, 120, 230, 15)
    tones = [np.array(colour(rng)) for _ in range(3)]
    for row in range(5):
        for column in range(4):
            slab[45 + row * 20:58 + row * 20, 10 + column * 20:26 + column * 20] = tones[rng.choice([0, 0, 1, 2])]
    long, angle = LONG_SIDE * rng.uniform(0.1, 0.3), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    box = np.array([[-0.67, -1], [0.67, -1], [0.67, 1], [-0.67, 1]]) * long / 2 @ np.array([[c, s], [-s, c]]) * (1 + rng.normal(0, 0.03, (4, 2))) + at
    shadowed(rng, photo, box, rng.uniform(0, 0.5))
    lay(rng, photo, slab.astype(np.uint8), box.astype(np.float32), Shape(rng, "card", 0.67))


def panel(rng, slab, box, tone, radius):
    """A part of a slab with round corners, a little lighter at one side, and the seam around it."""
    left, top, right, bottom = (int(v) for v in box)
    mask = np.zeros(slab.shape[:2], np.uint8)
    cv2.rectangle(mask, (left + radius, top), (right - radius, bottom), 255, -1)
    cv2.rectangle(mask, (left, top + radius), (right, bottom - radius), 255, -1)
    for x in (left + radius, right - radius):
        for y in (top + radius, bottom - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    share = mask[..., None] / 255
    seam = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))[..., None] / 255
    shade = np.linspace(1, rng.uniform(0.85, 1.1), slab.shape[0])[:, None, None]
    slab += share * (tone * shade - slab)
    slab *= 1 - rng.uniform(0, 0.6) * seam


def appliance(rng, photo):
    """A printer, a copier, an oven: a slab of panels of nearly one tone, with slots, signs and a window."""
    height, width = photo.shape[:2]
    tall, wide = 260, int(260 * rng.uniform(0.6, 1.7))
    tone = np.array(colour(rng, 150, 245, 6) if rng.random() < 0.65 else colour(rng, 15, 150, 10), np.float32)
    slab = filled_like(tone, tall, wide)
    for _ in range(int(rng.integers(1, 5))):
        left, top = rng.uniform(0.02, 0.6) * wide, rng.uniform(0.02, 0.6) * tall
        right, bottom = left + rng.uniform(0.2, 0.9) * (wide - left), top + rng.uniform(0.2, 0.9) * (tall - top)
        radius = int(min(right - left, bottom - top) * rng.uniform(0.02, 0.35))
        panel(rng, slab, (left, top, right, bottom), np.clip(tone * rng.uniform(0.82, 1.1), 5, 252), radius)
    for _ in range(int(rng.integers(0, 5))):  # Slots.
        at, long = (int(rng.uniform(0, wide)), int(rng.uniform(0, tall))), int(rng.uniform(0.05, 0.5) * wide)
        cv2.rectangle(slab, at, (at[0] + long, at[1] + int(rng.uniform(1, 8))), tuple(float(v) for v in tone * rng.uniform(0.1, 0.5)), -1)
    if rng.random() < 0.5:  # A window or a screen.
        at = (int(rng.uniform(0, 0.7) * wide), int(rng.uniform(0, 0.7) * tall))
        cv2.rectangle(slab, at, (at[0] + int(wide * rng.uniform(0.1, 0.3)), at[1] + int(tall * rng.uniform(0.06, 0.25))), colour(rng, 10, 250, 60), -1)
    if rng.random() < 0.6:  # Signs or buttons in rows.
        x0, y0, step = rng.uniform(0, 0.8) * wide, rng.uniform(0, 0.8) * tall, rng.uniform(9, 22)
        ink, is_round = colour(rng, 20, 240, 60), rng.random() < 0.5
        for row in range(int(rng.integers(1, 8))):
            for column in range(int(rng.integers(1, 4))):
                at = (int(x0 + column * step * 1.4), int(y0 + row * step))
                if is_round:
                    cv2.circle(slab, at, int(step * 0.35), ink, int(rng.choice([-1, 1])), cv2.LINE_AA)
                else:
                    cv2.rectangle(slab, at, (at[0] + int(step * 0.8), at[1] + int(step * 0.5)), ink, int(rng.choice([-1, 1])), cv2.LINE_AA)
    box = camera(rng, width, height, wide / tall, rng.uniform(0.2, 1.2), False) + rng.normal(0, 0.25, 2) * [width, height]
    shadowed(rng, photo, box, rng.uniform(0, 0.5))
    shape = Shape(rng, "card", wide / tall)
    shape.radius = rng.uniform(0, 0.12)
    lay(rng, photo, turned(rng, np.clip(slab, 0, 255).astype(np.uint8)), box.astype(np.float32), shape)


def machines(rng, photo):
    """Keyboards, laptops and larger machines, one or two of them."""
    for _ in range(int(rng.choice([1, 1, 2]))):
        (keyboard, laptop, appliance)[rng.integers(3)](rng, photo)


def filled_like(tone, height, width):
    return np.full((height, width, 3), tone, np.float32)


def phone(rng, photo, at):
    """A telephone or a tablet: a dark slab with round corners, perhaps lit."""
    long = LONG_SIDE * rng.uniform(0.12, 0.3)
    slab = filled_like(np.array(colour(rng, 5, 60, 4)), 200, 100)
    screen = slab[10:190, 6:94]
    draw = rng.random()
    if draw < 0.4:
        screen[:] = colour(rng, 10, 40, 4)
    elif draw < 0.7:
        view = pick(rng, "views")
        screen[:] = cv2.resize(view, (88, 180))
    else:
        screen[:] = colour(rng, 20, 240, 40)
        for row in range(12, 170, 24):
            screen[row:row + int(rng.integers(2, 18)), 6:int(rng.integers(20, 84))] = colour(rng)
    angle = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    box = np.array([[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]]) * long / 2 @ np.array([[c, s], [-s, c]]) * (1 + rng.normal(0, 0.03, (4, 2))) + at
    shadowed(rng, photo, box, rng.uniform(0, 0.5))
    lay(rng, photo, slab.astype(np.uint8), box.astype(np.float32), Shape(rng, "card", 0.5))


def desk(rng, photo, page, count):
    """What stands about on a desk, beside the page and a little over it; page may be None."""
    height, width = photo.shape[:2]
    for _ in range(count):
        at = rng.uniform(-0.05, 1.05, 2) * [width, height]
        if page is not None:
            depth = cv2.pointPolygonTest(page.astype(np.float32), tuple(float(v) for v in at), True)
            if depth > 0 and rng.random() < 0.85:
                continue
        draw = rng.random()
        if draw < 0.3:
            capsule(rng, photo, at, LONG_SIDE * rng.uniform(0.04, 0.22), LONG_SIDE * rng.uniform(0.008, 0.05))
        elif draw < 0.5:
            cable(rng, photo)
        elif draw < 0.65 and (page is None or depth < -LONG_SIDE * 0.05):
            mug(rng, photo, at)
        elif draw < 0.8 and (page is None or depth < -LONG_SIDE * 0.05):
            (phone if rng.random() < 0.6 else calculator)(rng, photo, at)
        elif draw < 0.9:
            rounds(rng, photo, at)
        elif page is None:
            machines(rng, photo)


# Light, lens, sensor.

def light(rng, photo, quad):
    height, width = photo.shape[:2]
    x, y = np.linspace(-1, 1, width, dtype=np.float32)[None, :], np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.45) ** 1.3
    field = np.ones((height, width), np.float32) + depth * (np.cos(angle) * x + np.sin(angle) * y)
    if rng.random() < 0.15:
        field *= 1 - rng.uniform(0.1, 0.6) * ((x - rng.uniform(-0.5, 0.5)) ** 2 + (y - rng.uniform(-0.5, 0.5)) ** 2) / 2
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        mask = np.zeros((height, width), np.uint8)
        kind = rng.random()
        near = (quad if quad is not None else np.array([[0, 0], [width, height]])).mean(0)
        if kind < 0.45:  # A head, a telephone, a wall: large shapes from the border.
            points = near + rng.normal(0, 0.35, 2) * [width, height] + rng.normal(0, 0.4, (int(rng.integers(3, 7)), 2)) * [width, height]
            cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 255)
        elif kind < 0.6:  # An arm and a hand.
            start = rng.uniform(0, 1, 2) * [width, height]
            end = near + rng.normal(0, 0.2, 2) * [width, height]
            cv2.line(mask, tuple(start.astype(int)), tuple(end.astype(int)), 255, int(LONG_SIDE * rng.uniform(0.05, 0.25)))
        elif kind < 0.75:  # Blinds or a window's bars.
            direction = rng.uniform(0, np.pi)
            mask[:] = (np.sin((np.cos(direction) * x + np.sin(direction) * y) * rng.uniform(4, 25) + rng.uniform(0, 6)) > rng.uniform(-0.5, 0.8)) * 255
        else:  # Leaves.
            mask[:] = (smooth_noise(rng, height, width, rng.uniform(15, 80)) > rng.uniform(0, 1)) * 255
        soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), rng.choice([0.8, 2, 6, 20, 40]))
        field *= 1 - rng.uniform(0.12, 0.75) * soft
    photo *= field[..., None]
    if rng.random() < 0.12:
        at = rng.uniform(-1, 1, 2)
        spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / rng.uniform(0.005, 0.12))
        photo += (spot * rng.uniform(40, 240))[..., None]


def develop(rng, photo, is_squeezed):
    """With the camera's tone, blur and noise, and a JPEG's blocks; SIDE × SIDE where it is squeezed."""
    photo = np.clip(photo, 0, 255)
    tint = 1 + rng.normal(0, 0.07, 3).astype(np.float32)
    photo = 255 * (np.clip(photo * tint, 0, 255) / 255) ** rng.uniform(0.7, 1.35) * rng.uniform(0.65, 1.08)
    if rng.random() < 0.12:
        photo *= rng.uniform(0.2, 0.6)
    if rng.random() < 0.1:
        photo = photo * rng.uniform(0.5, 0.9) + rng.uniform(10, 70)
    if rng.random() < 0.25:
        photo = cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.8, 4))
    if is_squeezed:
        photo = cv2.resize(photo, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    noise = rng.normal(0, 1, photo.shape).astype(np.float32)
    photo = photo + rng.uniform(0, 5) * (0.7 * noise + 0.5 * noise.mean(2, keepdims=True))
    if rng.random() < 0.06:
        photo = photo.mean(2, keepdims=True).repeat(3, 2)
    photo = np.clip(photo, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        photo = cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1], cv2.IMREAD_COLOR)
    return photo


# Scenes.

def on_plane(rng, photo, texture, quad, aspect, spun):
    """Fills the photo with a ground in the plane of a page."""
    side = texture.shape[0]
    w = side * rng.uniform(0.15, 0.7)
    h = w / aspect
    angle = rng.uniform(0, 2 * np.pi) if spun else rng.normal(0, 0.05) + rng.integers(4) * np.pi / 2
    c, s = np.cos(angle), np.sin(angle)
    box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]]) + side / 2 + rng.normal(0, side / 6, 2)
    matrix = cv2.getPerspectiveTransform(box.astype(np.float32), quad.astype(np.float32))
    blurred = cv2.GaussianBlur(texture, (0, 0), 0.7 * max(1.0, w / max(10, np.linalg.norm(quad[1] - quad[0])) ) )
    photo[:] = cv2.warpPerspective(blurred, matrix, (photo.shape[1], photo.shape[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def ground_for(rng, photo, quad, aspect, paper):
    texture = pick(rng, "grounds")
    if rng.random() < 0.22:  # A ground nearly of the paper's tone.
        tone = np.array(paper) + rng.normal(0, 5, 3) + rng.choice([-1, 1], p=[0.75, 0.25]) * rng.uniform(5, 35)
        texture = np.clip(texture.astype(np.float32) * rng.uniform(0, 0.2) + np.clip(tone, 10, 255) - texture.mean((0, 1)) * 0.1, 0, 255).astype(np.uint8)
    on_plane(rng, photo, texture, quad, aspect, rng.random() < 0.5)
    if rng.random() < 0.3:  # The desk ends.
        other = np.zeros_like(photo)
        on_plane(rng, other, pick(rng, "grounds" if rng.random() < 0.5 else "views"), quad, aspect, True)
        height, width = photo.shape[:2]
        cut, slope = rng.uniform(0.02, 0.6), rng.normal(0, 0.25)
        x, y = np.linspace(0, 1, width)[None, :], np.linspace(0, 1, height)[:, None]
        side = (y + slope * (x - 0.5) < cut) if rng.random() < 0.6 else (x + slope * (y - 0.5) < cut)
        if rng.random() < 0.5:
            side = side[::-1, ::-1]
        photo[:] = np.where(side[..., None], other, photo)


def beside(rng, quad, size, width, height):
    """A quad of another thing: smaller, mostly off to the side of the page or cut by the photo's border."""
    for _ in range(12):
        w = np.sqrt(size * width * height) * rng.uniform(0.6, 1.5)
        h = size * width * height / w
        angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.2)
        c, s = np.cos(angle), np.sin(angle)
        box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]])
        place = rng.uniform(-0.05, 1.05, 2) * [width, height]
        box = box * (1 + rng.normal(0, 0.03, (4, 2))) + place
        if cv2.pointPolygonTest(quad.astype(np.float32), tuple(float(v) for v in place), True) < -0.12 * min(width, height):
            break
    return box.astype(np.float32)


def an_area(quad):
    return abs(cv2.contourArea(quad.astype(np.float32)))


def fits(quad, width, height):
    return quad.min() > 0 and quad[:, 0].max() < width and quad[:, 1].max() < height


def framed(rng, photo, quad):
    """A board's frame around its quad: four bars of metal or wood, each in its own light, with seams, corners and a tray."""
    middle = quad.mean(0)
    tone = np.array(colour(rng, 150, 245, 6) if rng.random() < 0.5 else colour(rng, 20, 220, 14))
    wide = 1 + rng.uniform(0.005, 0.09) * rng.uniform(0.7, 1.3, (1, 2))
    outer = (quad - middle) * wide + middle
    if rng.random() < 0.6:
        shadowed(rng, photo, outer, rng.uniform(0.05, 0.5))
    for side in range(4):
        ends = [side, (side + 1) % 4]
        bar = np.concatenate([outer[ends], quad[ends[::-1]]])
        light = rng.uniform(0.75, 1.12)
        cv2.fillPoly(photo, [bar.astype(np.int32)], tuple(float(v) for v in tone * light), cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 3))):        # Seams and glints along the bar.
            share = rng.uniform(0, 1)
            line = outer[ends] * share + quad[ends] * (1 - share)
            cv2.polylines(photo, [line.astype(np.int32)], False, tuple(float(v) for v in np.clip(tone * rng.uniform(0.4, 1.4), 0, 255)), int(rng.integers(1, 3)), cv2.LINE_AA)
    if rng.random() < 0.4:
        for corner in (outer + quad) / 2:
            reach = max(2, int(np.linalg.norm(outer[0] - quad[0]) * rng.uniform(0.6, 1)))
            cv2.circle(photo, tuple(int(v) for v in corner), reach, colour(rng, 20, 230, 10), -1, cv2.LINE_AA)
    if rng.random() < 0.4:      # What the pens lie on.
        low = np.argsort(quad[:, 1])[2:]
        a, b = quad[low[np.argsort(quad[low, 0])]]
        a, b = a + (b - a) * rng.uniform(0, 0.35), b - (b - a) * rng.uniform(0, 0.35)
        deep = np.array([0, LONG_SIDE * rng.uniform(0.01, 0.05)])
        cv2.fillPoly(photo, [np.array([a, b, b + deep, a + deep]).astype(np.int32)], colour(rng, 30, 235, 8), cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 6))):
            capsule(rng, photo, a + (b - a) * rng.uniform() + deep * rng.uniform(0, 1), LONG_SIDE * rng.uniform(0.02, 0.07), LONG_SIDE * rng.uniform(0.006, 0.016))


def onlooker(rng, photo):
    """A head and shoulders before a board, from the photo's lower border or from aside."""
    height, width = photo.shape[:2]
    size = LONG_SIDE * rng.uniform(0.06, 0.2)
    at = np.array([rng.uniform(-0.02, 1.02) * width, height + size * rng.uniform(-1.2, 0.6)]) if rng.random() < 0.6 else \
        np.array([rng.choice([0, width]) + size * rng.uniform(-0.5, 0.5), rng.uniform(0.2, 1) * height])
    cloth, hair = np.array(colour(rng, 10, 230, 40)), np.array(colour(rng, 5, 120, 25))
    limb(photo, [at + [0, size * 2.2], at + [rng.normal(0, size), size * 8]], [size * rng.uniform(2.4, 3.6)], cloth)
    limb(photo, [at, at + [rng.normal(0, size * 0.3), size * 1.2]], [size * rng.uniform(0.5, 0.9)], skin_tone(rng))
    cv2.ellipse(photo, tuple(int(v) for v in at), (int(size * 0.75), int(size)), rng.normal(0, 15), 0, 360, tuple(float(v) for v in hair), -1, cv2.LINE_AA)


def page_scene(rng, photo):
    height, width = photo.shape[:2]
    texture, kind = pick(rng, "pages")
    texture = turned(rng, texture)
    aspect = texture.shape[1] / texture.shape[0]
    fill = float(np.exp(rng.uniform(np.log(0.04), np.log(0.85))))
    if rng.random() < 0.45:
        fill = rng.uniform(0.3, 0.8)
    if kind == "board" and rng.random() < 0.6:
        fill = rng.uniform(0.35, 1.1)
    slender = min(aspect, 1 / aspect)
    fill *= min(1, slender * 1.7)
    is_cut = rng.random() < 0.2
    if is_cut and rng.random() < 0.5:  # So near that some sides are wholly outside.
        fill *= rng.uniform(1.2, 2.2)
    quad = camera(rng, width, height, aspect, fill, is_cut)
    sheets = []
    paper = np.median(texture.reshape(-1, 3), 0)
    is_held = kind != "board" and rng.random() < 0.13
    if is_held or kind == "board":
        view = cv2.resize(pick(rng, "views"), (width * 2, height * 2))
        at = rng.integers(0, height), rng.integers(0, width)
        photo[:] = view[at[0]:at[0] + height, at[1]:at[1] + width]
        if rng.random() < 0.6:
            photo[:] = cv2.GaussianBlur(photo, (0, 0), rng.uniform(2, 12))
        if rng.random() < 0.25:
            ground_for(rng, photo, quad, aspect, paper)
    else:
        ground_for(rng, photo, quad, aspect, paper)
    tone = skin_tone(rng)
    if kind == "board":
        if rng.random() < 0.7:
            photo[:] = np.array(colour(rng, 60, 240, 12)) * (1 + 0.05 * smooth_noise(rng, height, width, 150))[..., None]
        framed(rng, photo, quad)
    # What lies beside and under.
    if rng.random() < 0.5 and kind != "board":
        for _ in range(int(rng.integers(1, 5))):
            box = beside(rng, quad, rng.uniform(0.02, 0.25), width, height)
            draw = rng.random()
            if draw < 0.3 and an_area(box) < 0.55 * an_area(quad):
                shadowed(rng, photo, box, rng.uniform(0, 0.5))
                lay(rng, photo, pick(rng, "pages")[0], box, Shape(rng, "letter", 1))
                sheets.append(box)
            elif draw < 0.6:
                shadowed(rng, photo, box, rng.uniform(0, 0.5))
                lay(rng, photo, pick(rng, "things"), box, Shape(rng, "card", 1))
            else:
                rounds(rng, photo, box.mean(0))
    if rng.random() < 0.1:
        machines(rng, photo)
    if rng.random() < 0.16 and kind not in ("board", "card"):  # Others of its kind beneath, or all around.
        for _ in range(int(rng.choice([1, 1, 2, 4]))):
            under = (quad - quad.mean(0)) @ (np.eye(2) + rng.normal(0, 0.12, (2, 2)))
            under = under * rng.uniform(0.8, 1.25) + quad.mean(0) + rng.normal(0, 0.16, 2) * [width, height]
            shadowed(rng, photo, under, rng.uniform(0, 0.4))
            lay(rng, photo, turned(rng, pick(rng, "pages")[0]), under.astype(np.float32), Shape(rng, "letter", 1))
            sheets.append(under)
    book = rng.random() < 0.07 and kind in ("letter", "printed", "cover") and not is_held
    shape = Shape(rng, kind, aspect)
    if is_held:
        palm(rng, photo, quad, tone)
    if rng.random() < 0.12:  # A mat, a folder, a clipboard beneath: like the page's outline, larger.
        middle = quad.mean(0)
        mat = ((quad - middle) * rng.uniform(1.06, 1.5, (1, 2)) + middle + rng.normal(0, 0.02, 2) * width).astype(np.float32)
        cv2.fillPoly(photo, [mat.astype(np.int32)], colour(rng, 10, 160, 30) if rng.random() < 0.7 else colour(rng, 10, 235, 40), cv2.LINE_AA)
    if book:
        # The other half, as wide, across the gutter; the page asked for is this one when the other is cut, else the spread.
        side = int(rng.choice([1, 3]))
        a, b = quad[side], quad[(side + 1) % 4]
        c, d = quad[(side + 2) % 4], quad[(side + 3) % 4]
        other = np.array([b + (b - c), a + (a - d), a, b], np.float32)
        lay(rng, photo, pick(rng, "pages")[0], other, shape)
        gutter = np.zeros((height, width), np.float32)
        cv2.line(gutter, tuple(int(v) for v in a), tuple(int(v) for v in b), 1, int(rng.integers(2, 14)))
        sheets.append(other)
    if rng.random() < 0.75:
        shadowed(rng, photo, quad, rng.uniform(0.05, 0.55))
    lay(rng, photo, texture, quad, shape)
    sheets.append(quad)
    if book:
        photo *= (1 - rng.uniform(0.1, 0.6) * cv2.GaussianBlur(gutter, (0, 0), rng.uniform(2, 10)))[..., None]
        if fits(other, width, height):
            quad = np.array([other[0], other[1], d, c]) if side == 1 else np.array([c, d, other[1], other[0]])
            hull = cv2.convexHull(np.concatenate([other, quad]).astype(np.float32))[:, 0]
            quad = hull if len(hull) == 4 else cv2.boxPoints(cv2.minAreaRect(hull))
    if is_held or rng.random() < 0.14:
        for _ in range(int(rng.choice([1, 1, 2]))):
            fingers(rng, photo, quad, tone)
    if kind == "board" and rng.random() < 0.2:
        onlooker(rng, photo)
    if rng.random() < 0.3 and kind != "board":
        desk(rng, photo, quad, int(rng.integers(2, 12)))
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        if rng.random() < 0.7:
            pen_or_cable(rng, photo, quad)
        else:
            rounds(rng, photo, quad[rng.integers(4)] + rng.normal(0, 25, 2))
    return PAGE, quad, sheets


def none_scene(rng, photo):
    height, width = photo.shape[:2]
    quad = camera(rng, width, height, rng.choice([0.7, 1, 1.4]), rng.uniform(0.1, 0.5), rng.random() < 0.2)
    if rng.random() < 0.55:
        view = cv2.resize(pick(rng, "views"), (int(width * rng.uniform(1, 2)), int(height * rng.uniform(1, 2))))
        photo[:] = view[:height, :width]
    else:
        ground_for(rng, photo, quad, 1, (220, 220, 220))
    sheets = []
    for _ in range(int(rng.choice([0, 0, 1, 2, 3, 5]))):
        box = camera(rng, width, height, rng.uniform(0.5, 2), rng.uniform(0.03, 0.45), rng.random() < 0.3)
        draw = rng.random()
        if draw < 0.65:
            shadowed(rng, photo, box, rng.uniform(0, 0.5))
            lay(rng, photo, pick(rng, "things"), box, Shape(rng, "card", 1))
        else:
            rounds(rng, photo, box.mean(0))
    if rng.random() < 0.35:
        machines(rng, photo)
    if rng.random() < 0.45:
        desk(rng, photo, None, int(rng.integers(2, 12)))
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        pen_or_cable(rng, photo, quad)
    if rng.random() < 0.15:
        fingers(rng, photo, quad)
    return NONE, None, sheets


def drawn_on(rng, height, width):
    """A board or a sheet without an end in view, with large boxes and rounds drawn by hand."""
    image = filled_like(rng.uniform(90, 250) * (1 + rng.normal(0, 0.04, 3)), height, width)
    inks = [np.array(colour(rng, 10, 110, 60)) for _ in range(2)]
    for _ in range(int(rng.integers(1, 7))):
        low = rng.uniform(-0.05, 0.6, 2)
        high = low + rng.uniform(0.1, 1.0, 2) * (1.02 - low)
        way = np.linspace(0, 1, 25)[:, None]
        if rng.random() < 0.6:
            corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]]) + rng.normal(0, 0.012, (4, 2))
            line = np.concatenate([a + (b - a) * way for a, b in zip(corners, np.roll(corners, -1, 0))])
            if rng.random() < 0.5:      # A rule across: a box with a heading.
                cut = rng.uniform(0.1, 0.9)
                line = np.concatenate([line, corners[0] + (corners[3] - corners[0]) * cut + (corners[1] - corners[0]) * way])
        else:
            turn = 2 * np.pi * way * rng.uniform(0.3, 1.05)
            line = (low + high) / 2 + (high - low) / 2 * np.concatenate([np.cos(turn), np.sin(turn)], 1)
        line = line + np.cumsum(rng.normal(0, 0.0006, line.shape), 0)
        tone = tuple(float(v) for v in inks[rng.integers(2)])
        cv2.polylines(image, [(line * [width, height]).astype(np.int32)], False, tone, int(rng.integers(1, 5)), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        x, y = rng.uniform(0, 0.7, 2)
        box = (x * width, y * height, (x + rng.uniform(0.15, 0.5)) * width, (y + rng.uniform(0.05, 0.4)) * height)
        textures.handwritten(rng, image, box, tuple(float(v) for v in inks[rng.integers(2)]), height * rng.uniform(0.02, 0.06))
    return np.clip(image, 0, 255).astype(np.uint8)


def full_scene(rng, photo):
    """A page up to, or beyond, the photo's border; perhaps with a scanner's lid beside it."""
    height, width = photo.shape[:2]
    texture, kind = (drawn_on(rng, height * 2, width * 2), "board") if rng.random() < 0.3 else pick(rng, "pages")
    if (texture.shape[1] > texture.shape[0]) != (width > height):
        texture = np.rot90(texture)
    out = rng.uniform(0, 0.12, 4) * (rng.random() < 0.6)
    w, h = width, height
    quad = np.float32([[-out[0] * w, -out[1] * h], [w + out[2] * w, -out[1] * h], [w + out[2] * w, h + out[3] * h], [-out[0] * w, h + out[3] * h]])
    quad += rng.normal(0, 0.01, (4, 2)).astype(np.float32) * w * (out > 0).any()
    photo[:] = np.median(texture.reshape(-1, 3), 0)
    lay(rng, photo, texture, quad, Shape(rng, "card", 1) if rng.random() < 0.6 else Shape(rng, kind, 1))
    if rng.random() < 0.3:
        for side in rng.permutation(4)[:int(rng.integers(1, 4))]:
            depth = int(rng.uniform(1, 0.025 * LONG_SIDE))
            tone = rng.uniform(0, 80) if rng.random() < 0.7 else rng.uniform(200, 255)
            photo[[np.s_[:depth], np.s_[-depth:], np.s_[:, :depth], np.s_[:, -depth:]][side]] = tone
    if rng.random() < 0.12:
        fingers(rng, photo, quad)
    if rng.random() < 0.15:
        pen_or_cable(rng, photo, quad)
    frame = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    return FULL, frame, [frame]


def scene(seed, is_squeezed=True):
    """One photo, its kind, the page's corners or nothing, and all sheets' outlines, as shares of the photo."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([9, seed])
    height, width = LONG_SIDE, int(LONG_SIDE * rng.choice([0.75, 0.75, 0.75, 0.5625, 0.667, 0.5]))
    if rng.random() < 0.4:
        height, width = width, height
    photo = np.zeros((height, width, 3), np.float32)
    draw = rng.random()
    laid = page_scene if draw < shares[0] else none_scene if draw < shares[0] + shares[1] else full_scene
    kind, quad, sheets = laid(rng, photo)
    if kind != FULL or rng.random() < 0.8:
        light(rng, photo, quad)
    size = np.array([width, height], np.float32)
    return develop(rng, photo, is_squeezed), kind, None if quad is None else (quad / size).astype(np.float32), [(s / size).astype(np.float32) for s in sheets]


def make_stocks(jobs, share=1, first=0):
    for name, (draw, count) in STOCKS.items():
        stocks[name] = textures.stock(draw, count // share, jobs, first)


def squeezed_scenes(arguments):
    make_stocks(arguments.jobs, first=arguments.textures)
    photos = np.zeros((arguments.count, SIDE, SIDE, 3), np.uint8)
    labels = []
    with ProcessPoolExecutor(arguments.jobs) as pool:  # The stocks are shared with the workers, which are forks.
        for k, (photo, *label) in enumerate(pool.map(scene, range(arguments.seed, arguments.seed + arguments.count), chunksize=32)):
            photos[k] = photo
            labels.append(label)
    np.save(arguments.out + ".npy", photos)
    with open(arguments.out + ".labels", "wb") as file:
        pickle.dump(labels, file)


def picture(job):
    seed, folder = job
    photo, kind, quad, _ = scene(seed, is_squeezed=False)
    name = f"laid{seed}.png"
    cv2.imwrite(os.path.join(folder, name), photo[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
    height, width = photo.shape[:2]
    corners = None if quad is None else [[float(x) * width, float(y) * height] for x, y in quad]
    return name, {"answer": ["page", "none", "flat"][kind], "corners": corners, "size": [width, height]}


def pictures(arguments):
    global LONG_SIDE
    LONG_SIDE = PICTURE_LONG_SIDE
    make_stocks(arguments.jobs, share=4, first=PICTURE_TEXTURES)
    os.makedirs(arguments.pictures, exist_ok=True)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = [(arguments.seed + k, arguments.pictures) for k in range(arguments.count)]
        truths = dict(pool.map(picture, jobs, chunksize=8))
    with open(os.path.join(arguments.pictures, "truth.json"), "w") as file:
        json.dump(truths, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out")
    where.add_argument("--pictures")
    parser.add_argument("--count", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--textures", type=int, default=0, help="the first seed of the textures: others, others")
    parser.add_argument("--shares", type=float, nargs=3, default=(0.7, 0.2, 0.1), help="of scenes with a page, without one, and filled by one")
    parser.add_argument("--curled", type=float, default=0, help="the share of soft pages that curl much")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    global curled, shares
    curled, shares = arguments.curled, arguments.shares
    if arguments.pictures:
        pictures(arguments)
    else:
        squeezed_scenes(arguments)


if __name__ == "__main__":
    main()
