"""The paper itself: fibre, folds, curl, and how it lies in the photo."""

import cv2
import numpy as np

from .camera import corners_of
from .materials import F, Noise, linear_picture
from .painting import region, warp_picture


def albedo(page, rng, folds=(), crumple=0.0, fibre=1.0):
    """The page's colours in linear light with fibre and folds. folds: (shares of the height at which it was folded);
    crumple: how deep the light follows creases, 0...0.05; fibre: 0 for enamel."""
    colours = linear_picture(np.asarray(page.image))
    h, w = colours.shape[:2]
    fine = cv2.GaussianBlur(rng.standard_normal((h, w), dtype=F), (0, 0), 1.0) * 3
    blots = cv2.resize(Noise(rng, 512, 1.3, 4).cells, (w, h), interpolation=cv2.INTER_CUBIC)
    gain = 1 + F(0.006 * fibre) * fine + F(0.006 * max(fibre, 0.5)) * blots
    for share in folds:
        d = (np.arange(h, dtype=F) - F(h * share)) / F(page.scale)  # mm from the fold
        crease = (
            np.sign(d) * 0.05 * np.exp(-np.abs(d) / 6)
            - 0.10 * np.exp(-((d / 0.18) ** 2))
            + 0.05 * np.exp(-(((d - 0.4) / 0.2) ** 2))
        )
        gain = gain * (1 + crease)[:, None].astype(F)
    if crumple:
        z = cv2.resize(Noise(rng, 512, 1.9, 6).cells, (w, h), interpolation=cv2.INTER_CUBIC)
        slope = cv2.Sobel(z, cv2.CV_32F, 1, 0, ksize=3) * F(0.8) + cv2.Sobel(z, cv2.CV_32F, 0, 1, ksize=3) * F(0.6)
        slope = cv2.GaussianBlur(slope, (0, 0), 3)
        gain = gain * (1 + F(crumple) * np.clip(slope / slope.std(), -3, 3))
    return colours * gain[..., None]


class Curl:
    """A smooth height over the page, never below the plane: a bend along its height, and lifted corners.

    kind: "arch", "edges" or "wave"; rise: mm; lifts: {(-1 or 1, -1 or 1): mm} for single corners."""

    def __init__(self, mm, kind="edges", rise=5.0, lifts=None):
        (self.w, self.h), self.kind, self.rise, self.lifts = mm, kind, rise, lifts or {}
        x, y = np.meshgrid(np.linspace(-self.w / 2, self.w / 2, 40), np.linspace(-self.h / 2, self.h / 2, 40))
        self.lowest = 0.0
        self.lowest = float(self.z(x, y).min())

    def z(self, x, y):
        """Height in mm over the plane at x, y."""
        x, y = np.clip(x, -0.56 * self.w, 0.56 * self.w), np.clip(y, -0.56 * self.h, 0.56 * self.h)
        t = y / (self.h / 2)
        if self.kind == "arch":
            z = self.rise * (1 - t * t)
        elif self.kind == "edges":
            z = self.rise * t * t
        else:
            z = self.rise * 0.5 * (1 + np.sin(2.4 * t + 0.6))
        for (sx, sy), lift in self.lifts.items():
            u = np.clip(sx * x / self.w + sy * y / self.h, 0, 1.2)
            z = z + lift * np.clip(u - 0.35, 0, None) ** 2 / 0.4225
        return z - self.lowest

    def slope(self, x, y):
        """The height's derivatives along x and y."""
        return self.z(x + 0.5, y) - self.z(x - 0.5, y), self.z(x, y + 0.5) - self.z(x, y - 0.5)


def outline(mm, curl=None, steps=24):
    """The page's edge in the world, `steps` points a side, from the top-left corner clockwise."""
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    c = corners_of(mm)
    o = np.vstack([c[i] + (c[(i + 1) % 4] - c[i]) * t for i in range(4)])
    z = curl.z(o[:, 0], o[:, 1]) if curl else np.zeros(len(o))
    return np.hstack([o, -z[:, None]])


def lay(photo, camera, mm, colours, curl, light):
    """Draws the page into the photo, in place; returns its coverage (0...1, of the photo's size)."""
    w, h = mm
    cover = np.zeros(photo.shape[:2], F)
    tall, wide = colours.shape[:2]
    if curl is None:
        to_plane = np.array([[w / wide, 0, -w / 2], [0, h / tall, -h / 2], [0, 0, 1.0]])
        drawn = warp_picture(photo, colours, None, camera.plane() @ to_plane, camera.project(corners_of(mm)))
        if drawn:
            (x0, y0, x1, y1), cover[y0:y1, x0:x1] = drawn
        return cover
    x0, y0, x1, y1 = box = region(camera.project(outline(mm, curl)), camera.width, camera.height, 8)
    X, Y = _seen_points(camera, curl, box)
    k = 1.15 * camera.scale_at((0, 0)) * w / wide
    if k < 0.95:
        colours = cv2.resize(colours, (max(2, int(wide * k)), max(2, int(tall * k))), interpolation=cv2.INTER_AREA)
        tall, wide = colours.shape[:2]
    U, V = (X / F(w) + F(0.5)) * wide - F(0.5), (Y / F(h) + F(0.5)) * tall - F(0.5)
    seen = cv2.remap(colours, U, V, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    rim = cv2.copyMakeBorder(np.ones((tall, wide), F), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    alpha = cv2.remap(rim, U + 1, V + 1, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    gx, gy = curl.slope(X, Y)
    sun = np.array([-light[0], -light[1], 1.0])
    lit = np.clip((-gx * sun[0] - gy * sun[1] + 1) / np.sqrt(1 + gx * gx + gy * gy), 0.05, 2.5)
    seen = seen * (0.45 + 0.55 * lit).astype(F)[..., None]
    photo[y0:y1, x0:x1] += (seen - photo[y0:y1, x0:x1]) * alpha[..., None]
    cover[y0:y1, x0:x1] = alpha
    return cover


def _seen_points(camera, curl, box, step=4):
    """Where the ray of each pixel in the box meets the curled page: x, y in mm, solved for every step-th pixel."""
    x0, y0, x1, y1 = box
    u = x0 + np.arange((x1 - x0) // step + 2) * step + 0.5
    v = y0 + np.arange((y1 - y0) // step + 2) * step + 0.5
    U, V = np.meshgrid(u, v)
    ray = (
        np.stack([(U - camera.width / 2) / camera.f, (V - camera.height / 2) / camera.f, np.ones_like(U)], -1)
        @ camera.R
    )
    eye = camera.centre
    t = -eye[2] / ray[..., 2]
    for _ in range(14):  # Newton's method
        X, Y, Z = (eye[i] + t * ray[..., i] for i in range(3))
        gx, gy = curl.slope(X, Y)
        t = t - (Z + curl.z(X, Y)) / (ray[..., 2] + gx * ray[..., 0] + gy * ray[..., 1])
    X, Y = (eye[0] + t * ray[..., 0]).astype(F), (eye[1] + t * ray[..., 1]).astype(F)
    gx, gy = np.meshgrid(np.arange(x1 - x0, dtype=F) / step, np.arange(y1 - y0, dtype=F) / step)
    return cv2.remap(X, gx, gy, cv2.INTER_LINEAR), cv2.remap(Y, gx, gy, cv2.INTER_LINEAR)
