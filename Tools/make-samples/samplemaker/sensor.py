"""Lens and sensor: what turns clean light into a phone's picture."""

import cv2
import numpy as np

from .materials import F

_LUMA = np.array([0.3, 0.59, 0.11], F)


def _curve(x):
    return np.where(x <= 0.0031308, x * 12.92, 1.055 * np.power(np.maximum(x, 1e-8), 1 / 2.4) - 0.055)


_TABLE = _curve(np.linspace(0, 1, 65536)).astype(F)


def vignette(photo, camera, amount):
    """Darkens the corners, in place; amount: 0...1 of the natural fall-off."""
    u = (np.arange(camera.width, dtype=F) + F(0.5) - camera.width / 2) / F(camera.f)
    v = (np.arange(camera.height, dtype=F) + F(0.5) - camera.height / 2) / F(camera.f)
    photo *= (1 - amount + amount / (1 + u[None] ** 2 + v[:, None] ** 2) ** 2).astype(F)[..., None]


def expose(photo, rng, exposure, noise, blur):
    """Lens blur (sigma in pixels), exposure, noise in linear light, then a phone's tone curve and sharpening.

    Works in place on linear light; returns 8-bit sRGB."""
    photo = cv2.GaussianBlur(photo, (0, 0), blur, borderType=cv2.BORDER_REFLECT)
    h, w = photo.shape[:2]
    photo *= F(exposure)
    knee = F(0.82)
    over = photo > knee
    photo[over] = knee + (1 - knee) * (1 - np.exp(-(photo[over] - knee) / (1 - knee)))
    deviation = np.sqrt(F(noise) * np.maximum(photo @ _LUMA, 0) + F(8e-7))
    grain = rng.standard_normal((h, w), dtype=F)
    grain = F(0.6) * grain + F(1.7) * cv2.GaussianBlur(grain, (0, 0), 0.8)
    photo += (grain * deviation)[..., None]
    for channel in (0, 2):  # noise in colour is coarser
        coarse = cv2.GaussianBlur(rng.standard_normal((h // 2, w // 2), dtype=F), (0, 0), 1.2) * F(2.2)
        photo[..., channel] += cv2.resize(coarse, (w, h), interpolation=cv2.INTER_LINEAR) * deviation * F(0.6)
    y = _TABLE[(np.clip(photo, 0, 1) * F(65535)).astype(np.uint16)]
    y += F(0.15 * 1.6) * (y - F(0.45)) * y * (1 - y)
    luma = y @ _LUMA
    detail = luma - cv2.GaussianBlur(luma, (0, 0), 1.2)
    detail = np.sign(detail) * np.maximum(np.abs(detail) - F(0.004), 0)  # cored, so as not to sharpen noise
    y += (F(0.5) * np.clip(detail, -0.12, 0.12))[..., None]
    return (np.clip(y, 0, 1) * F(255) + F(0.5)).astype(np.uint8)
