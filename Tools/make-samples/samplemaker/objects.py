"""What lies about: boxes with a drawn top, and cups."""

import math

import cv2
import numpy as np

from .drawing import PRINT, Page, font
from .materials import F, linear, linear_picture
from .painting import fill_polygon, warp_picture


class Thing:
    """A flat-topped box on the plane: size in mm, a top picture (linear light, alpha or none) and a side colour."""

    def __init__(self, width, depth, height, top, alpha=None, side=(60, 60, 60), rounded=0.0):
        self.width, self.depth, self.height = width, depth, height
        self.top, self.alpha, self.side, self.rounded = top, alpha, linear(side), rounded
        self.x = self.y = self.turn = 0.0

    def put(self, x, y, degrees):
        """Lays it with its centre at x, y (mm), turned clockwise by degrees."""
        self.x, self.y, self.turn = x, y, math.radians(degrees)
        return self

    def _world(self, points):
        c, s = math.cos(self.turn), math.sin(self.turn)
        return points @ np.array([[c, s], [-s, c]]) + [self.x, self.y]

    def corners(self):
        """The four corners on the plane, as the top picture has them."""
        w, d = self.width / 2, self.depth / 2
        return self._world(np.array([[-w, -d], [w, -d], [w, d], [-w, d]]))

    def outline(self, steps=8):
        """The outline on the plane, corners rounded."""
        r = min(self.rounded, self.width / 2, self.depth / 2)
        if r <= 0:
            return self.corners()
        w, d = self.width / 2 - r, self.depth / 2 - r
        points = [
            (cx + r * math.cos(a), cy + r * math.sin(a))
            for cx, cy, start in ((w, -d, -90), (w, d, 0), (-w, d, 90), (-w, -d, 180))
            for a in np.radians(np.linspace(start, start + 90, steps))
        ]
        return self._world(np.array(points))

    def shadow(self, light):
        """The shadow's outline on the plane; light: where a point's shadow falls, mm per mm of height."""
        o = self.outline()
        return cv2.convexHull(np.vstack([o, o + self.height * np.asarray(light)]).astype(np.float32))[:, 0]

    def paint(self, photo, camera, light):
        """Paints sides and top into a photo in linear light, in place."""
        o = self.outline()
        if self.height > 0.5:
            base, top = (camera.project(np.hstack([o, np.full((len(o), 1), -z)])) for z in (0.0, self.height))
            toward = np.asarray(light) / (np.hypot(*light) + 1e-6)
            n = len(o)
            for i in sorted(range(n), key=lambda i: -np.linalg.norm(camera.centre[:2] - (o[i] + o[(i + 1) % n]) / 2)):
                j = (i + 1) % n
                normal = (o[i] + o[j]) / 2 - o.mean(0)
                normal = normal / (np.linalg.norm(normal) + 1e-6)
                fill_polygon(
                    photo,
                    np.array([base[i], base[j], top[j], top[i]]),
                    self.side * (0.55 - 0.3 * float(normal @ toward)),
                )
        q = camera.project(np.hstack([self.corners(), np.full((4, 1), -self.height)]))
        tall, wide = self.top.shape[:2]
        H = cv2.getPerspectiveTransform(
            np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32), q.astype(np.float32)
        )
        warp_picture(photo, self.top, self.alpha, H, q)


class Cup(Thing):
    """A cup of coffee seen from above, with a handle."""

    def __init__(self, china=(236, 234, 228), drink=(70, 42, 24)):
        super().__init__(80, 80, 78, None, rounded=40)
        self.china, self.drink = linear(china), linear(drink)

    def paint(self, photo, camera, light):
        o = self.outline(20)
        middle, n = o.mean(0), len(o)
        toward = np.asarray(light) / (np.hypot(*light) + 1e-6)

        def ring(share, z, shift=(0, 0)):
            return camera.project(np.hstack([middle + np.array(shift) + (o - middle) * share, np.full((n, 1), -z)]))

        c, s = math.cos(self.turn), math.sin(self.turn)
        handle = np.array([[36, -5], [62, -5], [66, 0], [62, 5], [36, 5]]) @ np.array([[c, s], [-s, c]]) + middle
        for z, k in ((34, 0.45), (46, 0.6), (58, 0.8)):
            fill_polygon(photo, camera.project(np.hstack([handle, np.full((5, 1), -z)])), self.china * k)
        base, top = ring(0.8, 0), ring(1.0, self.height)
        hull = cv2.convexHull(np.vstack([base, top]).astype(np.float32))[:, 0]
        fill_polygon(photo, hull, self.china * 0.6)
        for i in range(n):
            j = (i + 1) % n
            normal = (o[i] + o[j]) / 2 - middle
            normal /= np.linalg.norm(normal) + 1e-6
            if float(normal @ (camera.centre[:2] - o[i])) > 0:
                fill_polygon(
                    photo,
                    np.array([base[i], base[j], top[j], top[i]]),
                    self.china * (0.6 - 0.34 * float(normal @ toward)),
                )
        fill_polygon(photo, top, self.china * 0.95)
        fill_polygon(photo, ring(0.93, self.height - 3), self.china * 0.5)
        fill_polygon(photo, ring(0.90, self.height - 14), self.drink * 1.5)
        fill_polygon(photo, ring(0.87, self.height - 14), self.drink)
        fill_polygon(photo, ring(0.25, self.height - 14, -14 * toward), self.drink * 1.25)


def _canvas(width, depth, k, colour):
    return np.full((int(depth * k), int(width * k), 3), colour, np.uint8)


def _rounded(width, depth, r):
    a = np.zeros((depth, width), np.uint8)
    cv2.rectangle(a, (r, 0), (width - r - 1, depth - 1), 255, -1)
    cv2.rectangle(a, (0, r), (width - 1, depth - r - 1), 255, -1)
    for c in ((r, r), (width - r - 1, r), (r, depth - r - 1), (width - r - 1, depth - r - 1)):
        cv2.circle(a, c, r, 255, -1, cv2.LINE_AA)
    return a.astype(F) / 255


def phone(rng):
    """A phone, its screen dark with a faint reflection."""
    k, w, d = 6, 72, 150
    t = _canvas(w, d, k, (22, 22, 24))
    cv2.rectangle(t, (3 * k, 4 * k), ((w - 3) * k, (d - 4) * k), (9, 10, 12), -1)
    cv2.fillPoly(
        t, [np.array([[3 * k, 60 * k], [(w - 3) * k, 20 * k], [(w - 3) * k, 46 * k], [3 * k, 92 * k]])], (20, 22, 26)
    )
    cv2.circle(t, (w * k // 2, 9 * k), 2 * k, (2, 2, 3), -1, cv2.LINE_AA)
    return Thing(w, d, 8, linear_picture(t), _rounded(w * k, d * k, 9 * k), (40, 41, 44), 9)


def keyboard(rng):
    """A small keyboard, dark keys."""
    k, w, d = 5, 300, 124
    t = _canvas(w, d, k, (178, 180, 184))
    rows = ("1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./", "")
    for r, letters in enumerate(rows):
        y, x, i = 10 + 21 * r, 8.0, -1
        while x < w - 12:
            wide = 18.0
            if i < 0 or i >= len(letters):
                wide = (18, 27, 33, 42, 18)[r] if i < 0 else min(w - 8 - x, 40)
            if not letters and 3 <= i + 1 <= 3:
                wide = 110.0
            wide = min(wide, w - 8 - x)
            cv2.rectangle(
                t, (int((x + 1) * k), int(y * k)), (int((x + wide - 1) * k), int((y + 18) * k)), (46, 47, 50), -1
            )
            if 0 <= i < len(letters):
                cv2.putText(
                    t, letters[i], (int((x + 5) * k), int((y + 11) * k)), 0, 1.1, (196, 196, 198), 2, cv2.LINE_AA
                )
            x, i = x + wide, i + 1
    return Thing(w, d, 14, linear_picture(t), _rounded(w * k, d * k, 6 * k), (150, 152, 156), 6)


def calculator(rng):
    """A desk calculator."""
    k, w, d = 6, 80, 140
    t = _canvas(w, d, k, (52, 54, 60))
    cv2.rectangle(t, (8 * k, 10 * k), (72 * k, 34 * k), (168, 180, 160), -1)
    cv2.putText(t, "1284.60", (26 * k, 29 * k), 0, 2.4, (40, 46, 40), 5, cv2.LINE_AA)
    for r, keys in enumerate(("789/", "456*", "123-", "0.=+", "CM%<")):
        for c, label in enumerate(keys):
            x, y = 8 + 17 * c, 44 + 18.5 * r
            cv2.rectangle(
                t,
                (int(x * k), int(y * k)),
                (int((x + 13) * k), int((y + 13) * k)),
                (206, 206, 204) if c < 3 else (214, 120, 40),
                -1,
            )
            cv2.putText(t, label, (int((x + 3.6) * k), int((y + 9.6) * k)), 0, 1.3, (40, 40, 42), 3, cv2.LINE_AA)
    return Thing(w, d, 14, linear_picture(t), _rounded(w * k, d * k, 6 * k), (44, 46, 50), 6)


def pen(rng, colour=(30, 40, 110)):
    """A ball pen."""
    k, w, d = 8, 140, 8
    round_ = np.clip(np.sin(np.linspace(0.25, np.pi - 0.1, d * k)), 0.15, 1)[:, None, None]
    shine = 60 * np.exp(-(((np.linspace(0, 1, d * k) - 0.32) / 0.08) ** 2))[:, None, None]
    t = np.repeat(np.clip(np.array(colour, float) * round_ * 1.1 + shine, 0, 255), w * k, 1)
    t[:, : 16 * k] = t[:, : 16 * k] * 0.3 + np.array([190, 190, 180]) * round_ * 0.7
    t[:, 100 * k : 102 * k] *= 0.5
    return Thing(
        w,
        d,
        4,
        linear_picture(t.astype(np.uint8)),
        _rounded(w * k, d * k, d * k // 2 - 1),
        tuple(0.5 * c for c in colour),
        4,
    )


def coaster(rng):
    """A cork coaster."""
    k = 4
    t = np.clip(_canvas(95, 95, k, (166, 124, 82)) + rng.normal(0, 16, (380, 380, 1)), 0, 255).astype(np.uint8)
    return Thing(
        95, 95, 4, linear_picture(cv2.GaussianBlur(t, (0, 0), 1.5)), _rounded(380, 380, 187), (130, 94, 60), 47
    )


def sticky(rng, colour=(250, 226, 90)):
    """A sticky note, empty."""
    return Thing(76, 76, 0.3, linear_picture(_canvas(76, 76, 2, colour)), None, (230, 220, 120))


_MINUTES = (
    "the committee met at seven and thanked everyone who had painted the hall it was agreed that the old piano stays "
    "where it is until somebody finds four strong people and a van the treasurer read the accounts which were in "
    "order and shorter than feared"
).split()


def print_out(rng):
    """Another sheet, full of type: what a detector must not take for the page."""
    k, w, d = 6, 210, 297
    sheet = Page(w, d, k, (238, 237, 233))
    typeface = font(PRINT["schoolbook"][0], 3.6 * k)
    y = 24.0
    while y < d - 24:
        x, end = 20.0, w - 20 - (rng.uniform(20, 90) if rng.random() < 0.15 else 0)
        while x < end:
            word = _MINUTES[int(rng.integers(len(_MINUTES)))]
            sheet.text(x, y, word, typeface, (62, 62, 66))
            x += typeface.getlength(word) / k + 1.3
        y += 5.6 * (2 if end < w - 20 else 1)
    return Thing(w, d, 0.25, linear_picture(np.asarray(sheet.image)), None, (240, 240, 238))


def switch(rng):
    """A light switch on a wall."""
    t = _canvas(86, 86, 4, (240, 240, 236))
    cv2.rectangle(t, (80, 60), (264, 284), (226, 226, 222), -1)
    cv2.line(t, (80, 172), (264, 172), (180, 180, 178), 2)
    return Thing(86, 86, 9, linear_picture(t), _rounded(344, 344, 20), (214, 214, 210), 5)


def pen_tray(rng, width=640):
    """The ledge under a whiteboard, with markers and an eraser."""
    t = _canvas(width, 70, 2, (176, 178, 182))
    t[-30:] = (150, 152, 156)
    for x, colour in ((90, (24, 64, 168)), (180, (204, 36, 40)), (262, (34, 34, 38)), (350, (16, 132, 70))):
        cv2.rectangle(t, (2 * x, 42), (2 * x + 150, 70), (236, 236, 234), -1)
        cv2.rectangle(t, (2 * x, 42), (2 * x + 64, 70), colour, -1)
        cv2.rectangle(t, (2 * x, 70), (2 * x + 150, 78), (120, 121, 124), -1)
    cv2.rectangle(t, (2 * 470, 34), (2 * 600, 84), (60, 66, 84), -1)
    return Thing(width, 70, 24, linear_picture(t), None, (120, 122, 126))


def magnet(rng, colour=(196, 40, 44)):
    """A round magnet."""
    t = _canvas(36, 36, 6, colour)
    cv2.circle(t, (92, 92), 46, tuple(min(255, int(c + 40)) for c in colour), -1, cv2.LINE_AA)
    return Thing(36, 36, 8, cv2.GaussianBlur(linear_picture(t), (0, 0), 8), _rounded(216, 216, 106), colour, 18)


THINGS = {
    "phone": phone,
    "keyboard": keyboard,
    "calculator": calculator,
    "pen": pen,
    "coaster": coaster,
    "sticky": sticky,
    "print-out": print_out,
    "switch": switch,
    "pen tray": pen_tray,
    "magnet": magnet,
    "cup": lambda rng, **colours: Cup(**colours),
}
