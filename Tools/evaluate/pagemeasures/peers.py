"""What others make of the same flat page."""

import pathlib
import shutil
import subprocess
import tempfile

import cv2
import numpy as np


def divided(page):
    """OpenCV: each channel over its background, which is a median of local maxima of a small copy."""
    scale = 600 / max(page.shape)
    channels = []
    for channel in cv2.split(page):
        small = cv2.resize(channel, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        light = cv2.medianBlur(cv2.dilate(small, np.ones((11, 11), np.uint8)), 31)
        light = cv2.resize(cv2.GaussianBlur(light, (0, 0), 5), page.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        channels.append(np.clip(channel * 250.0 / np.maximum(light, 1), 0, 255).astype(np.uint8))
    return cv2.merge(channels)


def window(page):
    """The side of a local threshold's window: some lines of print, whatever the page's size; odd, as OpenCV wants it."""
    return max(11, int(max(page.shape[:2]) / 60) | 1)


def threshold(page):
    """OpenCV: the adaptive threshold of every scanning tutorial."""
    gray = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    black = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY, window(page), 10)
    return cv2.cvtColor(black, cv2.COLOR_GRAY2BGR)


class Failure(Exception):
    """A program that didn't make a picture, in its own words."""


def run(page, suffix, command):
    """What a program makes of the page: `command` gets the paths of the picture it reads and the one it writes."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = (pathlib.Path(folder, name + suffix) for name in ("in", "out"))
        cv2.imwrite(str(source), page)
        ended = subprocess.run(command(str(source), str(result)), capture_output=True, text=True, errors="replace")
        made = cv2.imread(str(result), cv2.IMREAD_COLOR) if result.exists() else None
        if ended.returncode != 0 or made is None:
            said = ended.stderr.strip().splitlines()
            raise Failure(said[-1] if said else f"it ended with status {ended.returncode}")
        return made


def unpaper(page):
    """unpaper's filters. Its search for the page's place and turn is off, since the page is flat and complete."""
    geometry = ["--no-deskew", "--no-mask-scan", "--no-mask-center", "--no-border-scan", "--no-border-align"]
    return run(page, ".ppm", lambda source, result: ["unpaper", "--layout", "none", *geometry, source, result])


def local_threshold(page):
    """ImageMagick in the manner of the textcleaner script: stretched, white wherever a local threshold sees no ink, sharpened.

    The offset is the script's own. Its window of 15 pixels is for small pictures and hollows out the strokes of large ones, so it is
    the one of `threshold`: that reads better and keeps more of faint print and of colours.
    """
    side = window(page)
    white = ["(", "-clone", "0", "-fill", "white", "-colorize", "100", ")"]
    ink = ["(", "-clone", "1", "-colorspace", "gray", "-negate", "-lat", f"{side}x{side}+5%", ")"]
    return run(page, ".png", lambda source, result: [
        "convert", source, "-contrast-stretch", "0", *white, "-swap", "0,1", *ink, "-composite", "-sharpen", "0x1", result])


# Name, what makes it, and the program it needs beside OpenCV.
PEERS = [
    ("divided", divided, None),
    ("threshold", threshold, None),
    ("unpaper", unpaper, "unpaper"),
    ("ImageMagick", local_threshold, "convert"),
]


def at_hand():
    """The peers whose programs are there, and the names of those that aren't."""
    here = [peer for peer in PEERS if peer[2] is None or shutil.which(peer[2])]
    return here, [name for name, _, program in PEERS if program and not shutil.which(program)]
