"""Light: uneven lamps, the photographer's shadow, glare on gloss."""

import math

import cv2
import numpy as np

from .materials import F


def soft_mask(shape, polygons, blur):
    """Polygons as a blurred mask of 0...1."""
    mask = np.zeros(shape, np.uint8)
    for points in polygons:
        cv2.fillPoly(mask, [np.round(np.asarray(points) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask.astype(F) / 255, (0, 0), max(0.6, blur))


def illumination(camera, toward=30.0, fall=0.4, warmth=0.0, lamp=None, step=8):
    """The light's colour over the frame, at 1/step of the size.

    toward: where it is brighter (degrees, 0 right, 90 down);
    fall: how much from one side to the other (natural logarithm); warmth: -1 daylight blue ... 1 lamp yellow;
    lamp: (u, v, reach) of a near lamp in shares of the frame."""
    w, h = camera.width // step, camera.height // step
    u = (np.arange(w, dtype=F) + F(0.5)) / w - F(0.5)
    v = (np.arange(h, dtype=F) + F(0.5)) / h - F(0.5)
    a = math.radians(toward)
    ramp = u[None] * F(math.cos(a)) + v[:, None] * F(math.sin(a))
    light = np.exp(F(fall) * ramp)
    if lamp:
        cx, cy, reach = lamp
        light = light * (
            0.55 + 0.75 / (1 + ((u[None] - F(cx - 0.5)) ** 2 + (v[:, None] - F(cy - 0.5)) ** 2) / F(reach**2))
        )
    warm, cool = np.array([1.10, 0.98, 0.78], F), np.array([0.90, 0.99, 1.10], F)
    tint = 1 + (warm - 1) * max(0.0, warmth) + (cool - 1) * max(0.0, -warmth)
    other = 1 + (cool - 1) * 0.3 if warmth > 0 else 1 + (warm - 1) * 0.2
    share = np.clip(0.35 - ramp * 0.5, 0, 1)[..., None].astype(F)  # the far side gets some of another lamp
    return (light[..., None] * (tint * (1 - share) + other * share)).astype(F)


def shadow(camera, kind, at, turn=0.0, density=0.5, blur=0.02, step=8):
    """A gain of 1 - density in the shadow, at 1/step of the size. kind: "phone" (with the hands that hold it), "person"
    (head and shoulders, coming from the bottom), "edge" (a window frame or a shelf); at: its place in shares of the
    frame; turn: degrees; blur: share of the frame's diagonal."""
    w, h = camera.width // step, camera.height // step
    diagonal = math.hypot(w, h)
    a = math.radians(turn)
    R = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    ring = np.linspace(0, 2 * np.pi, 60)

    def ellipse(x, y, rx, ry):
        return np.stack([x + rx * np.cos(ring), y + ry * np.sin(ring)], 1)

    unit = {
        "phone": [
            np.array([[-0.085, -0.17], [0.085, -0.17], [0.085, 0.17], [-0.085, 0.17]]),
            ellipse(0.10, 0.08, 0.055, 0.10),
            ellipse(-0.095, 0.06, 0.03, 0.07),
            np.array([[0.04, 0.08], [0.16, 0.06], [0.42, 0.9], [0.10, 0.9]]),
        ],
        "person": [
            ellipse(0, 0, 0.12, 0.155),
            np.array([[-0.055, 0.1], [0.055, 0.1], [0.065, 0.25], [-0.065, 0.25]]),
            np.array(
                [
                    [-0.06, 0.18],
                    [0.06, 0.18],
                    [0.22, 0.24],
                    [0.30, 0.36],
                    [0.34, 1.2],
                    [-0.34, 1.2],
                    [-0.30, 0.36],
                    [-0.22, 0.24],
                ]
            ),
        ],
        "edge": [np.array([[-3, 0], [3, 0], [3, 3], [-3, 3]])],
    }[kind]
    place = np.array(at) * [w, h]
    mask = soft_mask((h, w), [p @ R * diagonal + place for p in unit], diagonal * blur)
    return 1 - mask[..., None] * F(density) * np.array([1.0, 0.97, 0.92], F)


def glare(camera, quad, spots=(), window=None, step=4):
    """Lamps and windows mirrored in gloss, to be added, relative to paper white, at 1/step of the size.

    spots: (u, v on the page, turn in degrees, long and short radius in shares of the page, strength);
    window: (u, v, wide, tall, strength).
    """
    w, h = camera.width // step, camera.height // step
    x, y = np.meshgrid(np.arange(w, dtype=F), np.arange(h, dtype=F))
    q = np.asarray(quad) / step
    size = math.sqrt(cv2.contourArea(q.astype(np.float32)))
    total = np.zeros((h, w), F)

    def on_page(u, v):
        return (q[0] * (1 - u) + q[1] * u) * (1 - v) + (q[3] * (1 - u) + q[2] * u) * v

    for u, v, turn, long, short, strength in spots:
        cx, cy = on_page(u, v)
        a = math.radians(turn)
        lx = (x - F(cx)) * F(math.cos(a)) + (y - F(cy)) * F(math.sin(a))
        ly = -(x - F(cx)) * F(math.sin(a)) + (y - F(cy)) * F(math.cos(a))
        r2 = (lx / F(size * long)) ** 2 + (ly / F(size * short)) ** 2
        total += F(strength) * np.exp(F(-0.5) * r2 ** F(1.5)) + F(strength * 0.12) * np.exp(F(-0.5 / 9) * r2)
    if window:
        u, v, wide, tall, strength = window
        cx, cy = on_page(u, v)
        ww, hh = wide * size, tall * size
        panes = [
            [
                [x0, y0],
                [x0 + ww * 0.46, y0 + ww * 0.03],
                [x0 + ww * 0.46, y0 + hh * 0.46 + ww * 0.03],
                [x0, y0 + hh * 0.46],
            ]
            for x0 in (cx - ww / 2, cx + ww * 0.04)
            for y0 in (cy - hh / 2, cy + hh * 0.04)
        ]
        total += soft_mask((h, w), panes, size * 0.008) * F(strength)
    return total
