#!/usr/bin/env python3
"""Measures flat pages and lays them side by side with what other programs make of them: the second half of `make evaluate-pages`.

    evaluate_pages.py OUT [--jobs N] [--no-text]

OUT/pages.json and the pictures it names are written by `Evaluate pages`. This adds OUT/pages.html and OUT/pages.csv, and prints a
table. A run that was stopped goes on where it was when it is started again. What isn't installed (OpenCV, tesseract, unpaper, ImageMagick) is said to be missing, and left out. docs/enhancement.md says what is measured.
"""

import argparse
import json
import pathlib
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from pagemeasures import sheet

MODES = ["original", "enhanced", "bw"]


def with_truth(page, data):
    """The entry with what is known about its page, and the path of the clean page if it is there."""
    photo = pathlib.Path(page["file"])
    common, beside = data / "truth.json", data / (photo.stem + ".json")
    if common.exists():
        truth = json.loads(common.read_text(encoding="utf-8"))[page["file"]]
    else:
        truth = json.loads(beside.read_text(encoding="utf-8"))
    clean = data / (truth.get("clean") or photo.stem + ".clean.png")
    return {**page, "truth": truth, "clean": str(clean) if clean.exists() else None}


def counted(page, number, total):
    print(f"{number} of {total}: {page['file']}", file=sys.stderr)
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1, help="pages measured at the same time")
    parser.add_argument("--no-text", action="store_true", help="leave out the error rate, which takes most of the time")
    options = parser.parse_args()
    listed = json.loads((options.out / "pages.json").read_text(encoding="utf-8"))
    names, remarks = list(MODES), list(listed["remarks"])
    pages = [with_truth(page, pathlib.Path(listed["data"])) for page in listed["pages"]]
    try:
        from pagemeasures import page as measuring
        from pagemeasures import peers, text
    except ImportError as error:
        remarks.append(f"missing: {error.name}, so there are neither measures nor other programs' pages (pip install -r Tools/evaluate/requirements.txt)")
        pages = [{**page, "measures": {}, "full": page["pictures"], "views": {k: [v] for k, v in page["pictures"].items()}} for page in pages]
    else:
        here, missing = peers.at_hand()
        names += [name for name, _, _ in here]
        with_text = text.is_there() and not options.no_text
        if not text.is_there():
            missing.append("tesseract, so there is no error rate")
        remarks += [f"missing: {name}" for name in missing]
        pages = [{**page, "names": names} for page in pages]
        with ProcessPoolExecutor(options.jobs) as pool:
            work = partial(measuring.measured, folder=options.out, with_text=with_text)
            pages = [counted(page, number, len(pages)) for number, page in enumerate(pool.map(work, pages), 1)]
        remarks += [remark for page in pages for remark in page["remarks"]]
    sheet.write_sheet(options.out / "pages.html", pages, names, remarks)
    sheet.write_csv(options.out / "pages.csv", pages, names)
    print(sheet.report(pages, names, remarks))
    print(f"Every page, worst first: {options.out}/pages.html and pages.csv.")


if __name__ == "__main__":
    main()
