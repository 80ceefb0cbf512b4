"""What tesseract reads, against what is printed."""

import os
import shutil
import subprocess
import tempfile

import cv2
import numpy as np

# Signs that are printed in one way and read in another, and separators that are often read as strokes.
SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-", "|": " ", "•": " ", "©": " "})
# Tesseract's page layouts: automatic is worst at pages with little on them, so each page is read in two ways and the better counts.
COLUMN_OF_TEXT, BLOCK_OF_TEXT, SPARSE_TEXT = 4, 6, 11
# The long side of the picture that is read: print of 10 points is then some 30 pixels high on A4, which suits tesseract.
READING_SIDE = 2600
# A line that something covers by this share or more can't be read by anybody.
COVERED = 0.1


def is_there():
    return shutil.which("tesseract") is not None


def plain(text):
    """Small letters, one kind of quotes and dashes, single spaces."""
    return " ".join(text.casefold().translate(SAME).split())


def distance_within(line, text):
    """The least edit distance of a line to any part of a text (Sellers 1980)."""
    codes = np.array([ord(sign) for sign in text])
    index = np.arange(len(codes) + 1)
    best = np.zeros(len(codes) + 1, int)
    for number, sign in enumerate(line, 1):
        row = np.empty_like(best)
        row[0] = number
        row[1:] = np.minimum(best[1:] + 1, best[:-1] + (codes != ord(sign)))
        # Skipping signs of the text costs one each: a running minimum along the row.
        best = np.minimum.accumulate(row - index) + index
    return int(best.min())


def error_rate(lines, text):
    """The share of wrong characters: each true line against the place in the text that is nearest to it.

    The order of lines doesn't matter, and neither does text that is read beside them. None without a line.
    """
    lines = [line for line in map(plain, lines) if line]
    if not lines:
        return None
    text = plain(text)
    return sum(min(len(line), distance_within(line, text)) for line in lines) / sum(map(len, lines))


def read(gray, layout):
    """The text that tesseract finds in a grey picture."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        cv2.imwrite(file.name, gray, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        # One thread: more of them read the same, and disturb the other pages.
        run = subprocess.run(
            ["tesseract", file.name, "-", "-l", "eng", "--psm", str(layout), "--dpi", "300"],
            capture_output=True, text=True, check=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
    return run.stdout


def page_error_rate(picture, truth):
    """The error rate of a picture of a page, of the better of two readings; None where the truth has no text."""
    lines = [line["text"] for line in truth.get("lines", []) if line.get("occluded", 0) < COVERED]
    if not any(map(plain, lines)):
        return None
    size = truth.get("full_size") or truth["clean_size"]
    scale = min(1.0, READING_SIDE / max(size))
    size = tuple(round(side * scale) for side in size)
    method = cv2.INTER_AREA if picture.shape[1] > size[0] else cv2.INTER_CUBIC
    gray = cv2.cvtColor(cv2.resize(picture, size, interpolation=method), cv2.COLOR_BGR2GRAY)
    second = SPARSE_TEXT if truth["kind"] == "whiteboard" else BLOCK_OF_TEXT
    return min(error_rate(lines, read(gray, layout)) for layout in (COLUMN_OF_TEXT, second))
