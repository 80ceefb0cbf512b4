"""A pinhole camera over the page's plane.

World: millimetres; the page's plane is Z = 0 with its centre at the origin, X to the right and Y down as the page is
read, Z pointing away from the viewer, so that a point at height h over the desk has Z = -h. Photo: continuous
coordinates, (0, 0) is the outer corner of the top-left pixel, so that pixel centres lie at .5.
"""

import math

import cv2
import numpy as np

F = np.float32


class Camera:
    """Without distortion, the principal point in the middle; f35 by the frame's diagonal, as EXIF means it."""

    def __init__(self, width, height, f35, rotation, translation):
        self.width, self.height, self.R, self.t = width, height, rotation, translation
        self.f = f35 * math.hypot(width, height) / math.hypot(36.0, 24.0)
        self.K = np.array([[self.f, 0, width / 2], [0, self.f, height / 2], [0, 0, 1.0]])

    def project(self, points):
        """World points (n x 2 in the plane, or n x 3) to photo coordinates."""
        points = np.atleast_2d(np.asarray(points, float))
        if points.shape[1] == 2:
            points = np.hstack([points, np.zeros((len(points), 1))])
        q = (points @ self.R.T + self.t) @ self.K.T
        return q[:, :2] / q[:, 2:3]

    def plane(self):
        """Homography from (x, y) of the plane Z = 0 to the photo."""
        return self.K @ np.column_stack([self.R[:, 0], self.R[:, 1], self.t])

    @property
    def centre(self):
        """Where the camera is, in the world."""
        return -self.R.T @ self.t

    def plane_coordinates(self):
        """X and Y of the plane Z = 0 at every pixel's centre."""
        A = np.linalg.inv(self.plane())
        u = np.arange(self.width, dtype=np.float64) + 0.5
        v = np.arange(self.height, dtype=np.float64) + 0.5
        den = A[2, 0] * u[None] + (A[2, 1] * v + A[2, 2])[:, None]
        x = (A[0, 0] * u[None] + (A[0, 1] * v + A[0, 2])[:, None]) / den
        y = (A[1, 0] * u[None] + (A[1, 1] * v + A[1, 2])[:, None]) / den
        return x.astype(F), y.astype(F)

    def scale_at(self, xy):
        """Photo pixels per millimetre around a point of the plane."""
        p = self.project([[xy[0], xy[1]], [xy[0] + 1, xy[1]], [xy[0], xy[1] + 1]])
        return 0.5 * (np.hypot(*(p[1] - p[0])) + np.hypot(*(p[2] - p[0])))


def corners_of(mm):
    """A page's corners in its plane, clockwise from the top-left."""
    w, h = mm
    return np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2


def polygon_area(points):
    """The area of a simple polygon."""
    x, y = np.asarray(points).T
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def aim(width, height, view, page_mm):
    """The camera of a view: dict of f35, tilt (degrees), away (the direction in which the plane runs away from the
    camera, degrees clockwise from the photo's top), roll (degrees), fill (share of the frame that the page covers),
    shift (of the page's centre from the frame's, in shares of the frame)."""
    tilt, roll = math.radians(view["tilt"]), math.radians(view["roll"])
    away = math.radians(view["away"])
    axis = np.array([-math.cos(away), -math.sin(away), 0.0])
    R = cv2.Rodrigues(axis * tilt)[0] @ cv2.Rodrigues(np.array([0, 0, roll]))[0]
    page = corners_of(page_mm)
    f = view["f35"] * math.hypot(width, height) / math.hypot(36.0, 24.0)
    shift = (view["shift"][0] * width / f, view["shift"][1] * height / f, 1.0)

    def at(distance):
        return Camera(width, height, view["f35"], R, distance * np.array(shift))

    near, far = max(page_mm) * 0.5, max(page_mm) * 40
    for _ in range(60):
        distance = math.sqrt(near * far)
        near, far = (
            (distance, far)
            if polygon_area(at(distance).project(page)) > view["fill"] * width * height
            else (near, distance)
        )
    return at(far)
