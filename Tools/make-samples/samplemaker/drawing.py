"""A flat sheet of paper to draw on: print, handwriting, marker strokes."""

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

_TRUETYPE, _OPENTYPE = "/usr/share/fonts/truetype/", "/usr/share/fonts/opentype/"

# Name -> file. Print fonts come as (regular, bold).
MONO = {
    "dejavu": _TRUETYPE + "dejavu/DejaVuSansMono.ttf",
    "liberation": _TRUETYPE + "liberation/LiberationMono-Regular.ttf",
    "inconsolata": _TRUETYPE + "inconsolata/Inconsolata.otf",
}
PRINT = {
    "liberation": (
        _TRUETYPE + "liberation/LiberationSans-Regular.ttf",
        _TRUETYPE + "liberation/LiberationSans-Bold.ttf",
    ),
    "noto": (_TRUETYPE + "noto/NotoSans-Regular.ttf", _TRUETYPE + "noto/NotoSans-Bold.ttf"),
    "gothic": (_OPENTYPE + "urw-base35/URWGothic-Book.otf", _OPENTYPE + "urw-base35/URWGothic-Demi.otf"),
    "nimbus": (_OPENTYPE + "urw-base35/NimbusSans-Regular.otf", _OPENTYPE + "urw-base35/NimbusSans-Bold.otf"),
    "garamond": (_OPENTYPE + "ebgaramond/EBGaramond12-Regular.otf", _OPENTYPE + "ebgaramond/EBGaramond12-Bold.otf"),
    "palladio": (_OPENTYPE + "urw-base35/P052-Roman.otf", _OPENTYPE + "urw-base35/P052-Bold.otf"),
    "schoolbook": (_OPENTYPE + "urw-base35/C059-Roman.otf", _OPENTYPE + "urw-base35/C059-Bold.otf"),
}
# Name -> (file, size that makes it look as large as the others)
HAND = {
    "rufscript": (_TRUETYPE + "rufscript/Rufscript010.ttf", 1.0),
    "yusei": (_TRUETYPE + "yusei-magic/YuseiMagic-Regular.ttf", 0.92),
    "capitals": (_TRUETYPE + "humor-sans/Humor-Sans.ttf", 0.9),
    "because": (_OPENTYPE + "bwht/BecauseWeOrganize-Regular.otf", 0.95),
    "connect": (_OPENTYPE + "bwht/BecauseWeLearn-Regular.otf", 0.95),
    "signature": (_OPENTYPE + "urw-base35/Z003-MediumItalic.otf", 1.2),
}


@lru_cache(maxsize=256)
def font(path, px):
    """The font file at a size in pixels."""
    return ImageFont.truetype(path, max(6, int(round(px))))


def rgb(colour):
    """A colour of any number type as Pillow wants it."""
    return tuple(int(np.clip(c, 0, 255)) for c in colour)


class Page:
    """One side of a sheet: `mm` is its size in millimetres, `scale` its pixels per millimetre."""

    def __init__(self, width_mm, height_mm, scale, paper):
        self.mm, self.scale, self.paper = (float(width_mm), float(height_mm)), scale, tuple(paper)
        self.size = (int(round(width_mm * scale)), int(round(height_mm * scale)))
        self.image = Image.new("RGB", self.size, self.paper)
        self.draw = ImageDraw.Draw(self.image)

    def px(self, mm):
        """Millimetres in pixels."""
        return mm * self.scale

    def text(self, x, y, text, typeface, colour, anchor="la"):
        """Printed text at millimetres x, y; returns its box in pixels."""
        at = (self.px(x), self.px(y))
        self.draw.text(at, text, font=typeface, fill=rgb(colour), anchor=anchor)
        return self.draw.textbbox(at, text, font=typeface, anchor=anchor)

    def fitted(self, path, size_mm, text, width_mm):
        """The font at size_mm, or smaller where the text would be wider than width_mm."""
        wide = font(path, self.px(size_mm)).getlength(text)
        return font(path, self.px(size_mm) * min(1.0, self.px(width_mm) / wide))

    def line(self, points_mm, colour, width_mm):
        """A straight-edged line through points in millimetres."""
        self.draw.line(
            [(self.px(x), self.px(y)) for x, y in points_mm],
            fill=rgb(colour),
            width=max(1, int(round(self.px(width_mm)))),
            joint="curve",
        )

    def box(self, x0, y0, x1, y1, fill=None, outline=None, width_mm=0.3, radius_mm=0.0):
        """A rectangle given in millimetres, its corners rounded if asked."""
        self.draw.rounded_rectangle(
            [self.px(x0), self.px(y0), self.px(x1), self.px(y1)],
            self.px(radius_mm),
            fill=rgb(fill) if fill is not None else None,
            outline=rgb(outline) if outline is not None else None,
            width=max(1, int(round(self.px(width_mm)))),
        )

    def disc(self, x, y, radius, fill=None, outline=None, width_mm=0.3):
        """A circle given in millimetres."""
        self.draw.ellipse(
            [self.px(x - radius), self.px(y - radius), self.px(x + radius), self.px(y + radius)],
            fill=rgb(fill) if fill is not None else None,
            outline=rgb(outline) if outline is not None else None,
            width=max(1, int(round(self.px(width_mm)))),
        )

    def hand(self, x, y, text, hand, size_mm, colour, rng, jitter=1.0):
        """A handwritten line from x along the baseline y (mm): each word a little turned, shifted, scaled and pressed
        differently. Returns the x where it ends, in mm."""
        path, factor = HAND[hand]
        size = self.px(size_mm * factor)
        left, base = self.px(x), self.px(y)
        slope, at = rng.normal(0, 0.004) * jitter, left
        for word in text.split(" "):
            typeface = font(path, size * (1 + rng.normal(0, 0.025) * jitter))
            x0, y0, x1, y1 = typeface.getbbox(word, anchor="ls")
            pad = int(size * 0.25)
            mask = Image.new("L", (x1 - x0 + 2 * pad, y1 - y0 + 2 * pad), 0)
            ImageDraw.Draw(mask).text((pad - x0, pad - y0), word, font=typeface, fill=255, anchor="ls")
            mask = mask.rotate(rng.normal(0, 0.8) * jitter, Image.Resampling.BICUBIC)
            pressure = rng.uniform(0.84, 1.0)
            mask = mask.point(lambda v, k=pressure: int(v * k))
            lift = rng.normal(0, 0.02) * size * jitter + slope * (at - left)
            self.image.paste(rgb(colour), (int(round(at + x0 - pad)), int(round(base + y0 - pad + lift))), mask)
            at += typeface.getlength(word) + size * (0.30 + rng.normal(0, 0.02) * jitter)
        return (at - 0.3 * size) / self.scale

    def stroke(self, points_mm, colour, width_mm, rng, closed=False, shake=1.0):
        """A pen or marker stroke through points in millimetres, smooth and a little shaky."""
        points = np.array(points_mm, float) * self.scale
        width = self.px(width_mm)
        if closed:
            points = np.vstack([points, points[:1] + rng.normal(0, width * 0.5, (1, 2))])
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        count = max(8, int(along[-1] / max(4.0, 2 * width)))
        at = np.linspace(0, along[-1], count)
        path = np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], 1)
        amount = min(width * 0.55, 6) * 1.6 * shake
        kernel = np.ones(9) / 9
        path += np.stack([np.convolve(rng.normal(0, amount, count + 8), kernel, "valid") for _ in range(2)], 1)
        self.draw.line([tuple(p) for p in path], fill=rgb(colour), width=max(1, int(round(width))), joint="curve")
        for x, y in path:
            r = width / 2
            self.draw.ellipse([x - r, y - r, x + r, y + r], fill=rgb(colour))

    def arrow(self, start, end, colour, width_mm, rng, head_mm):
        """A drawn arrow from start to end (mm)."""
        (x0, y0), (x1, y1) = start, end
        self.stroke([start, ((x0 + x1) / 2 + head_mm * 0.3, (y0 + y1) / 2 - head_mm * 0.2), end], colour, width_mm, rng)
        angle = np.arctan2(y1 - y0, x1 - x0)
        for turn in (2.6, -2.6):
            tip = (x1 + head_mm * np.cos(angle + turn), y1 + head_mm * np.sin(angle + turn))
            self.stroke([end, tip], colour, width_mm, rng)
