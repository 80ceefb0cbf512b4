#!/usr/bin/env python3
"""Draw many small photos of pages, and of none, with exact corners: what the ranking of outlines is fitted on.

    drawing.py --out DIR --count 1200 --seed 40000 [--jobs 2]

Writes NAME.jpg and truth.json. A photo depends on its seed alone. They are quick rather than handsome (a tenth of a second
each, 900 pixels on the long side), and there is much of what confuses: printed frames, tables, bands of colour, other
sheets, grain, plaid, tiles, keyboards, hands, shadows, pages cut by the frame, curled pages, grounds like the paper.
"""
import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor

import cv2
import numpy as np

LONG_SIDE = 900
SKIN = [(224, 180, 150), (198, 146, 112), (150, 102, 74), (96, 64, 46), (236, 200, 178)]
PAPER = [(246, 245, 240)] * 6 + [(250, 240, 214), (244, 232, 150), (214, 228, 244), (246, 214, 220), (216, 236, 210),
                                  (232, 226, 214), (190, 170, 140)]


def smooth_noise(rng, height, width, cell, cell_x=None):
    """Noise of about unit deviation whose grains are `cell` pixels high and `cell_x` wide."""
    cell_x = cell_x or cell
    grains = rng.normal(size=(max(2, int(height / cell) + 2), max(2, int(width / cell_x) + 2))).astype(np.float32)
    return cv2.resize(grains, (width, height), interpolation=cv2.INTER_CUBIC)


def colour(rng, low=20, high=235, spread=40):
    base = rng.uniform(low, high)
    return tuple(float(np.clip(base + rng.normal(0, spread), 5, 250)) for _ in range(3))


def filled(height, width, tone):
    return np.full((height, width, 3), tone, np.float32)


# Grounds: each an image of the plane that the page lies on.

def wood(rng, n):
    tone = np.array([[150, 105, 65], [96, 62, 38], [196, 160, 116], [60, 40, 28], [176, 120, 70]][rng.integers(5)], np.float32)
    tone = tone * rng.uniform(0.8, 1.2)
    grain = smooth_noise(rng, n, n, rng.uniform(2, 6), n / rng.uniform(2, 6)) + 0.8 * smooth_noise(rng, n, n, 30, n / 2)
    waves = np.sin(smooth_noise(rng, n, n, 120, 500) * 6 + np.arange(n)[:, None] / rng.uniform(4, 20))
    image = filled(n, n, 0) + tone * (1 + rng.uniform(0.03, 0.14) * (grain + rng.uniform(0, 1.2) * waves))[..., None]
    if rng.random() < 0.6:
        step = int(rng.uniform(90, 320))
        for row in range(int(rng.uniform(0, step)), n, step):
            image[row:row + int(rng.integers(1, 5))] *= rng.uniform(0.3, 0.8)
            image[row:row + step] *= rng.uniform(0.85, 1.15)
    return image


def marble(rng, n):
    tone = np.array([[225, 222, 216], [60, 58, 60], [180, 170, 160], [236, 236, 238]][rng.integers(4)], np.float32)
    bend = smooth_noise(rng, n, n, 200) * 60 + smooth_noise(rng, n, n, 50) * 15 + smooth_noise(rng, n, n, 14) * 4
    ramp = np.arange(n)[None, :] * rng.uniform(-1, 1) + np.arange(n)[:, None]
    veins = 1 / (1 + np.abs(np.sin((ramp + bend * 2) / rng.uniform(40, 120))) * rng.uniform(8, 30))
    cloud = smooth_noise(rng, n, n, 80)
    sign = -1 if tone.mean() > 120 else 1
    return tone * (1 + rng.uniform(0.05, 0.3) * sign * veins + 0.03 * cloud)[..., None]


def plaid(rng, n):
    image = filled(n, n, colour(rng))
    for axis in (0, 1):
        period = int(rng.uniform(60, 240))
        for _ in range(int(rng.integers(1, 5))):
            at, width = int(rng.uniform(0, period)), int(rng.uniform(3, period / 2))
            tone, alpha = np.array(colour(rng), np.float32), rng.uniform(0.2, 0.7)
            mask = ((np.arange(n) - at) % period) < width
            mask = mask[:, None, None] if axis == 0 else mask[None, :, None]
            image = np.where(mask, image * (1 - alpha) + tone * alpha, image)
    return image * (1 + 0.06 * rng.normal(size=(n, n)).astype(np.float32))[..., None]


def cloth(rng, n):
    image = filled(n, n, colour(rng, spread=25))
    weave = np.sin(np.arange(n) / rng.uniform(1, 3))
    folds = smooth_noise(rng, n, n, rng.uniform(100, 300), rng.uniform(60, 500))
    return image * (1 + 0.05 * weave[:, None] * weave[None, :] + rng.uniform(0.02, 0.2) * folds)[..., None]


def tiles(rng, n):
    image = filled(n, n, colour(rng, spread=15))
    period = int(rng.uniform(70, 330))
    tall = int(period * rng.choice([1, 1, 0.5, 2]))
    image *= (1 + 0.04 * smooth_noise(rng, n, n, period, period))[..., None]
    grout, width = colour(rng, spread=8), int(rng.integers(2, 9))
    for row in range(0, n, tall):
        image[row:row + width] = grout
    for column in range(0, n, period):
        image[:, column:column + width] = grout
    return image


def plain(rng, n):
    tone = colour(rng, spread=rng.choice([3, 12, 30]))
    return filled(n, n, tone) * (1 + 0.03 * smooth_noise(rng, n, n, rng.uniform(60, 400)))[..., None]


def carpet(rng, n):
    image = filled(n, n, colour(rng, spread=20))
    rough = smooth_noise(rng, n, n, rng.uniform(1.5, 5)) + smooth_noise(rng, n, n, rng.uniform(5, 20))
    return image * (1 + rng.uniform(0.05, 0.2) * rough)[..., None]


def pattern(rng, n):
    """Dots, rings or leaves, printed on cloth or paper."""
    image = plain(rng, n)
    for _ in range(int(rng.uniform(40, 250))):
        at = tuple(int(v) for v in rng.uniform(0, n, 2))
        axes = (int(rng.uniform(4, 60)), int(rng.uniform(4, 60)))
        cv2.ellipse(image, at, axes, rng.uniform(0, 360), 0, 360, colour(rng), int(rng.choice([-1, 2, 5])), cv2.LINE_AA)
    return image


GROUNDS = [wood, wood, wood, marble, marble, plaid, cloth, cloth, tiles, plain, plain, carpet, pattern]


def ground(rng, n, like=None):
    if like is not None:
        shift = rng.normal(0, 9, 3) + rng.choice([-1, 1]) * rng.uniform(8, 30)
        tone = np.clip(np.array(like) + shift, 5, 255)
        image = filled(n, n, tone) * (1 + rng.uniform(0.005, 0.04) * smooth_noise(rng, n, n, rng.uniform(2, 200)))[..., None]
    else:
        image = GROUNDS[rng.integers(len(GROUNDS))](rng, n)
    if rng.random() < 0.3:  # The desk ends, and the floor or a wall begins.
        other = GROUNDS[rng.integers(len(GROUNDS))](rng, n)
        cut, slope = rng.uniform(0.05, 0.95) * n, rng.normal(0, 0.15)
        side = np.arange(n)[None, :] * slope + np.arange(n)[:, None] > cut
        if rng.random() < 0.5:
            side = side.T
        image = np.where(side[..., None], image, other)
    return np.clip(image, 0, 255)


# What is printed or written.

def text(rng, image, box, ink, size):
    left, top, right, bottom = box
    row = top
    while row + size < bottom:
        end = right if rng.random() < 0.75 else left + rng.uniform(0.2, 0.9) * (right - left)
        column = left
        while column < end:
            word = min(rng.uniform(1.5, 6) * size, end - column)
            for at in np.arange(column, column + word, size * 0.62):
                points = np.stack([at + rng.uniform(0, 0.5, 4) * size, row + rng.uniform(0, 0.9, 4) * size], 1)
                cv2.polylines(image, [points.astype(np.int32)], False, ink, max(1, int(size / 8)), cv2.LINE_AA)
            column += word + size * 0.7
        row += size * rng.uniform(1.5, 1.9)


def frame(rng, image, inset, ink):
    height, width = image.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        thick = int(rng.choice([1, 2, 3, 6, 12, 24]))
        cv2.rectangle(image, (int(inset), int(inset)), (int(width - inset), int(height - inset)), ink, thick)
        inset += thick + rng.uniform(3, 18)
    return inset


def table(rng, image, box, ink):
    left, top, right, bottom = [int(v) for v in box]
    rows, columns, thick = int(rng.integers(2, 14)), int(rng.integers(1, 7)), int(rng.choice([1, 2, 3, 4]))
    if rng.random() < 0.4:
        cv2.rectangle(image, (left, top), (right, top + (bottom - top) // rows), colour(rng, 60, 240), -1)
    if rng.random() < 0.25:
        cv2.rectangle(image, (left, top), (right, bottom), colour(rng, 150, 250, 15), -1)
    for k in range(rows + 1):
        y = top + (bottom - top) * k // rows
        cv2.line(image, (left, y), (right, y), ink, thick)
    for k in range(columns + 1):
        x = left + (right - left) * k // columns
        cv2.line(image, (x, top), (x, bottom), ink, thick)


def printed(rng, height, width, paper):
    """A page from above, with what is on it."""
    image = filled(height, width, paper)
    ink = tuple(float(v) for v in rng.uniform(0, 90, 3)) if rng.random() < 0.7 else colour(rng, 10, 150, 60)
    short = min(height, width)
    inset = short * rng.uniform(0.04, 0.12)
    size = short * rng.uniform(0.014, 0.04)
    if rng.random() < 0.22:  # Bands of colour up to the paper's edge.
        for _ in range(int(rng.integers(1, 3))):
            share = rng.uniform(0.06, 0.4)
            tone = colour(rng, 30, 220, 60)
            side = rng.integers(3)
            if side == 0:
                image[:int(height * share)] = tone
            elif side == 1:
                image[int(height * (1 - share)):] = tone
            else:
                image[:, :int(width * share)] = tone
    if rng.random() < 0.12:  # A page that is a picture or a dark card.
        image[:] = GROUNDS[rng.integers(3, len(GROUNDS))](rng, max(height, width))[:height, :width]
        image[:] = np.clip(image * 0.6 + np.array(colour(rng), np.float32) * 0.4, 0, 255)
    if rng.random() < 0.35:
        inset = frame(rng, image, short * rng.uniform(0.02, 0.09), ink)
        if rng.random() < 0.3:
            a = int(inset)
            image[a:height - a, a:width - a] = colour(rng, 170, 252, 10)
    box = (inset, inset, width - inset, height - inset)
    style = rng.random()
    if style < 0.3:
        text(rng, image, box, ink, size)
    elif style < 0.55:
        middle = inset + (height - 2 * inset) * rng.uniform(0.1, 0.5)
        end = middle + (height - inset - middle) * rng.uniform(0.4, 1)
        text(rng, image, (inset, inset, width - inset, middle - size), ink, size)
        table(rng, image, (inset, middle, width - inset, end), ink)
        text(rng, image, (inset, middle, width - inset, end), ink, size)
    elif style < 0.65:
        gap = short * rng.uniform(0.03, 0.06)
        for y in np.arange(inset, height, gap):
            cv2.line(image, (0, int(y)), (width, int(y)), (150, 170, 210), 1)
        if rng.random() < 0.5:
            for x in np.arange(inset, width, gap):
                cv2.line(image, (int(x), 0), (int(x), height), (150, 170, 210), 1)
        text(rng, image, (inset, inset, width - inset, height * rng.uniform(0.2, 1)), ink, gap * 0.8)
    elif style < 0.85:
        for _ in range(int(rng.integers(1, 5))):  # Pictures and boxes among text.
            x, y = rng.uniform(inset, width * 0.6), rng.uniform(inset, height * 0.7)
            x2, y2 = min(width - inset, x + width * rng.uniform(0.1, 0.8)), min(height - inset, y + height * rng.uniform(0.05, 0.5))
            if x2 - x > 8 and y2 - y > 8:
                cv2.rectangle(image, (int(x), int(y)), (int(x2), int(y2)), colour(rng), int(rng.choice([-1, -1, 2, 4])))
        text(rng, image, box, ink, size)
    return np.clip(image, 0, 255)


def gadget(rng, height, width):
    """Things with right angles that are no pages: keyboards, telephones, screens, books' spines, drawers."""
    kind = rng.integers(5)
    # A plain light rectangle would be a page to anybody, so those without parts are dark.
    is_dark = kind == 4 or rng.random() < 0.7
    image = filled(height, width, colour(rng, 15, 90, 6) if is_dark else colour(rng, 160, 240, 4))
    if kind == 0:
        rows = int(rng.integers(4, 7))
        step = height / (rows + 0.4)
        key = colour(rng, 10, 250, 5)
        for y in np.arange(0.2 * step, height - step * 0.9, step):
            for x in np.arange(0.2 * step, width - step * 0.9, step):
                cv2.rectangle(image, (int(x), int(y)), (int(x + step * 0.85), int(y + step * 0.85)), key, -1)
    elif kind == 1:
        edge = int(min(height, width) * rng.uniform(0.02, 0.12))
        screen = filled(height - 2 * edge, width - 2 * edge, colour(rng, 5, 60, 20))
        screen += (np.linspace(0, rng.uniform(0, 90), width - 2 * edge, dtype=np.float32))[None, :, None]
        image[edge:height - edge, edge:width - edge] = screen
    elif kind == 2:
        x = 0
        while x < width:
            step = int(rng.uniform(0.05, 0.2) * width) + 3
            image[:, x:x + step] = colour(rng, 20, 200, 50)
            x += step
        for y in (0.1, 0.85):
            image[int(height * y):int(height * y) + 4] *= 0.6
    elif kind == 3:
        edge = int(min(height, width) * rng.uniform(0.05, 0.2))
        cv2.rectangle(image, (edge, edge), (width - edge, height - edge), colour(rng, 40, 200, 10), int(rng.integers(2, 7)))
        cv2.circle(image, (width // 2, height // 2), max(3, edge // 3), colour(rng), -1)
    return np.clip(image, 0, 255)


# The camera.

def camera(rng, width, height, aspect, fill, cropped):
    """The page's corners in the photo: a rectangle of `aspect` under a pinhole camera."""
    area = fill * width * height
    w, h = np.sqrt(area * aspect), np.sqrt(area / aspect)
    flat = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    turn = np.radians(rng.normal(0, 8) if rng.random() < 0.65 else rng.uniform(-45, 45))
    tilt, azimuth = np.radians(38 * rng.beta(1.2, 1.9)), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    spun = flat @ np.array([[c, s], [-s, c]])
    ca, sa = np.cos(azimuth), np.sin(azimuth)
    out = spun @ np.array([[ca, -sa], [sa, ca]])
    focal = 0.62 * np.hypot(width, height)
    depth = focal + out[:, 1] * np.sin(tilt)
    out = np.stack([out[:, 0], out[:, 1] * np.cos(tilt)], 1) * (focal / depth)[:, None]
    out = out @ np.array([[ca, sa], [-sa, ca]])
    size = out.max(0) - out.min(0)
    room = np.array([width, height]) - size
    middle = -(out.max(0) + out.min(0)) / 2
    place = middle + np.array([width, height]) / 2
    if cropped:
        place += rng.uniform(0.05, 0.3) * size * np.array([rng.choice([-1, 0, 1]), rng.choice([-1, 1])]) + rng.normal(0, 0.05, 2) * size
    else:
        shrink = min(1, 0.96 * width / size[0], 0.96 * height / size[1])
        out = out * shrink
        middle = middle * shrink
        room = np.maximum(0, np.array([width, height]) * 0.98 - size * shrink)
        place = middle + np.array([width, height]) / 2 + rng.uniform(-0.5, 0.5, 2) * room * rng.uniform(0.1, 1)
    return (out + place).astype(np.float32)


def laid(photo, texture, corners, bulge=(0, 0), shade=None):
    """The texture in the photo, its upper and lower sides bulging by `bulge` shares of its height; returns its mask."""
    height, width = texture.shape[:2]
    if bulge != (0, 0):
        pad = int(height * max(abs(b) for b in bulge)) + 2
        padded = cv2.copyMakeBorder(np.dstack([texture, filled(height, width, 255)[..., :1]]), pad, pad, 0, 0, cv2.BORDER_CONSTANT, value=0)
        x = np.arange(width, dtype=np.float32)[None, :].repeat(height + 2 * pad, 0)
        y = np.arange(height + 2 * pad, dtype=np.float32)[:, None].repeat(width, 1)
        arc = np.sin(np.pi * x / width) * height
        share = np.clip((y - pad) / height, 0, 1)
        y = y - arc * (bulge[0] * (1 - share) + bulge[1] * share)
        warped = cv2.remap(padded, x, y, cv2.INTER_LINEAR)
        source = np.float32([[0, pad], [width, pad], [width, pad + height], [0, pad + height]])
    else:
        warped = np.dstack([texture, filled(height, width, 255)[..., :1]])
        source = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    if shade is not None:
        warped[..., :3] *= shade(warped.shape[:2])[..., None]
    matrix = cv2.getPerspectiveTransform(source, corners)
    size = (photo.shape[1], photo.shape[0])
    page = cv2.warpPerspective(warped.astype(np.float32), matrix, size, flags=cv2.INTER_AREA, borderValue=(0, 0, 0, 0))
    alpha = page[..., 3:] / 255
    photo *= 1 - alpha
    photo += page[..., :3] * alpha
    return alpha[..., 0]


def drop_shadow(rng, photo, corners, strength):
    mask = np.zeros(photo.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, (corners + rng.normal(0, 5, 2)).astype(np.int32), 1)
    photo *= (1 - strength * cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9)))[..., None]


def hand(rng, photo, corners):
    """Fingers or a thumb over a side, coming from the frame."""
    tone = np.array(SKIN[rng.integers(len(SKIN))], np.float32) * rng.uniform(0.8, 1.1)
    side = rng.integers(4)
    at = corners[side] + (corners[(side + 1) % 4] - corners[side]) * rng.uniform(0.1, 0.9)
    middle = corners.mean(0)
    away = (at - middle) / max(1, np.linalg.norm(at - middle))
    long = float(np.hypot(*photo.shape[:2]))
    for k in range(int(rng.integers(1, 5))):
        width = int(long * rng.uniform(0.03, 0.06))
        off = np.array([-away[1], away[0]]) * (k - 1) * width * 1.1
        tip = at + off - away * rng.uniform(0.02, 0.12) * long
        root = at + off + away * long * 0.6 + rng.normal(0, 20, 2)
        mask = np.zeros(photo.shape[:2], np.float32)
        cv2.line(mask, tuple(int(v) for v in tip), tuple(int(v) for v in root), 1, width, cv2.LINE_AA)
        round_shade = 0.75 + 0.25 * cv2.GaussianBlur(mask, (0, 0), width / 4)
        photo *= (1 - mask)[..., None]
        photo += mask[..., None] * tone * round_shade[..., None]


def scattered(rng, photo, count):
    """Other things on the desk, of which parts come into the photo."""
    height, width = photo.shape[:2]
    for _ in range(count):
        w, h = rng.uniform(0.1, 0.6, 2) * min(width, height)
        turn = rng.uniform(0, np.pi)
        c, s = np.cos(turn), np.sin(turn)
        box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]])
        border = rng.random() < 0.7
        place = rng.uniform(0, 1, 2)
        if border:
            place[rng.integers(2)] = rng.choice([-0.05, 1.05])
        corners = (box + place * [width, height]).astype(np.float32)
        if rng.random() < 0.45 and border:
            texture = printed(rng, max(40, int(h)), max(40, int(w)), PAPER[rng.integers(len(PAPER))])
        elif rng.random() < 0.7:
            texture = gadget(rng, max(40, int(h)), max(40, int(w)))
        else:
            centre, radius = tuple(int(v) for v in corners.mean(0)), int(min(w, h) / 2)
            cv2.circle(photo, centre, radius, colour(rng), -1, cv2.LINE_AA)
            cv2.circle(photo, centre, int(radius * 0.8), colour(rng), -1, cv2.LINE_AA)
            continue
        drop_shadow(rng, photo, corners, rng.uniform(0, 0.5))
        laid(photo, texture, corners)


def lit(rng, photo):
    """Uneven light, cast shadows, glare."""
    height, width = photo.shape[:2]
    x, y = np.linspace(-1, 1, width, dtype=np.float32)[None, :], np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.35)
    light = 1 + depth * (np.cos(angle) * x + np.sin(angle) * y)
    if rng.random() < 0.35:
        mask = np.zeros((height, width), np.float32)
        points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * [width, height]
        cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 1)
        light = light * (1 - rng.uniform(0.15, 0.6) * cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 60)))
    photo *= light[..., None]
    if rng.random() < 0.12:
        at = rng.uniform(0, 1, 2) * 2 - 1
        spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / rng.uniform(0.01, 0.1))
        photo += (spot * rng.uniform(60, 220))[..., None]


def developed(rng, photo):
    """Lens, sensor and JPEG."""
    height, width = photo.shape[:2]
    photo = np.clip(photo, 0, 255)
    tint = 1 + rng.normal(0, 0.06, 3).astype(np.float32)
    photo = 255 * (np.clip(photo * tint, 0, 255) / 255) ** rng.uniform(0.75, 1.5) * rng.uniform(0.6, 1.05)
    if rng.random() < 0.12:
        photo *= rng.uniform(0.2, 0.6)
    blur = rng.uniform(0.3, 1.2) if rng.random() < 0.8 else rng.uniform(1.2, 3.5)
    photo = cv2.GaussianBlur(photo, (0, 0), blur)
    noise = rng.normal(0, 1, (height, width, 3)).astype(np.float32)
    photo = photo + rng.uniform(0.5, 9) * (0.7 * noise + 0.6 * noise.mean(2, keepdims=True))
    photo = np.clip(photo, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", photo[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
    return data.tobytes()


def scene(seed):
    """One photo, as the bytes of a JPEG, and its truth."""
    rng = np.random.default_rng(seed)
    height, width = LONG_SIDE, int(LONG_SIDE * rng.choice([0.75, 0.75, 0.75, 0.5625, 0.667]))
    if rng.random() < 0.35:
        height, width = width, height
    draw = rng.random()
    kind = "page" if draw < 0.74 else "none" if draw < 0.92 else "flat"
    paper = np.array(PAPER[rng.integers(len(PAPER))], np.float32) * rng.uniform(0.9, 1.02)
    tags, corners = [], None
    if kind == "flat":
        texture = printed(rng, height, width, paper)
        photo = texture.copy()
        if rng.random() < 0.4:  # The lid of a scanner beside the paper, or its own dark edge.
            tags.append("margins")
            for side in rng.permutation(4)[:int(rng.integers(1, 4))]:
                depth = int(rng.uniform(1, 0.03 * LONG_SIDE))
                tone = rng.uniform(0, 70) if rng.random() < 0.7 else rng.uniform(200, 255)
                cut = [np.s_[:depth], np.s_[-depth:], np.s_[:, :depth], np.s_[:, -depth:]][side]
                photo[cut] = tone
        corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
        if rng.random() < 0.7:
            lit(rng, photo)
        if rng.random() < 0.15:
            hand(rng, photo, corners)
        return developed(rng, photo), {"answer": kind, "tags": tags, "corners": corners.tolist(), "size": [width, height]}
    n = int(np.hypot(height, width) * 1.35)
    like = paper if kind == "page" and rng.random() < 0.2 else None
    plane = ground(rng, n, like).astype(np.float32)
    if like is not None:
        tags.append("lowcontrast")
    aspect = rng.choice([0.707, 0.707, 0.707, 1.414, 0.65, 0.8, 1.6, 1.2, 0.4, 0.28, 1.0])
    cropped = kind == "page" and rng.random() < 0.14
    fill = rng.uniform(0.12, 0.75) * (0.75 if aspect < 0.5 else 1)
    quad = camera(rng, width, height, aspect, fill, cropped)
    # The ground lies in the page's plane: its homography is the page's, grown around it.
    w, h = np.sqrt(fill * width * height * aspect), np.sqrt(fill * width * height / aspect)
    spin = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.03) + rng.integers(4) * np.pi / 2
    c, s = np.cos(spin), np.sin(spin)
    box = (np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 @ np.array([[c, s], [-s, c]]) + n / 2).astype(np.float32)
    photo = cv2.warpPerspective(plane, cv2.getPerspectiveTransform(box, quad), (width, height), flags=cv2.INTER_LINEAR,
                                borderMode=cv2.BORDER_REFLECT)
    if rng.random() < (0.5 if kind == "page" else 0.75):
        tags.append("clutter")
        scattered(rng, photo, int(rng.integers(1, 5)))
    if kind == "page":
        corners = quad
        scale = rng.uniform(1, 1.4)
        texture = printed(rng, max(60, int(h * scale)), max(60, int(w * scale)), paper)
        if rng.random() < 0.15:  # A second sheet beneath, a little turned.
            tags.append("stack")
            under = (quad - quad.mean(0)) @ np.array([[1, rng.normal(0, 0.1)], [rng.normal(0, 0.1), 1]])
            under = (under * rng.uniform(0.8, 1.02) + quad.mean(0) + rng.normal(0, 0.08, 2) * [width, height]).astype(np.float32)
            laid(photo, printed(rng, 300, 300, PAPER[rng.integers(len(PAPER))]), under)
        drop_shadow(rng, photo, quad, rng.uniform(0, 0.5) * (rng.random() < 0.8))
        bulge = (0, 0)
        if rng.random() < 0.2:
            tags.append("curled")
            bulge = tuple(rng.normal(0, 0.012) for _ in range(2))
        creases = rng.uniform(0, 0.05)
        bend = rng.uniform(0, 0.12)

        def shade(size):
            across = np.linspace(-1, 1, size[1], dtype=np.float32)[None, :]
            return 1 + creases * smooth_noise(rng, size[0], size[1], 60) + bend * across
        laid(photo, texture, quad, bulge, shade)
        if rng.random() < 0.25:
            tags.append("hand")
            for _ in range(int(rng.integers(1, 3))):
                hand(rng, photo, quad)
        if cropped:
            tags.append("cropped")
    else:
        for _ in range(int(rng.choice([0, 1, 1, 2]))):
            other = camera(rng, width, height, aspect, rng.uniform(0.06, 0.5), rng.random() < 0.3)
            drop_shadow(rng, photo, other, rng.uniform(0, 0.5))
            laid(photo, gadget(rng, max(40, int(h)), max(40, int(w))), other)
        if rng.random() < 0.15:
            hand(rng, photo, quad)
    lit(rng, photo)
    truth = {"answer": kind, "tags": tags, "size": [width, height], "corners": None if corners is None else corners.tolist()}
    return developed(rng, photo), truth


def one(job):
    cv2.setNumThreads(1)
    seed, folder = job
    photo, truth = scene(seed)
    name = f"f{seed}.jpg"
    with open(os.path.join(folder, name), "wb") as file:
        file.write(photo)
    return name, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=40000)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = [(arguments.seed + k, arguments.out) for k in range(arguments.count)]
        truths = dict(pool.map(one, jobs, chunksize=8))
    with open(os.path.join(arguments.out, "truth.json"), "w") as file:
        json.dump(truths, file)


if __name__ == "__main__":
    main()
