"""What people would use instead, doing the same job with the same corners given.

usage: peers.py opencv PHOTO RUNS WIDTH HEIGHT X,Y X,Y X,Y X,Y FOLDER
Prints one JSON object: seconds of each run of each step, and sizes of files. Imports and start-up aren't counted.
"""

import json
import sys
import time
from pathlib import Path


def opencv(photo: str, runs: int, size: tuple[int, int], corners: list[list[float]], folder: Path) -> dict:
    import os

    import cv2
    import numpy as np

    cv2.setNumThreads(len(os.sched_getaffinity(0)))
    width, height = size
    flat = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    # Wall time, and processor time, which other programs on the machine disturb less.
    seconds: dict[str, list[float]] = {name: [] for name in ("read", "warp", "enhance", "write", "job", "write flat")}
    processor: dict[str, list[float]] = {name: [] for name in seconds}
    # The first run warms up and isn't told.
    for run in range(runs + 1):
        times = [(time.perf_counter(), time.process_time())]
        picture = cv2.imread(photo)
        times.append((time.perf_counter(), time.process_time()))
        matrix = cv2.getPerspectiveTransform(np.float32(corners), flat)
        page = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_CUBIC)
        times.append((time.perf_counter(), time.process_time()))
        # The usual way: divide by a blurred copy, then stretch.
        small = cv2.resize(page, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
        paper = cv2.medianBlur(cv2.dilate(small, np.ones((7, 7), np.uint8)), 21)
        paper = cv2.resize(paper, size, interpolation=cv2.INTER_LINEAR)
        clean = cv2.normalize(cv2.divide(page, paper, scale=255), None, 0, 255, cv2.NORM_MINMAX)
        times.append((time.perf_counter(), time.process_time()))
        cv2.imwrite(str(folder / "opencv-enhanced.png"), clean)
        times.append((time.perf_counter(), time.process_time()))
        cv2.imwrite(str(folder / "opencv-flat.png"), page)
        times.append((time.perf_counter(), time.process_time()))
        if run == 0:
            continue
        for name, start, end in (("read", 0, 1), ("warp", 1, 2), ("enhance", 2, 3), ("write", 3, 4), ("job", 0, 4),
                                 ("write flat", 4, 5)):
            seconds[name].append(times[end][0] - times[start][0])
            processor[name].append(times[end][1] - times[start][1])
    sizes = {name: (folder / f"opencv-{name}.png").stat().st_size for name in ("enhanced", "flat")}
    return {"version": cv2.__version__, "seconds": seconds, "processor": processor, "bytes": sizes}


if __name__ == "__main__":
    _, _, photo, runs, width, height, *corners, folder = sys.argv
    points = [[float(number) for number in corner.split(",")] for corner in corners]
    print(json.dumps(opencv(photo, int(runs), (int(width), int(height)), points, Path(folder))))
