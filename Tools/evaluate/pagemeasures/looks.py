"""Paper, faint strokes and colours of a page that lies over the clean one, pixel on pixel."""

import cv2
import numpy as np

from .placing import luma, strokes

# Kinds whose paper is coloured: how white it gets, and how far its marks are from the clean page's, says nothing.
COLOURED_PAPER = {"certificate"}


def visible(truth):
    """Where nothing lies on the page."""
    width, height = truth["clean_size"]
    mask = np.ones((height, width), np.uint8)
    for polygon in truth.get("occluded") or []:
        cv2.fillPoly(mask, [np.int32(polygon)], 0)
    return mask > 0


def paper(clean, truth, seen):
    """Where the clean page has its paper's own colour, to three levels."""
    colour = np.array(truth["paper_rgb"][::-1], int)
    return (np.abs(clean.astype(int) - colour).max(2) <= 3) & seen


def blank(paper):
    """Paper that is neither beside a stroke nor in the page's rim."""
    height, width = paper.shape
    reach = max(3, round(0.003 * max(paper.shape)))
    far = cv2.erode(paper.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    rim = int(0.03 * min(paper.shape))
    inner = np.zeros_like(far)
    inner[rim:height - rim, rim:width - rim] = 1
    return (far & inner) > 0


def of_paper(page, clean, truth, seen):
    """bgstd: the deviation of luma over blank paper. pure: the share of it that is exactly 255."""
    where = blank(paper(clean, truth, seen))
    if where.sum() <= 500:
        return {}
    found = {"bgstd": float(luma(page)[where].std())}
    if truth["kind"] not in COLOURED_PAPER:
        found["pure"] = float((page[where].min(1) == 255).mean())
    return found


# How far a line's strokes are looked for from where they should be, for pages that don't lie flat; pixels of the clean page.
REACH = 10


def shift(goal, own, box):
    """By how much the strokes within a box have to be moved to lie over the true ones; None at the page's border."""
    height, width = goal.shape
    left, top = max(REACH, box[0] - 4), max(REACH, box[1] - 4)
    right, bottom = min(width - REACH, box[2] + 4), min(height - REACH, box[3] + 4)
    if right - left < 8 or bottom - top < 6:
        return None
    window = own[top - REACH:bottom + REACH, left - REACH:right + REACH]
    match = cv2.matchTemplate(window, goal[top:bottom, left:right], cv2.TM_CCOEFF_NORMED)
    _, value, _, (x, y) = cv2.minMaxLoc(match)
    return (x - REACH, y - REACH) if value > 0.2 else (0, 0)


def faint_contrast(page, clean, truth, seen):
    """How many levels the cores of faint strokes are darker than the paper beside them, as a mean over lines."""
    gray, true_gray = luma(page), luma(clean)
    near = cv2.erode(paper(clean, truth, seen).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    goal, own = (strokes(picture, max(gray.shape) / 45, 1.0) for picture in (true_gray, gray))
    levels = []
    for line in truth.get("lines", []):
        if not line.get("faint") or line.get("occluded", 0) >= 0.1:
            continue
        left, top, right, bottom = line["box"]
        moved = shift(goal, own, line["box"])
        depth = float(np.median(true_gray[near])) - true_gray[top:bottom, left:right] if near.any() else np.zeros(0)
        if moved is None or depth.size == 0 or depth.max() < 8:
            continue
        core = depth > 0.75 * depth.max()
        rows, columns = slice(max(0, top - 6), bottom + 6), slice(max(0, left - 6), right + 6)
        beside = near[rows, columns]
        if beside.sum() < 20 or core.sum() < 10:
            continue
        laid = np.roll(gray, (-moved[1], -moved[0]), (0, 1))
        levels.append(float(laid[rows, columns][beside].mean() - laid[top:bottom, left:right][core].mean()))
    return float(np.mean(levels)) if levels else None


def lab(picture):
    return cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)


# Below this chroma a colour looks grey.
GREY = 8


def of_colours(page, clean, truth, seen):
    """Coloured marks against the clean page's: chroma, hue in degrees, the share turned grey, the mean ΔE2000."""
    own, true = lab(page), lab(clean)
    chroma = np.hypot(true[..., 1], true[..., 2])
    colour = lab(np.full((1, 1, 3), truth["paper_rgb"][::-1], np.uint8))[0, 0]
    mark = (chroma > max(25, np.hypot(*colour[1:]) + 15)) & seen
    # The blend at a stroke's edge has the paper's colour in it.
    inner = cv2.erode(mark.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    mark = inner if inner.sum() > 400 else mark
    if mark.sum() <= 400:
        return {}
    own, true, chroma = own[mark], true[mark], chroma[mark]
    own_chroma = np.hypot(own[:, 1], own[:, 2])
    turn = np.degrees(np.arctan2(own[:, 2], own[:, 1]) - np.arctan2(true[:, 2], true[:, 1]))
    turn = np.abs((turn + 180) % 360 - 180)
    kept = own_chroma > GREY
    found = {"chrom": float(own_chroma.mean() / chroma.mean()), "lost": float(1 - kept.mean())}
    if kept.mean() > 0.2:
        found["hue"] = float(turn[kept].mean())
    if truth["kind"] not in COLOURED_PAPER:
        found["dE00"] = float(ciede2000(true, own).mean())
    return found


def ciede2000(one, other):
    """The colour differences of two lists of Lab colours: CIEDE2000 as Sharma, Wu and Dalal (2005) write it."""
    l1, a1, b1 = one.astype(float).T
    l2, a2, b2 = other.astype(float).T
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grow = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    c1, c2 = np.hypot(grow * a1, b1), np.hypot(grow * a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, grow * a1)) % 360, np.degrees(np.arctan2(b2, grow * a2)) % 360
    is_grey = c1 * c2 == 0
    turn = np.where(is_grey, 0, (h2 - h1 + 180) % 360 - 180)
    light, chroma, hue = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    middle_l, middle_c = (l1 + l2) / 2, (c1 + c2) / 2
    middle_h = np.where(is_grey, h1 + h2, (h1 + turn / 2) % 360)

    def cosine(degrees):
        return np.cos(np.radians(degrees))

    weight = (1 - 0.17 * cosine(middle_h - 30) + 0.24 * cosine(2 * middle_h) + 0.32 * cosine(3 * middle_h + 6)
              - 0.20 * cosine(4 * middle_h - 63))
    scale_l = 1 + 0.015 * (middle_l - 50) ** 2 / np.sqrt(20 + (middle_l - 50) ** 2)
    scale_c, scale_h = 1 + 0.045 * middle_c, 1 + 0.015 * middle_c * weight
    blue = 60 * np.exp(-(((middle_h - 275) / 25) ** 2))
    twist = -2 * np.sqrt(middle_c**7 / (middle_c**7 + 25.0**7)) * np.sin(np.radians(blue))
    light, chroma, hue = light / scale_l, chroma / scale_c, hue / scale_h
    return np.sqrt(light**2 + chroma**2 + hue**2 + twist * chroma * hue)
