"""Till receipts on thermal paper, 80 mm wide and as long as they need to be."""

import numpy as np

from .drawing import MONO, Page, font

DOTS_PER_MM = 300 / 25.4
VAT_RATE = 0.20


def receipt(shop, lines, items, paid_by, thanks, when, rng, typeface="dejavu", columns=36, fade=None):
    """A receipt.

    shop: its name; lines: what stands under it; items: (name, count, price of one); paid_by: "card" or "cash";
    thanks: closing lines; when: (date, time). fade: None for fresh black print, or (first, last) for print that has
    faded, from one share of the paper's brightness at the top to another at the bottom.
    """
    paper = (246, 246, 244)
    path = MONO[typeface]
    size = 70 / columns / (font(path, 100).getlength("0") / 100)  # mm: the columns fill 70 of the 80 mm
    pitch = size * 1.27

    total = round(sum(count * price for _, count, price in items), 2)
    rows = [(shop, "head")] + [(text, "middle") for text in lines] + [("", "gap")]
    rows += [(when, "row"), (("Till 3", f"Receipt {rng.integers(10000, 99999)}"), "row"), ("", "rule")]
    for name, count, price in items:
        label = name if count == 1 else f"{count} x {name}"
        rows.append(((label[: columns - 9], f"{count * price:.2f}"), "row"))
    rows += [
        ("", "rule"),
        (("Subtotal", f"{total:.2f}"), "row"),
        (("incl. VAT 20%", f"{total * VAT_RATE / (1 + VAT_RATE):.2f}"), "row"),
        (("TOTAL", f"{total:.2f}"), "total"),
    ]
    if paid_by == "card":
        rows += [
            (("Card payment", f"{total:.2f}"), "row"),
            ("Card ending " + f"{rng.integers(1000, 9999)}", "left"),
        ]
    else:
        given = float(np.ceil(total / 10) * 10)
        rows += [(("Cash", f"{given:.2f}"), "row"), (("Change", f"{given - total:.2f}"), "row")]
    rows += [("", "gap")] + [(text, "middle") for text in thanks] + [("", "bars")]

    heights = {"head": 1.9, "total": 1.5, "rule": 0.8, "bars": 4.0}
    top, bottom = 8.0, 12.0
    height = top + bottom + pitch * sum(heights.get(style, 1.0) for _, style in rows)
    page = Page(80, round(height, 1), DOTS_PER_MM, paper)
    shares = np.linspace(*fade, len(rows)) if fade else np.full(len(rows), 0.2)
    body = font(path, page.px(size))
    y = top
    for (text, style), share in zip(rows, shares):
        colour = [c * share for c in paper]
        tall = pitch * heights.get(style, 1.0)
        if style == "rule":
            for x in np.arange(5, 75, size * 0.55):
                page.line([(x, y + tall / 2), (x + size * 0.3, y + tall / 2)], colour, 0.22)
        elif style == "bars":
            _bars(page, y + pitch * 0.5, tall - pitch * 0.7, colour, rng)
        elif style in ("head", "middle"):
            big = page.fitted(path, size * (1.45 if style == "head" else 1.0), text, 70)
            page.text(40, y, text, big, colour, "ma")
        elif style == "left":
            page.text(5, y, text, body, colour)
        elif style in ("row", "total"):
            face = body if style == "row" else font(path, page.px(size * 1.35))
            page.text(5, y, text[0], face, colour)
            page.text(75, y, text[1], face, colour, "ra")
        y += tall
    return page


def _bars(page, y, height, colour, rng):
    """A bar code's bars (of no real code)."""
    x = 16.0
    while x < 64:
        width = 0.25 * int(rng.choice([1, 1, 2, 3]))
        page.box(x, y, min(x + width, 64), y + height, fill=colour, width_mm=0.01)
        x += width + 0.25 * int(rng.choice([1, 1, 2]))
