#!/usr/bin/env python3
"""Measures the speed of the stages and of the whole job, beside the floor and beside what people would use instead.

Figures are ratios within one run: machines differ, and so do their hours.
"""

import argparse
import importlib.util
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PROGRAM = ROOT / ".build/release/flatbed"
STAGES = ROOT / ".build/release/StageBenchmark"


def enter_venv(folder: Path) -> None:
    """Goes on in an environment of its own that has what requirements.txt names, as far as it can be had; made on the first run."""
    python = folder / "bin/python"
    try:
        if not (folder / "complete").exists():
            print(f"Installing what peers need into {folder}")
            venv.create(folder, with_pip=True, clear=True, system_site_packages=True)
            missing = False
            for requirement in (HERE / "requirements.txt").read_text().split():
                done = subprocess.run([python, "-m", "pip", "install", "-q", requirement], capture_output=True, text=True)
                if done.returncode:
                    missing = True
                    reason = (done.stderr.strip() or "pip failed").splitlines()[-1]
                    print(f"{requirement} can't be installed: {reason}")
            if not missing:
                (folder / "complete").touch()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"No environment for Python's packages can be made: {error}")
        return
    if Path(sys.prefix) != folder:
        # Marked, so that an environment that lacks something isn't made again and again.
        os.environ["FLATBED_BENCH_ENTERED"] = "1"
        os.execv(python, [python, *sys.argv])


def is_there(*modules: str) -> bool:
    """Whether Python has these packages."""
    return all(importlib.util.find_spec(module) for module in modules)


def run(*command, processors: str, environment: dict | None = None) -> dict:
    """Runs a program and tells its wall time and processor time in seconds, and its peak memory in megabytes."""
    words = [str(word) for word in command]
    done = subprocess.run([sys.executable, "-I", "-S", HERE / "launch.py", processors, *words], capture_output=True,
                          text=True, env={**os.environ, **(environment or {})})
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    result = json.loads(done.stdout)
    if result.pop("status") not in (0, 1):
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    return result


def repeated(runs: int, prepare=None, *command, **options) -> dict:
    """The median and the spread of several runs, after one that isn't counted."""
    taken = []
    for index in range(runs + 1):
        if prepare:
            prepare()
        taken.append(run(*command, **options))
    taken = taken[1:]
    return {key: spread([one[key] for one in taken]) for key in taken[0]}


def spread(values: list[float]) -> dict:
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def stages(photo: Path) -> dict:
    """Milliseconds of each stage on one thread, as StageBenchmark prints them."""
    text = subprocess.run(["taskset", "-c", "0", STAGES, photo], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^ +(.+?) +min +([\d.]+) +median +([\d.]+)", text, re.MULTILINE)
    return {name: {"least": float(least), "median": float(median)} for name, least, median in found}


def corners_of(photo: Path) -> list[str]:
    answer = subprocess.run([PROGRAM, "detect", "--json", photo], check=True, capture_output=True, text=True).stdout
    corners = next(iter(json.loads(answer).values()))["corners"]
    return [f"{x},{y}" for x, y in corners]


def floor(photo: Path, picture: Path, folder: Path, runs: int) -> dict:
    """Milliseconds of decoding the photo, of reading a PNG, and of saving its pixels."""
    program = folder / "floor"
    if not program.exists():
        subprocess.run([os.environ.get("CC", "cc"), "-O3", HERE / "floor.c", "-o", program, "-ljpeg", "-lpng", "-ldeflate"],
                       check=True)
    answer = json.loads(subprocess.run(["taskset", "-c", "0", program, photo, str(runs), picture], check=True,
                                       capture_output=True, text=True).stdout)
    return {name: spread(answer[name]) for name in ("decode", "read", "save")} | {
        name: answer[name] for name in ("bytes", "width", "height")}


def measure(photo: Path, folder: Path, runs: int) -> dict:
    """Everything about one photo."""
    corners = corners_of(photo)
    flat, enhanced = folder / "flat.png", folder / "enhanced.png"
    flatten = [PROGRAM, "flatten", photo, "--force", "--corners", *corners]
    subprocess.run([*flatten, "-o", flat, "--mode", "original"], check=True, capture_output=True)
    result = {"corners": corners, "stages": stages(photo)}
    result["flatten enhanced"] = {
        count: repeated(runs, None, *flatten, "-o", enhanced, "--mode", "enhanced", processors=processors)
        for count, processors in (("one", "0"), ("two", "0,1"))}
    result["bytes"] = {"flat": flat.stat().st_size, "enhanced": enhanced.stat().st_size}
    bilevel = folder / "bw.png"
    subprocess.run([*flatten, "-o", bilevel, "--mode", "bw"], check=True, capture_output=True)
    pages = {"flat": flat, "enhanced": enhanced, "bw": bilevel}
    result["floor"] = {name: floor(photo, page, folder, runs) for name, page in pages.items()}
    size = (result["floor"]["flat"]["width"], result["floor"]["flat"]["height"])
    result["page"] = size
    result["scan"] = {
        count: scan(photo, folder, runs, processors) for count, processors in (("one", "0"), ("two", "0,1"))}
    result["export"] = export(photo, folder, runs)
    result["opencv"] = None
    if is_there("cv2", "numpy"):
        result["opencv"] = {
            count: json.loads(subprocess.run(
                ["taskset", "-c", processors, sys.executable, HERE / "peers.py", "opencv", photo, str(runs),
                 str(size[0]), str(size[1]), *corners, folder], check=True, capture_output=True, text=True).stdout)
            for count, processors in (("one", "0"), ("two", "0,1"))}
    result["imagemagick"] = imagemagick(photo, corners, size, folder)
    return result


class Unlocked:
    """A protected library that is unlocked."""

    def __init__(self, folder: Path):
        self.path, self.recovery, secret = folder / "library", folder / "recovery", folder / "passphrase"
        secret.write_text("only a measurement's passphrase\n")
        secret.chmod(0o600)
        # The key of an unlocked library is kept behind a socket there, whose path mustn't be long.
        self.runtime = tempfile.TemporaryDirectory(prefix="flatbed-")
        self.environment = {"XDG_RUNTIME_DIR": self.runtime.name}
        self.whole = {**os.environ, **self.environment, "FLATBED_PASSPHRASE_FILE": str(secret)}

    def __enter__(self):
        self.renew()
        return self

    def renew(self) -> None:
        """Begins with an empty one."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.recovery.unlink(missing_ok=True)
        for words in (["library", "init", "--recovery-file", self.recovery], ["unlock"]):
            subprocess.run([PROGRAM, *words, "--library", self.path], check=True, capture_output=True, env=self.whole)

    def __exit__(self, *_) -> None:
        subprocess.run([PROGRAM, "lock", "--library", self.path], capture_output=True, env=self.whole)
        shutil.rmtree(self.path, ignore_errors=True)
        self.runtime.cleanup()


def scan(photo: Path, folder: Path, runs: int, processors: str) -> dict:
    """Into a protected library that is unlocked and made anew for each run."""
    with Unlocked(folder) as library:
        return repeated(runs, library.renew, PROGRAM, "scan", "--library", library.path, photo, processors=processors,
                        environment=library.environment)


def export(photo: Path, folder: Path, runs: int) -> dict:
    """The page of a scan in a protected library that is unlocked, on one processor."""
    with Unlocked(folder) as library:
        subprocess.run([PROGRAM, "scan", "--library", library.path, "--title", "page", photo], check=True,
                       capture_output=True, env=library.whole)
        return {mode: repeated(runs, None, PROGRAM, "export", "--library", library.path, "page", "--mode", mode, "--force",
                               "-o", folder / "exported.png", processors="0", environment=library.environment)
                for mode in ("enhanced", "bw")}


def imagemagick(photo: Path, corners: list[str], size: tuple[int, int], folder: Path) -> dict | None:
    program = shutil.which("magick") or shutil.which("convert")
    if not program:
        return None
    width, height = size
    ends = [(0, 0), (width, 0), (width, height), (0, height)]
    pairs = " ".join(f"{corner} {x},{y}" for corner, (x, y) in zip(corners, ends))
    target = folder / "imagemagick.png"
    taken = run(program, photo, "-auto-orient", "-define", f"distort:viewport={width}x{height}", "-distort",
                "Perspective", pairs, "-normalize", target, processors="0")
    return {"wall": taken["wall"], "cpu": taken["cpu"], "megabytes": taken["megabytes"], "bytes": target.stat().st_size}


def report(results: dict) -> None:
    start_up = results["start-up"]["wall"]["median"]
    for megapixels, one in results["photos"].items():
        stage, base = one["stages"], one["floor"]
        print(f"\n{megapixels} megapixels, the page {one['page'][0]} × {one['page'][1]}")
        for name, entry in stage.items():
            print(f"  {name:28}{entry['median']:9.1f} ms   {entry['median'] / base['flat']['decode']['median']:5.2f} × decode")
        for name in ("flat", "enhanced"):
            floor_ms = base[name]["decode"]["median"] + base[name]["save"]["median"]
            print(f"  floor of the {name} page".ljust(30) + f"{floor_ms:9.1f} ms   {base[name]['bytes'] / 1e6:5.2f} MB,"
                  f" ours {one['bytes'][name] / 1e6:5.2f} MB")
        floor_ms = base["flat"]["decode"]["median"] + base["flat"]["save"]["median"]
        # On one processor its own time counts, which others disturb little; on two the clock on the wall.
        for count, clock, theirs_clock in (("one", "cpu", "processor"), ("two", "wall", "seconds")):
            entry = one["scan"][count]
            taken = 1e3 * entry[clock]["median"]
            print(f"  scan, processors: {count}".ljust(30) + f"{taken:9.1f} ms   "
                  f"{taken / floor_ms:5.2f} × floor, {entry['megabytes']['most']:.0f} MB")
            ours = one["flatten enhanced"][count][clock]["median"] - results["start-up"][clock]["median"]
            if not one["opencv"]:
                print(f"  flatten enhanced on {count}".ljust(30) + f"{1e3 * ours:9.1f} ms")
                continue
            theirs = statistics.median(one["opencv"][count][theirs_clock]["job"])
            print(f"  flatten enhanced on {count}".ljust(30) + f"{1e3 * ours:9.1f} ms   OpenCV takes "
                  f"{theirs / ours:5.2f} × as long, {one['opencv'][count]['bytes']['enhanced'] / 1e6:.2f} MB")
        for mode, entry in one["export"].items():
            floor_ms = base["flat"]["read"]["median"] + base[mode]["save"]["median"]
            taken = 1e3 * entry["cpu"]["median"]
            print(f"  export, {mode}".ljust(30) + f"{taken:9.1f} ms   {taken / floor_ms:5.2f} × libpng's reading and the"
                  f" floor's saving, {entry['megabytes']['most']:.0f} MB")
        if not one["opencv"]:
            print("  OpenCV is missing")
        steps = one["opencv"]["one"]["processor"] if one["opencv"] else {}
        for name, ours_name in (("warp", "flatten"), ("write flat", "encode the flat page")) if steps else ():
            theirs = 1e3 * statistics.median(steps[name])
            print(f"  OpenCV: {name}".ljust(30) + f"{theirs:9.1f} ms   {theirs / stage[ours_name]['median']:5.2f} × ours")
        if one["imagemagick"]:
            ours = one["flatten enhanced"]["one"]["cpu"]["median"]
            print("  ImageMagick".ljust(30) + f"{1e3 * one['imagemagick']['cpu']:9.1f} ms   "
                  f"{one['imagemagick']['cpu'] / ours:5.2f} × ours, {one['imagemagick']['bytes'] / 1e6:.2f} MB")
        else:
            print("  ImageMagick is missing")
    print("\nlibvips corrects no perspective, so it isn't compared.")
    print(f"flatbed --version takes {1e3 * start_up:.1f} ms.")


def compare(results: dict, before: dict) -> None:
    """What changed against a saved run, stage by stage, as multiples of decoding in the same run."""
    print("\nagainst the saved run")
    for megapixels, one in results["photos"].items():
        old = before["photos"].get(megapixels)
        if not old:
            continue
        for name, entry in one["stages"].items():
            if name not in old["stages"]:
                continue
            def ratio(result: dict) -> float:
                return result["stages"][name]["median"] / result["floor"]["flat"]["decode"]["median"]
            print(f"  {megapixels:>3} MP  {name:28}{ratio(old):7.2f} → {ratio(one):5.2f} × decode")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="3,12,24,48", help="megapixels, with commas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=ROOT / ".build/bench/result.json")
    parser.add_argument("--compare", type=Path, help="a result of an earlier run")
    options = parser.parse_args()
    folder = ROOT / ".build/bench"
    folder.mkdir(parents=True, exist_ok=True)
    if "FLATBED_BENCH_ENTERED" not in os.environ:
        enter_venv(folder / "venv")
    import photos

    can_draw = is_there("numpy", "PIL")
    if not can_draw:
        print("Photos are measured that were drawn before, since numpy and Pillow, which draw them, are missing.")

    before = json.loads(options.compare.read_text()) if options.compare else None
    results: dict = {"photos": {}}
    results["start-up"] = repeated(4 * options.runs, None, PROGRAM, "--version", processors="0")
    with tempfile.TemporaryDirectory(dir=folder) as work:
        for megapixels in map(int, options.sizes.split(",")):
            photo = photos.make(ROOT / "SampleScans/invoice-on-cloth.jpg", folder / "photos", megapixels, can_draw)
            if not photo:
                print(f"There is no photo of {megapixels} megapixels.")
                continue
            results["photos"][str(megapixels)] = measure(photo, Path(work), options.runs)
    options.out.write_text(json.dumps(results, indent=2) + "\n")
    report(results)
    if before:
        compare(results, before)
    print(f"\nAll figures are in {options.out}.")


if __name__ == "__main__":
    main()
