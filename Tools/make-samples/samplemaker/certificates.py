"""Certificates on tinted A4 paper with an engraved border and a seal."""

import math

import numpy as np

from .drawing import PRINT, Page, font, rgb

DOTS_PER_MM = 300 / 25.4


def certificate(landscape, title, lines, name, date, issuer, signed, colours, paper, rng, typeface="garamond"):
    """A certificate. lines: (before the name, after it, what for, remark); colours: (main, second, seal)."""
    width, height = (297, 210) if landscape else (210, 297)
    page = Page(width, height, DOTS_PER_MM, paper)
    main, second, seal = [np.array(c, float) for c in colours]
    regular, bold = PRINT[typeface]
    _border(page, main, second)
    ink, room, middle = (52, 46, 44), width - 64, width / 2
    k, gap = (1.0, 1.0) if landscape else (0.88, 1.35)
    y = 42.0 if landscape else 58.0
    before, after, subject, remark = lines
    page.text(middle, y, title, page.fitted(bold, 14 * k, title, room), main, "mm")
    for text, size, path, colour, step in (
        (before, 6, regular, ink, 20),
        (name, 12, bold, main, 16),
        (after, 6, regular, ink, 19),
        (subject, 9.5, bold, ink, 14),
        (remark, 5.4, regular, ink, 14),
    ):
        y += step * gap
        x0, _, x1, y1 = page.text(middle, y, text, page.fitted(path, size * k, text, room), colour, "mm")
        if text == name:
            page.line(
                [(x0 / page.scale - 6, y1 / page.scale + 2.5), (x1 / page.scale + 6, y1 / page.scale + 2.5)],
                second,
                0.5,
            )
    foot = height - 46
    small, note = font(regular, page.px(4.8)), font(regular, page.px(3.8))
    page.text(38, foot + 2, date, small, ink)
    page.line([(36, foot + 9), (86, foot + 9)], (96, 88, 84), 0.3)
    page.text(38, foot + 11, "Date", note, (96, 88, 84))
    page.hand(width - 84, foot + 7, signed, "signature", 8.5, (28, 40, 110), rng)
    page.line([(width - 88, foot + 9), (width - 36, foot + 9)], (96, 88, 84), 0.3)
    page.text(width - 38, foot + 11, issuer, page.fitted(regular, 3.8, issuer, 50), (96, 88, 84), "ra")
    _seal(page, middle, foot + 3, 14, seal)
    return page


def _border(page, main, second):
    """Interlaced sine ribbons between two frames, as banknotes and diplomas have them."""
    width, height = page.mm
    page.box(7, 7, width - 7, height - 7, outline=main, width_mm=1.2)
    page.box(21, 21, width - 21, height - 21, outline=main, width_mm=0.6)
    near, right, low = 14, width - 14, height - 14
    for x0, y0, x1, y1 in (
        (near, near, right, near),
        (near, low, right, low),
        (near, near, near, low),
        (right, near, right, low),
    ):
        long = math.hypot(x1 - x0, y1 - y0)
        t = np.linspace(0, 1, int(long * 3))
        ux, uy, periods = (x1 - x0) / long, (y1 - y0) / long, max(3, round(long / 15))
        for j in range(5):
            off = (
                4.6 * np.sin(2 * np.pi * periods * t + j * np.pi / 5) * (0.75 + 0.25 * np.cos(4 * np.pi * periods * t))
            )
            page.line(
                list(zip(x0 + ux * long * t - uy * off, y0 + uy * long * t + ux * off)),
                second if j % 2 == 0 else main,
                0.3,
            )
    for x in (near, right):
        for y in (near, low):
            page.disc(x, y, 7, fill=second, outline=main, width_mm=0.7)
            for k in range(8):
                a = k * math.pi / 4
                page.line([(x, y), (x + 6 * math.cos(a), y + 6 * math.sin(a))], page.paper, 0.5)


def _seal(page, x, y, radius, colour):
    def polygon(points, fill):
        page.draw.polygon([(page.px(x + u * radius), page.px(y + v * radius)) for u, v in points], fill=rgb(fill))

    for side in (-1, 1):
        polygon([(side * 0.15, 0), (side * 0.75, 1.5), (side * 0.35, 1.38), (side * 0.05, 1.55)], 0.7 * colour)
    turn = np.linspace(0, 2 * np.pi, 193)
    edge = 1 + 0.07 * np.cos(24 * turn)
    polygon(zip(edge * np.cos(turn), edge * np.sin(turn)), colour)
    page.disc(x, y, radius * 0.8, outline=0.5 * colour + 120, width_mm=0.7)
    reach = [0.6 if i % 2 == 0 else 0.26 for i in range(10)]
    polygon(
        [(r * math.sin(i * math.pi / 5), -r * math.cos(i * math.pi / 5)) for i, r in enumerate(reach)],
        0.4 * colour + 150,
    )
