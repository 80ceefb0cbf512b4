"""Whiteboards: a title, a list and a drawing in dry-erase marker."""

import numpy as np

from .drawing import HAND, Page, font

INKS = {
    "blue": (24, 64, 168),
    "red": (204, 36, 40),
    "green": (16, 132, 70),
    "black": (34, 34, 38),
    "purple": (120, 44, 150),
    "orange": (226, 108, 20),
}
LONG_SIDE_PX = 3200


def whiteboard(size_mm, title, items, colours, hand, drawing, rng):
    """A board. colours: names of INKS for (title, list, drawing); drawing: a function of (page, box, inks, hand, rng),
    box being (x0, y0, x1, y1) in mm."""
    width, height = size_mm
    page = Page(width, height, LONG_SIDE_PX / width, (246, 248, 248))
    inks = [INKS[c] for c in colours]
    pen = 5.5  # mm, a marker's line
    for _ in range(5):  # smears that wiping left
        x, y = rng.uniform(0.05, 0.8) * width, rng.uniform(0.15, 0.9) * height
        across = np.linspace(0, rng.uniform(0.08, 0.2) * width, 20)
        page.stroke(np.stack([x + across, y + 12 * np.sin(across / 40)], 1), [c - 4 for c in page.paper], 34, rng)
    size = height * 0.088
    end = page.hand(0.05 * width, 0.15 * height, title, hand, size * 1.2, inks[0], rng)
    page.stroke(
        [(0.05 * width, 0.185 * height), (0.03 * width + end / 2, 0.192 * height), (end + 12, 0.182 * height)],
        inks[0],
        pen,
        rng,
    )
    y, reach = 0.31 * height, 0.0
    step = min(0.125, 0.62 / len(items)) * height
    for text in items:
        page.disc(0.056 * width, y - 0.24 * size, size * 0.1, fill=inks[1])
        reach = max(reach, page.hand(0.076 * width, y, text, hand, size * 0.8, inks[1], rng))
        y += step
    left = max(reach + 0.05 * width, 0.52 * width)
    drawing(page, (left, 0.16 * height, 0.95 * width, 0.88 * height), inks, hand, rng)
    return page


def _centred(page, x, y, text, hand, size, room, colour, rng):
    """Handwriting about a point, smaller where it would be wider than `room`."""
    path, factor = HAND[hand]
    wide = font(path, page.px(size * factor)).getlength(text) / page.scale
    size, wide = size * min(1, room / wide), min(wide, room)
    page.hand(x - wide / 2, y + 0.3 * size, text, hand, size, colour, rng, 0.6)


def flow(page, box, inks, hand, rng):
    """Three boxes with arrows."""
    x0, y0, x1, y1 = box
    wide, tall, pen = (x1 - x0) * 0.5, (y1 - y0) * 0.2, 5.5
    centres = [
        (x0 + wide * 0.5, y0 + tall * 0.6),
        (x1 - wide * 0.5, (y0 + y1) / 2),
        (x0 + wide * 0.55, y1 - tall * 0.6),
    ]
    for i, ((x, y), label) in enumerate(zip(centres, ("sketch", "try it out", "print"))):
        page.stroke(
            [
                (x - wide / 2, y - tall / 2),
                (x + wide / 2, y - tall / 2),
                (x + wide / 2, y + tall / 2),
                (x - wide / 2, y + tall / 2),
            ],
            inks[i],
            pen,
            rng,
            closed=True,
        )
        _centred(page, x, y, label, hand, tall * 0.42, wide * 0.84, inks[2], rng)
    for (ax, ay), (bx, by) in zip(centres, centres[1:]):
        page.arrow((ax, ay + tall * 0.65), (bx, by - tall * 0.65), inks[2], pen, rng, 30)


def bars(page, box, inks, hand, rng):
    """A bar chart with hatched bars."""
    x0, y0, x1, y1 = box
    pen, black = 5.5, INKS["black"]
    page.stroke([(x0, y0), (x0, y1 - 40), (x1, y1 - 40)], black, pen, rng)
    base, slot = y1 - 44, (x1 - x0) / 4.4
    for i, (share, label) in enumerate(((0.35, "Mar"), (0.55, "Apr"), (0.5, "May"), (0.86, "Jun"))):
        left, top = x0 + slot * (i + 0.3), base - (base - y0) * share
        right, colour = left + slot * 0.62, inks[i % 3]
        page.stroke([(left, base), (left, top), (right, top), (right, base)], colour, pen, rng)
        for y in np.arange(base - 8, top + 22, -24):
            page.stroke([(left + 5, y), (right - 5, y - 16)], colour, 4, rng)
        _centred(page, (left + right) / 2, y1 - 8, label, hand, 46, slot * 0.8, black, rng)


def mind_map(page, box, inks, hand, rng):
    """A round centre with four ideas about it."""
    x0, y0, x1, y1 = box
    y0 += 0.09 * (y1 - y0)  # clear of a long title
    cx, cy, pen = (x0 + x1) / 2, (y0 + y1) / 2, 5.5
    turn = np.linspace(0, 2 * np.pi + 0.15, 70)
    page.stroke(np.stack([cx + 120 * np.cos(turn), cy + 74 * np.sin(turn)], 1), inks[0], pen, rng)
    _centred(page, cx, cy, "Fair", hand, 70, 150, inks[0], rng)
    rx, ry = (x1 - x0) / 2 - 96, (y1 - y0) / 2 - 52
    for i, (sx, sy, label) in enumerate(((-1, -1, "music"), (1, -1, "cake"), (1, 1, "games"), (-1, 1, "books"))):
        x, y, colour = cx + sx * rx, cy + sy * ry, inks[1 + i % 2]
        page.stroke([(cx + sx * 92, cy + sy * 58), (x - sx * 62, y - sy * 38)], inks[0], pen, rng)
        page.stroke(np.stack([x + 98 * np.cos(turn), y + 48 * np.sin(turn)], 1), colour, pen, rng)
        _centred(page, x, y, label, hand, 52, 150, colour, rng)
