"""Business cards, 85 x 55 mm."""

from .drawing import PRINT, Page, font

DOTS_PER_MM = 600 / 25.4


def card(firm, tagline, name, role, details, brand, layout, typeface="liberation", paper=(251, 251, 250)):
    """A card. details: lines for reaching the person; layout: "side", "foot" or "frame", where the colour goes."""
    page = Page(85, 55, DOTS_PER_MM, paper)
    regular, bold = PRINT[typeface]
    ink, white = (44, 44, 48), (255, 255, 255)
    small = font(regular, page.px(2.8))
    if layout == "side":
        page.box(0, 0, 20, 55, fill=brand)
        for i in range(3):
            page.disc(10, 14, 6.5 - 1.9 * i, outline=white, width_mm=0.6)
        page.text(25, 7.5, firm, page.fitted(bold, 5.2, firm, 55), brand)
        page.text(25, 14.5, tagline, small, ink)
        page.text(25, 23, name, font(bold, page.px(4.0)), ink)
        page.text(25, 28.2, role, small, ink)
        for i, text in enumerate(details):
            page.text(25, 35.5 + 4.4 * i, text, small, ink)
    elif layout == "foot":
        page.box(0, 37, 85, 55, fill=brand)
        page.draw.polygon([(page.px(x), page.px(y)) for x, y in ((8, 20), (15, 8), (22, 20))], fill=tuple(brand))
        page.text(27, 8, firm, page.fitted(bold, 5.4, firm, 52), ink)
        page.text(27, 15.5, tagline, small, ink)
        page.text(8, 25, name, font(bold, page.px(4.0)), ink)
        page.text(8, 30.3, role, small, ink)
        for i, text in enumerate(details):
            x, anchor = ((8, "la"), (77, "ra"))[i % 2]
            page.text(x, 41 + 6 * (i // 2), text, page.fitted(regular, 2.8, text, 33), white, anchor)
    else:
        page.box(3.5, 3.5, 81.5, 51.5, outline=brand, width_mm=0.5)
        page.text(42.5, 11.5, firm, page.fitted(bold, 5.6, firm, 66), brand, "mm")
        page.text(42.5, 17.5, tagline, small, ink, "mm")
        page.line([(28, 21.5), (57, 21.5)], brand, 0.35)
        page.text(42.5, 26.5, name, font(bold, page.px(4.0)), ink, "mm")
        page.text(42.5, 31, role, small, ink, "mm")
        for i, text in enumerate(details):
            page.text(42.5, 37 + 4.4 * i, text, small, ink, "mm")
    return page
