"""What the page lies on: functions of (rng, x, y, ...) that give linear light for world coordinates in millimetres."""

import math

import cv2
import numpy as np

F = np.float32


def linear(rgb):
    """sRGB 0...255 to linear light 0...1."""
    c = np.asarray(rgb, F) / F(255)
    return np.where(c <= 0.04045, c / F(12.92), ((c + F(0.055)) / F(1.055)) ** F(2.4)).astype(F)


_TABLE = linear(np.arange(256))


def linear_picture(u8):
    """A whole 8-bit picture to linear light."""
    return _TABLE[u8]


class Noise:
    """A tileable noise picture with the spectrum 1/f^beta down to a shortest wave (in cells); mean 0, deviation 1."""

    def __init__(self, rng, n=1024, beta=1.0, shortest=2.0, longest=None):
        f = np.hypot(np.fft.rfftfreq(n)[None, :], np.fft.fftfreq(n)[:, None])
        keep = (f <= 1.0 / shortest) & (f >= 1.0 / (longest or n))
        gain = np.where(keep, np.maximum(f, 1e-9) ** -beta, 0)
        a = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((n, n))) * gain, s=(n, n))
        self.cells = ((a - a.mean()) / a.std()).astype(F)

    def at(self, x, y, cell_x, cell_y=None, off_x=0.0, off_y=0.0):
        """The noise at world coordinates, one cell being cell_x by cell_y millimetres."""
        return cv2.remap(
            self.cells,
            (x * F(1 / cell_x) + F(off_x)),
            (y * F(1 / (cell_y or cell_x)) + F(off_y)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )


def _turned(x, y, degrees):
    c, s = F(math.cos(math.radians(degrees))), F(math.sin(math.radians(degrees)))
    return c * x + s * y, -s * x + c * y


def _between(a, b, t):
    a, b = linear(a), linear(b)
    return a + (b - a) * np.clip(t, 0, 1)[..., None]


def _scatter(k):
    """A number of 0...1 for each whole number, without order."""
    return (np.sin(k * 12.9898 + 4.1) * 43758.547) % 1.0


def wood(rng, x, y, dark=(120, 82, 50), light=(196, 150, 102), grain=90, plank=120):
    """Planks `plank` mm wide, their grain along the direction `grain` (degrees)."""
    along, across = _turned(x, y, grain)
    slow, fibre = Noise(rng, beta=1.6, shortest=4), Noise(rng, beta=0.5, shortest=2, longest=64)
    place = across / F(plank) + F(0.37)
    each = _scatter(np.floor(place)).astype(F)
    bend = slow.at(along + each * 900, across + each * 300, 3.2, 0.55)
    ring = np.sin((across + each * 77) * F(2 * math.pi / 13) + bend * F(2.6))
    t = 0.52 + 0.20 * ring + 0.10 * fibre.at(along + each * 500, across, 2.2, 0.16)
    t += 0.10 * slow.at(along, across, 1.5, 0.9, 300, 40) + (each - 0.5) * 0.28
    gap = np.abs(place - np.round(place)) * F(plank)
    return (_between(dark, light, t) * (1 - 0.75 * np.exp(-((gap / F(0.9)) ** 2)))[..., None]).astype(F)


def cloth(rng, x, y, base=(70, 86, 120), other=(232, 226, 210), pattern="plain", period=40, turn=20):
    """Woven cloth: "plain", "plaid" or "stripe", with a slight drape."""
    drape = Noise(rng, beta=1.2, shortest=3)
    s, q = _turned(x, y, turn)
    s, q = s + drape.at(x, y, 2.4) * F(1.6), q + drape.at(x, y, 2.4, None, 400, 90) * F(1.6)
    colour = np.broadcast_to(linear(base), x.shape + (3,)).copy()
    second = linear(other)
    if pattern == "plaid":
        for at, wide, strength in ((0.1, 0.22, 0.33), (0.55, 0.06, 0.5), (0.72, 0.03, 0.55)):
            for v in (s, q):
                inside = np.abs(((v / F(period) - F(at) + F(0.5)) % 1.0) - F(0.5)) < wide / 2
                colour += (second - colour) * (inside[..., None] * F(strength))
    elif pattern == "stripe":
        colour += (second - colour) * ((((s / F(period)) % 1.0) < 0.3)[..., None] * F(0.8))
    weave = np.sin(s * F(2 * math.pi / 1.6)) * np.sin(q * F(2 * math.pi / 1.6))
    fine = Noise(rng, beta=0.3, shortest=2, longest=50)
    colour *= (
        1
        + 0.10 * weave
        + 0.07 * fine.at(s, q, 0.9, 0.25)
        + 0.07 * fine.at(s, q, 0.25, 0.9)
        + 0.12 * drape.at(x, y, 1.3)
    )[..., None]
    return np.clip(colour, 0.003, 1).astype(F)


def marble(rng, x, y, base=(214, 210, 208), vein=(150, 146, 150)):
    """Polished stone with veins."""
    n, m = Noise(rng, beta=1.75, shortest=3), Noise(rng, beta=1.3, shortest=3)
    wx, wy = n.at(x, y, 0.9) * F(16), n.at(x, y, 0.9, None, 500, 200) * F(16)
    wide = np.exp(-np.abs(n.at(x + wx, y + wy, 1.6, None, 100, 700)) / F(0.06))
    thin = np.exp(-np.abs(m.at(x + wy, y + wx, 0.8, None, 20, 300)) / F(0.05))
    return _between(base, vein, 0.12 + 0.10 * m.at(x, y, 2.2) + 0.62 * wide + 0.22 * thin).astype(F)


def laminate(rng, x, y, base=(126, 122, 116), speck=0.05):
    """A plain desk top with fine specks; a base near paper white gives white on white."""
    fine, slow = Noise(rng, beta=0.2, shortest=2, longest=24), Noise(rng, beta=1.5, shortest=4)
    gain = 1 + speck * fine.at(x, y, 0.35) + min(speck, 0.03) * slow.at(x, y, 1.7)
    return np.clip(linear(base) * gain[..., None], 0.003, 1).astype(F)


def painted_wall(rng, x, y, base=(214, 218, 220)):
    """A wall painted with a roller."""
    fine, slow = Noise(rng, beta=0.5, shortest=2, longest=40), Noise(rng, beta=1.6, shortest=4)
    return np.clip(
        linear(base) * (1 + 0.02 * fine.at(x, y, 1.4) + 0.03 * slow.at(x, y, 8))[..., None], 0.003, 1
    ).astype(F)


def brick_wall(rng, x, y, brick=(168, 104, 80), mortar=(190, 184, 174)):
    """Bricks of 215 x 68 mm in stretcher bond."""
    fine, slow = Noise(rng, beta=0.3, shortest=2, longest=30), Noise(rng, beta=1.5, shortest=3)
    rough = 1 + 0.12 * slow.at(x, y, 1.2) + 0.07 * fine.at(x, y, 1.1)
    course = np.floor(y / F(68))
    place = x / F(215) + (course % 2) * F(0.5)
    tone = 0.75 + 0.5 * _scatter(np.floor(place) + 57 * course)
    edge = np.minimum(np.abs(place - np.round(place)) * F(215), np.abs(y / F(68) - np.round(y / F(68))) * F(68))
    edge = edge + F(1.2) * slow.at(x, y, 0.8)
    joint = np.clip((F(6) - edge) / F(2.5), 0, 1)[..., None]
    colour = linear(brick) * (rough * tone)[..., None]
    return np.clip(colour * (1 - joint) + linear(mortar) * rough[..., None] * joint * 0.9, 0.003, 1).astype(F)


MATERIALS = {
    "wood": wood,
    "cloth": cloth,
    "marble": marble,
    "laminate": laminate,
    "painted wall": painted_wall,
    "brick wall": brick_wall,
}
