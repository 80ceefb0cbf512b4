"""Brings a flat page over the clean one, pixel on pixel."""

import cv2
import numpy as np


def luma(picture):
    return picture.astype(np.float32) @ np.array([0.114, 0.587, 0.299], np.float32)  # BGR


def strokes(gray, surroundings, blur):
    """What differs from its surroundings: alike for a photo, a whitened page and black on white."""
    difference = np.abs(cv2.GaussianBlur(gray, (0, 0), surroundings) - gray)
    # A few very dark places, such as a picture, would outweigh all text.
    difference = np.minimum(difference, np.percentile(difference, 99.5) + 1e-3)
    return cv2.GaussianBlur(difference, (0, 0), blur)


def alikeness(one, other, mask):
    """The normalised cross-correlation of two pictures where the mask is set."""
    a, b = one[mask] - one[mask].mean(), other[mask] - other[mask].mean()
    return float((a * b).sum() / (np.sqrt((a * a).sum() * (b * b).sum()) + 1e-9))


def quad_map(source, target):
    return cv2.getPerspectiveTransform(np.float32(source), np.float32(target)).astype(float)


class Placing:
    """Where each pixel of the clean page lies in a flat page.

    The corners by which it was flattened and the true ones tell it for flat paper. For the rest, such as curl, the strokes of both are
    laid over each other as well as a plane's perspective can (ECC: Evangelidis and Psarakis 2008).
    """

    def __init__(self, flat, clean, visible, used_corners, true_corners):
        self.size = clean.shape[1], clean.shape[0]
        width, height = self.size
        frame = [[0, 0], [width, 0], [width, height], [0, height]]
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # pixel centres are at .5 in corners, and whole for OpenCV
        through_photo = quad_map(used_corners, frame) @ quad_map(frame, true_corners)
        self.map = np.linalg.inv(half) @ through_photo @ half
        self.refine(luma(clean), luma(self.shrunk(flat)), visible)

    def shrunk(self, flat):
        """The flat page at the clean one's size, as it is placed by its own corners."""
        method = cv2.INTER_AREA if flat.shape[1] > self.size[0] else cv2.INTER_LINEAR
        return cv2.resize(flat, self.size, interpolation=method)

    def warped(self, picture, matrix):
        return cv2.warpPerspective(
            picture, matrix, self.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)

    def placed(self, flat):
        """A picture of the flat page, pixel on pixel over the clean one."""
        return self.warped(self.shrunk(flat), self.map)

    def refine(self, clean, flat, visible):
        side = max(self.size)
        goal, own = (strokes(gray, side / 45, 1.6) for gray in (clean, flat))
        best = alikeness(goal, self.warped(own, self.map), visible)
        start = self.map
        for scale, rounds in ((0.25, 60), (0.5, 40)):
            zoom = np.diag([scale, scale, 1.0])
            size = tuple(int(side * scale) for side in self.size)
            a, b = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (goal, own))
            mask = cv2.resize(visible.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
            guess = zoom @ self.map @ np.linalg.inv(zoom)
            try:
                _, found = cv2.findTransformECC(
                    a / (a.std() + 1e-3), b / (b.std() + 1e-3), (guess / guess[2, 2]).astype(np.float32),
                    cv2.MOTION_HOMOGRAPHY, (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, rounds, 1e-4), mask, 5)
            except cv2.error:
                continue  # Too few strokes to go by: the corners are what there is.
            found = np.linalg.inv(zoom) @ found.astype(float) @ zoom
            if not self.is_near(found, start):
                continue
            score = alikeness(goal, self.warped(own, found), visible)
            if score > best + 1e-4:
                self.map, best = found, score

    def is_near(self, matrix, start):
        """Whether no corner of the page moves by more than an eighth of its diagonal: more is a wrong turn."""
        width, height = self.size
        corners = np.float32([[[0, 0], [width, 0], [width, height], [0, height]]])
        if not np.isfinite(matrix).all():
            return False
        moved = cv2.perspectiveTransform(corners, matrix) - cv2.perspectiveTransform(corners, start)
        return np.abs(moved).max() < np.hypot(width, height) / 8
