"""Stocks of flat pictures from which scenes are laid: grounds, pages seen from above, and other things.

All are drawn by `drawing.py` and here, from a seed; none is a photo. A stock is made once and used many times, since
drawing a page takes longer than laying it.
"""
from concurrent.futures import ProcessPoolExecutor

import cv2
import numpy as np

import drawing
from drawing import GROUNDS, PAPER, colour, filled, smooth_noise

GROUND_SIDE = 640
PAGE_SHORT_SIDE = 300
FONTS = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
         cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_PLAIN]
LETTERS = np.array(list("etaoinshrdlucmfwypvbgkjqxzETAOINSHRDLUCM0123456789.,-"))


# Grounds beyond those of `drawing`: what else a camera sees.

def palette(rng, count=5):
    return np.array([colour(rng, 10, 245, 35) for _ in range(count)], np.float32)


def clouded(rng, n):
    """Noise of falling spectrum, coloured along a palette: plaster, leather, stone, out-of-focus rooms."""
    noise = sum(smooth_noise(rng, n, n, n / 2.0 ** k) * rng.uniform(0.4, 0.8) ** k for k in range(1, 8))
    place = (np.tanh(noise * 0.7) + 1) * 1.999
    tones = palette(rng) * rng.uniform(0.4, 1) + np.array(colour(rng), np.float32) * 0.3
    low = np.clip(place.astype(int), 0, 3)
    share = (place - low)[..., None]
    return tones[low] * (1 - share) + tones[low + 1] * share


def heaped(rng, n):
    """Shapes laid over each other, many small and few large: the statistics of cluttered places."""
    image = clouded(rng, n)
    tones = palette(rng, 12)
    for _ in range(int(rng.uniform(60, 400))):
        size = n * 0.5 * rng.uniform(0.02, 1) ** 2.2 + 3
        at = rng.uniform(0, n, 2)
        tone = tones[rng.integers(len(tones))] + rng.normal(0, 14, 3)
        tone = tuple(float(v) for v in np.clip(tone, 2, 253))
        kind = rng.integers(4)
        if kind == 0:
            cv2.circle(image, tuple(at.astype(int)), int(size), tone, -1, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(image, tuple(at.astype(int)), (int(size), int(size * rng.uniform(0.1, 0.8)) + 1), rng.uniform(0, 360), 0, 360, tone, -1, cv2.LINE_AA)
        elif kind == 2:
            points = at + rng.normal(0, size * 0.7, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(image, [points.astype(np.int32)], tone, cv2.LINE_AA)
        else:
            cv2.line(image, tuple(at.astype(int)), tuple((at + rng.normal(0, size * 3, 2)).astype(int)), tone, max(1, int(size / 5)), cv2.LINE_AA)
    return image


def leaves(rng, n):
    image = filled(n, n, colour(rng, 10, 70, 15))
    base = np.array([rng.uniform(20, 130), rng.uniform(70, 180), rng.uniform(10, 90)])
    for _ in range(int(rng.uniform(100, 400))):
        at, long = rng.uniform(0, n, 2), rng.uniform(0.03, 0.22) * n
        tone = tuple(float(v) for v in np.clip(base * rng.uniform(0.4, 1.5) + rng.normal(0, 12, 3), 3, 250))
        cv2.ellipse(image, tuple(at.astype(int)), (int(long), max(2, int(long * rng.uniform(0.15, 0.45)))), rng.uniform(0, 360), 0, 360, tone, -1, cv2.LINE_AA)
    return image


def room(rng, n):
    """Walls, windows, doors, steps, blinds, furniture: straight lines everywhere, in one perspective."""
    image = filled(n, n, colour(rng, 90, 235, 12)) * (1 + 0.2 * smooth_noise(rng, n, n, n / 2))[..., None]
    floor = rng.uniform(0.5, 0.9) * n
    lean = rng.normal(0, 0.12)
    ground = GROUNDS[rng.integers(len(GROUNDS))](rng, n)
    below = np.arange(n)[:, None] > floor + lean * np.arange(n)[None, :]
    image = np.where(below[..., None], ground, image)
    for _ in range(int(rng.uniform(5, 26))):
        w, h = n * rng.uniform(0.03, 0.5), n * rng.uniform(0.03, 0.6)
        x, y = rng.uniform(-0.1, 1, 2) * n
        slant = rng.normal(0, 0.1, 2)
        box = np.array([[x, y], [x + w, y + w * slant[0]], [x + w, y + h + w * slant[1]], [x, y + h]])
        tone = colour(rng, 10, 255, 25)
        cv2.fillPoly(image, [box.astype(np.int32)], tone, cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 3))):
            cv2.polylines(image, [((box - box.mean(0)) * rng.uniform(0.3, 1) + box.mean(0)).astype(np.int32)], True, colour(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
        if rng.random() < 0.3:
            for k in np.linspace(0, 1, int(rng.integers(3, 16))):
                one, two = box[0] + (box[3] - box[0]) * k, box[1] + (box[2] - box[1]) * k
                cv2.line(image, tuple(one.astype(int)), tuple(two.astype(int)), colour(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
    return image


def speckled(rng, n):
    base = np.array(colour(rng, 40, 220, 10), np.float32)
    image = filled(n, n, base)
    for cell in (1.2, 2.5, 5, 9):
        spots = smooth_noise(rng, n, n, cell) > rng.uniform(0.8, 1.6)
        image[spots] = np.clip(base + rng.normal(0, 60) + rng.normal(0, 15, 3), 3, 250)
    return image


def white_desk(rng, n):
    """A table as light as paper."""
    tone = rng.uniform(150, 250) + rng.normal(0, 4, 3)
    veins = drawing.marble(rng, n) - 200 if rng.random() < 0.3 else 0
    return filled(n, n, tone) * (1 + rng.uniform(0, 0.05) * smooth_noise(rng, n, n, rng.uniform(30, 400)))[..., None] + veins * rng.uniform(0, 0.5)


def even(rng, n):
    return filled(n, n, colour(rng, 5, 240, 25)) * (1 + rng.uniform(0, 0.06) * smooth_noise(rng, n, n, rng.uniform(1, 400)))[..., None]


WIDER_GROUNDS = GROUNDS + [clouded] * 3 + [speckled, white_desk, white_desk, even, even, heaped, heaped, room, leaves]
VIEWS = [clouded, heaped, heaped, leaves, room, room, room, drawing.wood, drawing.tiles, drawing.carpet, drawing.plaid]


def ground(seed):
    rng = np.random.default_rng([1, seed])
    image = WIDER_GROUNDS[rng.integers(len(WIDER_GROUNDS))](rng, GROUND_SIDE)
    return np.clip(image, 0, 255).astype(np.uint8)


def view(seed):
    """A place without a page: a room, foliage, clutter."""
    rng = np.random.default_rng([2, seed])
    image = VIEWS[rng.integers(len(VIEWS))](rng, GROUND_SIDE)
    if rng.random() < 0.4:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(2, 12))
    return np.clip(image, 0, 255).astype(np.uint8)


# Pages.

def words(rng, count):
    return " ".join("".join(rng.choice(LETTERS, rng.integers(1, 9))) for _ in range(count))


def put(image, text, at, font, size, ink, thick=1):
    """Letters about `size` pixels high, `at` the left end of their baseline."""
    top, bottom = max(0, int(at[1] - 1.3 * size)), min(image.shape[0], int(at[1] + size * 0.6) + 2)
    if bottom <= top:
        return
    mask = np.zeros((bottom - top, image.shape[1]), np.uint8)
    cv2.putText(mask, text, (int(at[0]), int(at[1]) - top), font, size / 28, 255, thick, cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    image[top:bottom] = image[top:bottom] * (1 - share) + np.array(ink, np.float32) * share


def lettered(rng, image, box, ink, size, ragged=0.25, centred=False):
    """Lines of letters; returns the row below the last."""
    left, top, right, bottom = box
    font = FONTS[rng.integers(len(FONTS))]
    thick = 1 if size < 14 or rng.random() < 0.6 else 2
    row = top + size
    while row < bottom:
        line = words(rng, 24)
        fits = max(1, int((right - left) / (size * 0.62)))
        if rng.random() < ragged:
            fits = max(1, int(fits * rng.uniform(0.15, 0.95)))
        x = left + (0 if not centred else max(0, (right - left - fits * size * 0.62) / 2))
        put(image, line[:fits], (x, row), font, size, ink, thick)
        row += size * rng.uniform(1.3, 1.8)
    return row


def handwritten(rng, image, box, ink, size):
    left, top, right, bottom = box
    row = top + size
    thick = max(1, int(size * rng.uniform(0.06, 0.16)))
    while row < bottom:
        end = left + (right - left) * rng.uniform(0.2, 1)
        x = left + rng.normal(0, size * 0.2)
        drift = rng.normal(0, 0.02)
        while x < end:
            count = int(rng.integers(4, 22))
            xs = x + np.cumsum(rng.uniform(0.0, 0.3, count)) * size
            ys = row + drift * (xs - left) + rng.uniform(-0.55, 0.25, count) * size
            cv2.polylines(image, [np.stack([xs, ys], 1).astype(np.int32)], False, ink, thick, cv2.LINE_AA)
            x = xs[-1] + size * rng.uniform(0.4, 0.9)
        row += size * rng.uniform(1.3, 2.6)


def sketched(rng, image, ink, count):
    height, width = image.shape[:2]
    for _ in range(count):
        at, size = rng.uniform(0.1, 0.9, 2) * [width, height], rng.uniform(0.04, 0.3) * min(width, height)
        thick = int(rng.integers(1, 4))
        kind = rng.integers(4)
        if kind == 0:
            cv2.rectangle(image, tuple((at - size).astype(int)), tuple((at + size * rng.uniform(0.3, 1, 2)).astype(int)), ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.ellipse(image, tuple(at.astype(int)), (int(size), int(size * rng.uniform(0.4, 1))), 0, 0, 360, ink, thick, cv2.LINE_AA)
        elif kind == 2:
            cv2.arrowedLine(image, tuple(at.astype(int)), tuple((at + rng.normal(0, size, 2)).astype(int)), ink, thick, cv2.LINE_AA)
        else:
            points = at + np.cumsum(rng.normal(0, size / 4, (8, 2)), 0)
            cv2.polylines(image, [points.astype(np.int32)], False, ink, thick, cv2.LINE_AA)


def bars(rng, image, box):
    left, top, right, bottom = [int(v) for v in box]
    x = left
    while x < right:
        w = int(rng.integers(1, 5))
        image[top:bottom, x:min(right, x + w)] = 20
        x += w + int(rng.integers(1, 5))


def blocks(rng, image, box):
    """A two-dimensional code."""
    left, top, right, bottom = [int(v) for v in box]
    side = max(8, min(right - left, bottom - top))
    code = (rng.random((21, 21)) < 0.5).astype(np.uint8) * 235
    image[top:top + side, left:left + side] = cv2.resize(code, (side, side), interpolation=cv2.INTER_NEAREST)[:image.shape[0] - top, :image.shape[1] - left, None]


def a_picture(rng, height, width):
    picture = VIEWS[rng.integers(len(VIEWS))](rng, max(8, max(height, width)))
    return picture[:height, :width]


def dark_ink(rng):
    return tuple(float(v) for v in rng.uniform(0, 90, 3)) if rng.random() < 0.75 else colour(rng, 10, 150, 60)


def receipt(rng, width):
    height = int(width * rng.choice([1.4, 1.8, 2.4, 3, 4, 5.5]))
    paper = np.array([246, 244, 240]) * rng.uniform(0.93, 1.02) + rng.normal(0, 3, 3)
    image = filled(height, width, np.clip(paper, 0, 255))
    ink, size, inset = tuple([float(rng.uniform(20, 130))] * 3), width * rng.uniform(0.035, 0.07), width * rng.uniform(0.02, 0.12)
    row = lettered(rng, image, (inset * 2, inset, width - inset * 2, inset + size * rng.uniform(3, 8)), ink, size * rng.uniform(1, 1.8), 0.8, True)
    end = height * rng.uniform(0.55, 0.85)
    while row < end:
        y = int(row + size)
        put(image, words(rng, 3)[:14], (inset, y), FONTS[0], size, ink)
        put(image, f"{rng.uniform(1, 99):.2f}", (width - inset - 4 * size, y), FONTS[0], size, ink)
        row += size * rng.uniform(1.3, 2)
        if rng.random() < 0.12:
            cv2.line(image, (int(inset), int(row)), (int(width - inset), int(row)), ink, 1)
    if rng.random() < 0.4:
        bars(rng, image, (width * 0.2, height * 0.88, width * 0.8, height * 0.96))
    elif rng.random() < 0.5:
        blocks(rng, image, (width * 0.3, height * 0.85, width * 0.7, height * 0.97))
    return image


def card(rng, width):
    height = int(width / rng.choice([1.586, 1.75, 1.45]))
    base = np.array(colour(rng, 30, 250, 30))
    image = filled(height, width, base)
    image += (smooth_noise(rng, height, width, height / 2) * rng.uniform(0, 18))[..., None] + np.linspace(0, rng.normal(0, 40), width)[None, :, None]
    ink = (15.0, 15.0, 20.0) if base.mean() > 120 else (240.0, 240.0, 240.0)
    if rng.random() < 0.5:
        x, y = int(width * rng.uniform(0.04, 0.7)), int(height * rng.uniform(0.2, 0.4))
        h, w = int(height * 0.5), int(height * 0.4)
        image[y:y + h, x:x + w] = a_picture(rng, h, w)[:image[y:y + h, x:x + w].shape[0], :image[y:y + h, x:x + w].shape[1]]
    for _ in range(int(rng.integers(2, 7))):
        x, y = width * rng.uniform(0.04, 0.6), height * rng.uniform(0.05, 0.8)
        lettered(rng, image, (x, y, x + width * rng.uniform(0.2, 0.5), y + height * 0.12), ink, height * rng.uniform(0.05, 0.13), 0.3)
    if rng.random() < 0.4:
        image[:int(height * rng.uniform(0.1, 0.3))] *= rng.uniform(0.4, 1.2)
    return image


def cover(rng, width):
    """A book's cover, a magazine, a leaflet: blocks of colour, a picture, large letters."""
    height = int(width * rng.uniform(1.1, 1.55))
    image = filled(height, width, colour(rng, 20, 250, 60))
    if rng.random() < 0.6:
        x, y = (rng.uniform(0, 0.5, 2) * [width, height]).astype(int)
        w, h = (rng.uniform(0.3, 1, 2) * [width, height]).astype(int)
        part = image[y:y + h, x:x + w]
        part[:] = a_picture(rng, part.shape[0], part.shape[1])
    if rng.random() < 0.5:
        y = int(height * rng.uniform(0, 0.8))
        image[y:y + int(height * rng.uniform(0.05, 0.3))] = colour(rng)
    for _ in range(int(rng.integers(1, 5))):
        size = width * rng.uniform(0.04, 0.2)
        y = rng.uniform(0, 0.85) * height
        lettered(rng, image, (width * 0.06, y, width * 0.95, y + size * 1.4), colour(rng, 0, 255, 50), size, 0.5)
    return image


def note(rng, width):
    height = int(width * rng.choice([1.414, 1.3, 1, 0.707]))
    image = filled(height, width, np.array(PAPER[rng.integers(len(PAPER))]) * rng.uniform(0.92, 1.02))
    gap = width * rng.uniform(0.03, 0.07)
    if rng.random() < 0.5:
        tone = colour(rng, 150, 215, 25)
        for y in np.arange(gap * rng.uniform(1, 4), height, gap):
            cv2.line(image, (0, int(y)), (width, int(y)), tone, 1)
        if rng.random() < 0.4:
            for x in np.arange(gap * rng.uniform(0, 1), width, gap):
                cv2.line(image, (int(x), 0), (int(x), height), tone, 1)
        elif rng.random() < 0.5:
            cv2.line(image, (int(2.5 * gap), 0), (int(2.5 * gap), height), (220, 120, 120), 1)
    ink = dark_ink(rng)
    for _ in range(int(rng.integers(1, 3))):
        x, y = width * rng.uniform(0.03, 0.3), height * rng.uniform(0.02, 0.6)
        handwritten(rng, image, (x, y, width * 0.95, y + height * rng.uniform(0.05, 0.8)), ink, gap * rng.uniform(0.7, 1.6))
    if rng.random() < 0.4:
        sketched(rng, image, ink, int(rng.integers(1, 7)))
    return image


def letter(rng, width):
    height = int(width * rng.choice([1.414, 1.294, 1.414, 1.5]))
    image = filled(height, width, np.array(PAPER[rng.integers(6 if rng.random() < 0.8 else len(PAPER))]) * rng.uniform(0.93, 1.02))
    inset, ink = width * rng.uniform(0.05, 0.14), dark_ink(rng)
    size = width * rng.uniform(0.014, 0.03)
    y = inset
    if rng.random() < 0.5:
        lettered(rng, image, (inset, y, width * rng.uniform(0.4, 0.9), y + size * 3), ink, size * 2, 0.5)
        y += size * 6
    columns = int(rng.choice([1, 1, 1, 2, 3]))
    step = (width - 2 * inset) / columns
    end = height - inset if rng.random() < 0.6 else height * rng.uniform(0.2, 0.95)
    for k in range(columns):
        lettered(rng, image, (inset + k * step, y, inset + (k + 0.93) * step, end), ink, size, 0.2)
    if rng.random() < 0.3:
        x, y, w, h = width * rng.uniform(0.05, 0.5), height * rng.uniform(0.1, 0.6), width * rng.uniform(0.2, 0.5), height * rng.uniform(0.1, 0.3)
        part = image[int(y):int(y + h), int(x):int(x + w)]
        part[:] = a_picture(rng, part.shape[0], part.shape[1])
    if rng.random() < 0.15:
        cv2.circle(image, (int(width * rng.uniform(0.2, 0.8)), int(height * rng.uniform(0.2, 0.8))), int(width * 0.09), (200, 40, 50), 3, cv2.LINE_AA)
    return image


def form(rng, width):
    """Boxes, tables, rows of bubbles."""
    height = int(width * rng.choice([1.414, 1.294, 0.707, 1.7]))
    image = filled(height, width, np.array(PAPER[rng.integers(len(PAPER))]) * rng.uniform(0.93, 1.02))
    ink = dark_ink(rng) if rng.random() < 0.6 else colour(rng, 80, 190, 60)
    inset = width * rng.uniform(0.02, 0.1)
    if rng.random() < 0.5:
        inset = drawing.frame(rng, image, inset, ink)
    for _ in range(int(rng.integers(1, 5))):
        x, y = inset + rng.uniform(0, 0.4) * (width - 2 * inset), inset + rng.uniform(0, 0.7) * (height - 2 * inset)
        x2, y2 = x + rng.uniform(0.3, 1) * (width - inset - x), y + rng.uniform(0.15, 1) * (height - inset - y)
        if rng.random() < 0.5:
            drawing.table(rng, image, (x, y, x2, max(y + 10, y2)), ink)
        else:
            step = width * rng.uniform(0.02, 0.05)
            for by in np.arange(y, y2, step):
                for bx in np.arange(x, x2, step):
                    cv2.circle(image, (int(bx), int(by)), int(step * 0.35), ink, -1 if rng.random() < 0.15 else 1, cv2.LINE_AA)
    lettered(rng, image, (inset, inset, width - inset, inset + height * rng.uniform(0.05, 0.4)), ink, width * rng.uniform(0.015, 0.03), 0.4)
    return image


def board(rng, width):
    """A whiteboard's writing surface."""
    height = int(width * rng.uniform(0.45, 0.8))
    image = filled(height, width, rng.uniform(205, 252) + rng.normal(0, 5, 3))
    for _ in range(int(rng.integers(2, 6))):
        ink = [(30.0, 30.0, 40.0), (30.0, 60.0, 170.0), (190.0, 40.0, 40.0), (30.0, 130.0, 70.0)][rng.integers(4)]
        x, y = rng.uniform(0.02, 0.6) * width, rng.uniform(0.02, 0.6) * height
        handwritten(rng, image, (x, y, x + rng.uniform(0.2, 0.6) * width, y + rng.uniform(0.1, 0.5) * height), ink, height * rng.uniform(0.03, 0.08))
        if rng.random() < 0.5:
            sketched(rng, image, ink, int(rng.integers(1, 5)))
    return image


def printed(rng, width):
    return drawing.printed(rng, int(width * rng.choice([1.414, 1.3, 1, 0.707, 2.5])), width, np.array(PAPER[rng.integers(len(PAPER))], np.float32) * rng.uniform(0.9, 1.02))


KINDS = {"letter": letter, "form": form, "note": note, "receipt": receipt, "card": card, "cover": cover, "board": board, "printed": printed}
SHARES = [0.2, 0.12, 0.14, 0.2, 0.08, 0.08, 0.06, 0.12]


def page(seed):
    """A page from above, and its kind."""
    rng = np.random.default_rng([3, seed])
    kind = rng.choice(list(KINDS), p=SHARES)
    image = np.clip(KINDS[kind](rng, PAGE_SHORT_SIDE), 0, 255)
    if rng.random() < 0.12:  # Fax and faded thermal paper.
        image = 255 - (255 - image) * rng.uniform(0.25, 0.7)
    if rng.random() < 0.05:
        image = image.mean(2, keepdims=True).repeat(3, 2)
    return image.astype(np.uint8), kind


def thing(seed):
    """Something with right angles that is no page."""
    rng = np.random.default_rng([4, seed])
    width = int(rng.uniform(120, 300))
    return np.clip(drawing.gadget(rng, int(width * rng.uniform(0.4, 2)), width), 0, 255).astype(np.uint8)


def stock(draw, count, jobs, first=0):
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(draw, range(first, first + count), chunksize=16))
