"""Handwritten notes on ruled, squared or yellow paper, with a sketch where there is one."""

import numpy as np

from .drawing import HAND, Page, font

DOTS_PER_MM = 300 / 25.4
INKS = {"blue": (28, 50, 140), "navy": (20, 34, 96), "black": (40, 40, 44), "pencil": (150, 149, 148)}
PAPERS = {"white": (252, 252, 250), "cream": (250, 247, 236), "yellow": (252, 244, 188)}


def note(size_mm, paper, ruling, title, body, ink, hand, rng, mark="-", ticked=(), sketch=None, step=8.4, margin=22):
    """A note.

    body: lines, an empty one leaves a gap; mark: "-", "box" or "" before each line; ticked: numbers of the ticked
    lines; sketch: a function that draws into (page, y, colour, rng) below the text; step: mm from line to line.
    """
    page = Page(*size_mm, DOTS_PER_MM, PAPERS[paper])
    width, height = page.mm
    colour = INKS[ink]
    top = 24.0
    _rule(page, ruling, top, step, margin - 4, paper)
    size = step * 0.74
    y = top + step
    end = page.hand(margin, y - 0.18 * step, title, hand, size * 1.2, colour, rng)
    page.stroke([(margin, y + 0.7), (end + 2, y + 0.5)], colour, 0.45, rng)
    y += 2 * step
    for number, text in enumerate(body):
        if text:
            x = margin
            base = y - 0.18 * step
            if mark == "box":
                side = size * 0.5
                page.stroke(
                    [(x, base - side), (x + side, base - side), (x + side, base), (x, base)],
                    colour,
                    0.4,
                    rng,
                    True,
                    0.5,
                )
                if number in ticked:
                    page.stroke(
                        [
                            (x + side * 0.15, base - side * 0.5),
                            (x + side * 0.45, base - side * 0.1),
                            (x + side * 1.3, base - side * 1.25),
                        ],
                        (190, 40, 40),
                        0.55,
                        rng,
                        shake=0.4,
                    )
                x += size * 0.9
            elif mark:
                text = f"{mark} {text}"
            path, factor = HAND[hand]
            room = page.px(width - 6 - x) / (font(path, page.px(size * factor)).getlength(text) * 1.12)
            page.hand(x, base, text, hand, size * min(1.0, room), colour, rng)
        y += step
    if sketch:
        sketch(page, y + 0.4 * step, colour, hand, rng)
    return page


def _rule(page, ruling, top, step, margin, paper):
    width, height = page.mm
    line = (168, 190, 200) if paper == "yellow" else (176, 200, 224)
    if ruling == "ruled":
        for y in np.arange(top, height - 5, step):
            page.line([(0, y), (width, y)], line, 0.25)
        page.line([(margin, 0), (margin, height)], (228, 150, 150), 0.25)
    elif ruling == "squared":
        light = [min(255, c + 22) for c in line]
        for y in np.arange(top % 5, height, 5.0):
            page.line([(0, y), (width, y)], light, 0.18)
        for x in np.arange(2.0, width, 5.0):
            page.line([(x, 0), (x, height)], light, 0.18)


def garden_sketch(page, y, colour, hand, rng):
    """Beds seen from above, with a path, a tree and a fence."""
    x0, x1, y1 = 22.0, page.mm[0] - 14, page.mm[1] - 14
    pen = 0.45
    page.stroke([(x0, y), (x1, y), (x1, y1), (x0, y1)], colour, pen, rng, closed=True)
    for x in np.arange(x0 + 3, x1, 5):
        page.stroke([(x, y - 1.5), (x, y + 1.5)], colour, pen * 0.8, rng, shake=0.3)
    third, tall = (x1 - x0) / 3, y1 - y
    for column, label in enumerate(("beans", "garlic")):
        left = x0 + 5 + column * (third + 1)
        page.stroke(
            [(left, y + 6), (left + third - 7, y + 6), (left + third - 7, y + tall * 0.56), (left, y + tall * 0.56)],
            colour,
            pen,
            rng,
            closed=True,
        )
        for row in np.arange(y + 10, y + tall * 0.40, 5):
            across = np.linspace(left + 3, left + third - 10, 9)
            page.stroke([(x, row + (-1) ** i) for i, x in enumerate(across)], colour, pen * 0.8, rng, shake=0.4)
        page.hand(left + 4, y + tall * 0.52, label, hand, 5.0, colour, rng)
    cx, cy = x1 - third * 0.45, y + tall * 0.34
    turn = np.linspace(0, 2 * np.pi, 60)
    page.stroke(
        np.stack(
            [cx + (11 + 1.6 * np.sin(7 * turn)) * np.cos(turn), cy + (11 + 1.6 * np.sin(7 * turn)) * np.sin(turn)], 1
        ),
        colour,
        pen,
        rng,
    )
    page.stroke([(cx - 1, cy), (cx + 1, cy + 1)], colour, 1.1, rng)
    page.hand(cx - 10, cy + 19, "plum tree", hand, 4.6, colour, rng)
    across = np.linspace(x0 + 3, x1 - 3, 40)
    for shift in (0.68, 0.80):
        page.stroke([(x, y + tall * shift + 1.6 * np.sin(x / 9)) for x in across], colour, pen, rng)
    page.hand((x0 + x1) / 2 - 14, y + tall * 0.775, "path, 60 cm", hand, 4.4, colour, rng)
    page.hand(x0 + 5, y + tall * 0.94, "compost: move it here!", hand, 4.6, (190, 40, 40), rng)


def shelf_sketch(page, y, colour, hand, rng):
    """A shelf in front view with its measures."""
    x0, x1, y1 = 34.0, page.mm[0] - 24, page.mm[1] - 26
    pen = 0.45
    page.stroke([(x0, y), (x1, y), (x1, y1), (x0, y1)], colour, pen, rng, closed=True)
    for share in (0.33, 0.66):
        level = y + (y1 - y) * share
        page.stroke([(x0, level), (x1, level)], colour, pen, rng)
    for i, tall in enumerate((11, 13, 12, 9, 14, 12)):
        left, level = x0 + 4 + i * 4.6, y + (y1 - y) * 0.33
        tall = min(tall, level - y - 2)
        page.stroke(
            [(left, level), (left, level - tall), (left + 4, level - tall), (left + 4, level)],
            colour,
            pen * 0.8,
            rng,
            shake=0.4,
        )
    page.arrow(((x0 + x1) / 2, y1 + 7), (x1, y1 + 7), colour, pen, rng, 3)
    page.arrow(((x0 + x1) / 2, y1 + 7), (x0, y1 + 7), colour, pen, rng, 3)
    page.hand((x0 + x1) / 2 - 8, y1 + 14, "84 cm", hand, 5.5, colour, rng)
    page.arrow((x0 - 7, (y + y1) / 2), (x0 - 7, y), colour, pen, rng, 3)
    page.arrow((x0 - 7, (y + y1) / 2), (x0 - 7, y1), colour, pen, rng, 3)
    page.hand(x0 - 22, (y + y1) / 2 - 1, "120", hand, 5.5, colour, rng)
