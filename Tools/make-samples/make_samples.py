#!/usr/bin/env python3
"""Draws Flatbed's sample photos, with the true corners of each page.

    python3 Tools/make-samples/make_samples.py --out SampleScans

The same versions of the packages in requirements.txt give the same pictures. `--scale 0.3` makes small ones for a quick
look, `--only NAME ...` makes single ones (truth.json then keeps what it has for the others).
"""

import argparse
import json
import os
import pathlib
import time
from concurrent.futures import ProcessPoolExecutor

import cv2
import numpy as np

from samplemaker import encode, photo
from samplemaker.catalogue import SAMPLES

SCAN_DOTS_PER_INCH = 150


def make_photo(sample, folder, scale):
    """Takes one photo, writes it, and returns its entry in truth.json."""
    width, height = (16 * round(side * scale / 16) for side in sample.size)
    page = sample.page(np.random.default_rng([sample.seed, 0])) if sample.page else None
    scene = dict(sample.scene)
    upright, quad = photo.take(scene, page, sample.seed, (width, height))
    f35 = {**photo.VIEW, **scene["view"]}["f35"]
    stored = encode.stored(upright, sample.orientation)
    profile = None
    if sample.display_p3:
        stored, profile = encode.to_display_p3(stored), encode.display_p3_profile()
    block = encode.exif(
        (stored.shape[1], stored.shape[0]), sample.orientation, sample.taken, f35, not sample.display_p3
    )
    encode.write_photo(folder / sample.name, stored, block, sample.quality, profile)
    return {
        "width": width,
        "height": height,
        "kind": sample.kind,
        "tags": sample.tags,
        "answer": "page" if page else "none",
        "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in quad] if page else None,
        "page_mm": list(page.mm) if page else None,
        "focal35": f35,
        "orientation": sample.orientation,
    }


def make_scan(sample, folder):
    """Draws the pages of a flat scan, writes them, and returns the entry in truth.json."""
    rng = np.random.default_rng([sample.seed, 0])
    frames = []
    for draw in sample.pages:
        page = draw(rng)
        size = tuple(round(mm / 25.4 * SCAN_DOTS_PER_INCH) for mm in page.mm)
        grey = cv2.resize(cv2.cvtColor(np.asarray(page.image), cv2.COLOR_RGB2GRAY), size, interpolation=cv2.INTER_AREA)
        frames.append(np.clip(grey - np.abs(rng.normal(0, 0.8, grey.shape)), 0, 255).astype(np.uint8))
    encode.write_scan(folder / sample.name, frames, SCAN_DOTS_PER_INCH)
    width, height = size
    return {
        "width": width,
        "height": height,
        "kind": sample.kind,
        "tags": sample.tags,
        "answer": "flat",
        "corners": [[0, 0], [width, 0], [width, height], [0, height]],
        "page_mm": list(page.mm),
        "focal35": None,
        "orientation": 1,
        "frames": len(frames),
    }


def make(job):
    """One sample; returns its name, its truth and the seconds it took."""
    index, folder, scale = job
    cv2.setNumThreads(1)  # the same sums in the same order everywhere
    start, sample = time.monotonic(), SAMPLES[index]
    truth = make_scan(sample, folder) if sample.pages else make_photo(sample, folder, scale)
    return sample.name, truth, time.monotonic() - start


def truth_text(truth):
    """truth.json with a line for each photo."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(truth[name])}" for name in sorted(truth))
    return "{\n" + lines + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder to write into")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these samples")
    parser.add_argument("--scale", type=float, default=1.0, help="size, 1 for the real one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    wanted = [i for i, sample in enumerate(SAMPLES) if not arguments.only or sample.name in arguments.only]
    truth_file = arguments.out / "truth.json"
    truth = json.loads(truth_file.read_text()) if arguments.only and truth_file.exists() else {}
    total = 0
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name, entry, seconds in pool.map(make, [(i, arguments.out, arguments.scale) for i in wanted]):
            truth[name] = entry
            size = (arguments.out / name).stat().st_size
            total += size
            print(
                f"{name:32s} {entry['width']} x {entry['height']}  {size / 1e6:5.2f} MB  {seconds:5.1f} s", flush=True
            )
    truth_file.write_text(truth_text(truth))
    print(f"{len(wanted)} samples, {total / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
