"""Photos to measure on: one of the samples, drawn larger, with a camera's noise."""

from pathlib import Path

# Megapixels, and width and height of a photo held upright.
SIZES = {3: (1500, 2000), 12: (3000, 4000), 24: (4240, 5660), 48: (6000, 8000)}
# Levels; what a phone has by daylight.
NOISE = 3
QUALITY = 92


def make(sample: Path, folder: Path, megapixels: int, can_draw: bool) -> Path | None:
    """A JPEG of so many megapixels, the same on every run; made only once, and not at all without the packages for it."""
    path = folder / f"photo-{megapixels}.jpg"
    if path.exists():
        return path
    if not can_draw:
        return None
    import numpy as np
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    picture = np.asarray(Image.open(sample).convert("RGB").resize(SIZES[megapixels], Image.Resampling.BICUBIC))
    chance = np.random.default_rng(megapixels)
    noisy = picture + chance.normal(0, NOISE, picture.shape).astype(np.float32)
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(path, quality=QUALITY)
    return path

