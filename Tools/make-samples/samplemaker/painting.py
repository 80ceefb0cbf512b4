"""Blending polygons and pictures into a photo in linear light."""

import cv2
import numpy as np

from .materials import F


def region(points, width, height, pad=3):
    """The pixel box around points inside a photo, or None if they lie outside."""
    points = np.asarray(points)
    x0, y0 = np.floor(points.min(0)).astype(int) - pad
    x1, y1 = np.ceil(points.max(0)).astype(int) + pad
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    return None if x1 - x0 < 2 or y1 - y0 < 2 else (x0, y0, x1, y1)


def fill_polygon(photo, points, colour):
    """Blends an antialiased polygon of one colour into a photo, in place."""
    box = region(points, photo.shape[1], photo.shape[0])
    if box is None:
        return
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    q = np.round((np.asarray(points) - [x0, y0] - 0.5) * 256).astype(np.int32)
    cv2.fillPoly(mask, [q], 255, cv2.LINE_AA, 8)
    alpha = (mask.astype(F) / 255)[..., None]
    photo[y0:y1, x0:x1] += (np.asarray(colour, F) - photo[y0:y1, x0:x1]) * alpha


def warp_picture(photo, picture, alpha, H, corners):
    """Blends a picture (linear light, alpha or None) through the homography H into a photo, in place.

    Returns (box, coverage inside the box), or None where nothing shows."""
    box = region(corners, photo.shape[1], photo.shape[0])
    if box is None:
        return None
    x0, y0, x1, y1 = box
    tall, wide = picture.shape[:2]
    q = np.asarray(corners)
    ratio = np.hypot(*(q - np.roll(q, 1, 0)).T).sum() / (2 * (wide + tall))
    shrink = np.eye(3)
    if ratio < 0.8:  # much finer than the photo: shrunk first, so that one tap does not alias
        k = ratio * 1.15
        w, h = max(2, int(round(wide * k))), max(2, int(round(tall * k)))
        picture = cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA)
        alpha = cv2.resize(alpha, (w, h), interpolation=cv2.INTER_AREA) if alpha is not None else None
        shrink, tall, wide = np.diag([wide / w, tall / h, 1.0]), h, w
    if alpha is None:
        alpha = np.ones((tall, wide), F)
    centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    M = np.array([[1, 0, -x0 - 0.5], [0, 1, -y0 - 0.5], [0, 0, 1]]) @ H @ shrink @ centre
    size = (x1 - x0, y1 - y0)
    colour = cv2.warpPerspective(picture, M, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # a rim of zero alpha, one pixel wide, gives the edge its half-covered pixels at the true place
    rim = cv2.copyMakeBorder(alpha, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cover = cv2.warpPerspective(
        rim,
        M @ np.array([[1, 0, -1], [0, 1, -1], [0, 0, 1.0]]),
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=0,
    )
    photo[y0:y1, x0:x1] += (colour - photo[y0:y1, x0:x1]) * cover[..., None]
    return box, cover
