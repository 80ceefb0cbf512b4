#!/usr/bin/env python3
"""Measures what grows: libraries of many scans, folders of many photos, and how fast the program starts.

    Benchmarks/scale.py [--scans 10000] [--photos 100] [--small 1000] [--runs 9] [--only libraries,photos,start]

Times by the clock are those of a machine that does nothing else; processor time tells how far it was from that. Libraries
are made anew, in memory (/dev/shm) since making 10 000 scans safe on a disk takes minutes; --on DIR puts them elsewhere.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build" / "release"
PROGRAM = PROGRAMS / "flatbed"
SAMPLES = ["invoice-window-light", "invoice-on-cloth", "card-glare-dark-stone", "note-yellow-sideways",
           "certificate-display-p3", "receipt-faint-thermal"]


def run(words, environment, processors=None):
    """Milliseconds by the clock and of the processor, and the peak of memory in MB."""
    words = [str(word) for word in words]
    if processors:
        words = ["taskset", "-c", processors] + words
    start = time.monotonic()
    child = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


def several(name, words, environment, runs, processors=None):
    results = [run(words, environment, processors) for _ in range(runs)]
    wall, work, memory = zip(*results)
    print(f"{name:44} clock {statistics.median(wall):8.1f} ms ({min(wall):.1f} to {max(wall):.1f})   "
          f"processor {statistics.median(work):8.1f} ms   peak {max(memory):4.0f} MB", flush=True)


def libraries(folder, environment, options):
    for scans in (options.scans // 10, options.scans):
        for kind in ("owner-only", "protected", "protected mixed"):
            library = folder / "library"
            words = [PROGRAMS / "MakeLibrary", library, scans] + (["mixed"] if "mixed" in kind else [])
            if "protected" in kind:
                words.append(folder / "passphrase")
            subprocess.run([str(word) for word in words], check=True)
            own = dict(environment, FLATBED_LIBRARY=str(library))
            if "protected" in kind:
                run([PROGRAM, "unlock", "--quiet"], own)
            for command in (["list"], ["show", f"Contract {scans // 2}"], ["list", "--completions"],
                            ["list", "--json"]):
                several(f"{scans} scans, {kind}: {command[0]} {''.join(command[1:])[:13]}", [PROGRAM] + command, own,
                        options.runs)
            if "protected" in kind:
                run([PROGRAM, "lock", "--quiet"], own)
            shutil.rmtree(library)


def draw(folder, count, pixels):
    """Sample photos brought to a size; bytes behind the end of a JPEG make other files of the same picture."""
    folder.mkdir()
    pictures = []
    for name in SAMPLES:
        picture = folder.parent / f"{name}-{pixels}.jpg"
        subprocess.run(["convert", str(ROOT / "SampleScans" / f"{name}.jpg"), "-resize", f"{pixels}@", "-quality",
                        "90", str(picture)], check=True)
        pictures.append(picture.read_bytes())
        picture.unlink()
    for number in range(count):
        (folder / f"{number + 1}.jpg").write_bytes(pictures[number % len(pictures)] + b"%06d" % number)
    return folder


def photos(folder, environment, options):
    library = folder / "library"
    own = dict(environment, FLATBED_LIBRARY=str(library))

    def scan(source, processors):
        run([PROGRAM, "library", "init", "--quiet"], own)
        run([PROGRAM, "unlock", "--quiet"], own)
        several(f"scan {source.name} on {processors}", [PROGRAM, "scan", "--quiet", source], own, 1, processors)
        run([PROGRAM, "lock", "--quiet"], own)
        shutil.rmtree(library)

    small, large = 2_000_000, 12_192_768
    for source in (draw(folder / "1 photo of 12 megapixels", 1, large),
                   draw(folder / f"{options.photos} photos of 12 megapixels", options.photos, large),
                   draw(folder / "10 photos of 2 megapixels", 10, small),
                   draw(folder / f"{options.small} photos of 2 megapixels", options.small, small)):
        for processors in ("0", "0,1") if "12" in source.name else ("0,1",):
            scan(source, processors)
        shutil.rmtree(source)


def start(environment):
    for option in ("--help", "--version"):
        several(f"flatbed {option}", [PROGRAM, option], environment, 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scans", type=int, default=10_000)
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--small", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="start,libraries,photos")
    parser.add_argument("--on", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="flatbed-scale-", dir=options.on) as name:
        folder = pathlib.Path(name)
        passphrase = folder / "passphrase"
        passphrase.touch(0o600)
        passphrase.write_text("only a benchmark's passphrase\n")
        runtime = folder / "runtime"
        runtime.mkdir(0o700)
        environment = dict(os.environ, FLATBED_PASSPHRASE_FILE=str(passphrase), XDG_RUNTIME_DIR=str(runtime))
        if "start" in options.only:
            start(environment)
        if "libraries" in options.only:
            libraries(folder, environment, options)
        if "photos" in options.only:
            photos(folder, environment, options)


if __name__ == "__main__":
    main()
