"""A4 invoices with positions that add up."""

from .drawing import PRINT, Page, font

DOTS_PER_MM = 300 / 25.4
VAT_RATE = 0.20
MARGIN = 18
TERMS = (
    "Payment is due within 30 days of the invoice date.",
    "Please quote the invoice number with your payment.",
    "Questions? Our accounts desk is happy to help.",
)


def invoice(firm, address, client, number, date, positions, brand, layout="bar", typeface="liberation"):
    """An invoice. client: lines of the address; positions: (text, count, price of one); brand: the firm's colour;
    layout: "bar", "badge" or "peaks", the letter head."""
    page = Page(210, 297, DOTS_PER_MM, (253, 253, 252))
    regular, bold = PRINT[typeface]
    ink = (35, 35, 38)
    small, strong = font(regular, page.px(3.5)), font(bold, page.px(3.5))
    right = 210 - MARGIN
    _head(page, layout, firm, address, brand, ink, regular, bold)
    y = 52.0
    page.text(MARGIN, y, "INVOICE", font(bold, page.px(8.5)), brand)
    for i, (label, value) in enumerate([("Invoice no.", number), ("Date", date), ("Due", "30 days")]):
        page.text(128, y + 6 * i, label, small, ink)
        page.text(right, y + 6 * i, value, small, ink, "ra")
    y += 19
    page.text(MARGIN, y, "Bill to", strong, brand)
    for i, text in enumerate(client):
        page.text(MARGIN, y + 6 + 5.5 * i, text, small, ink)
    y += 31

    row, columns = 9.0, (MARGIN + 2, 126, 152, right - 2)
    page.box(MARGIN, y, right, y + row, fill=brand)
    for x, label, anchor in zip(columns, ("Description", "Qty", "Price", "Amount"), ("lm", "rm", "rm", "rm")):
        page.text(x, y + row / 2, label, strong, (255, 255, 255), anchor)
    y += row
    total = 0.0
    for i, (text, count, price) in enumerate(positions):
        if i % 2:
            page.box(MARGIN, y, right, y + row, fill=[0.08 * c + 0.92 * 255 for c in brand])
        total += count * price
        for x, cell, anchor in zip(
            columns, (text, str(count), f"{price:,.2f}", f"{count * price:,.2f}"), ("lm", "rm", "rm", "rm")
        ):
            page.text(x, y + row / 2, cell, small, ink, anchor)
        y += row
        page.line([(MARGIN, y), (right, y)], (170, 170, 175), 0.2)
    y += 5
    for label, value in (("Subtotal", total), ("VAT 20%", total * VAT_RATE)):
        page.text(130, y, label, small, ink)
        page.text(columns[3], y, f"{value:,.2f}", small, ink, "ra")
        y += 7
    page.box(124, y - 1, right, y + 9, fill=[0.18 * c + 0.82 * 255 for c in brand])
    page.text(130, y + 4, "Total due", font(bold, page.px(4.6)), (30, 30, 34), "lm")
    page.text(columns[3], y + 4, f"{total * (1 + VAT_RATE):,.2f}", font(bold, page.px(4.6)), (30, 30, 34), "rm")
    y += 22
    for text in TERMS:
        page.text(MARGIN, y, text, font(regular, page.px(3.2)), ink)
        y += 6
    page.line([(MARGIN, 279), (right, 279)], brand, 0.3)
    page.text(
        105, 285, f"{firm}  -  {address}  -  Account 00 4417 2098", font(regular, page.px(2.9)), (105, 105, 110), "mm"
    )
    return page


def _head(page, layout, firm, address, brand, ink, regular, bold):
    small = font(regular, page.px(3.5))
    right = 210 - MARGIN
    if layout == "bar":
        page.box(0, 0, 210, 30, fill=brand)
        page.text(MARGIN, 15, firm, font(bold, page.px(8)), (255, 255, 255), "lm")
        page.text(right, 15, address, small, (255, 255, 255), "rm")
    elif layout == "badge":
        page.box(MARGIN, 15, MARGIN + 24, 39, fill=brand, radius_mm=3)
        page.disc(MARGIN + 12, 27, 7, fill=(255, 255, 255))
        page.disc(MARGIN + 12, 27, 3, fill=brand)
        page.text(MARGIN + 29, 23, firm, font(bold, page.px(7)), brand, "lm")
        page.text(MARGIN + 29, 32, address, small, ink, "lm")
    else:
        for x0, x1, x2, peak, share in ((0, 14, 28, 14, 1.0), (16, 24, 32, 24, 0.55)):
            colour = [share * c + (1 - share) * 200 for c in brand]
            points = [(MARGIN + x0, 38), (MARGIN + x1, peak), (MARGIN + x2, 38)]
            page.draw.polygon([(page.px(x), page.px(y)) for x, y in points], fill=tuple(int(c) for c in colour))
        page.text(right, 21, firm, font(bold, page.px(6.2)), ink, "rm")
        page.text(right, 29, address, small, ink, "rm")
