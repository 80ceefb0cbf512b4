"""All that is measured and shown of one page."""

import json
import pathlib

import cv2

from . import looks, peers, text
from .placing import Placing

# The long side of the small pictures, and the size of the part that is shown at full size: enough to see a stroke's edge.
VIEW_SIDE = 900
DETAIL = 640, 200


def measured(page, folder, with_text):
    """An entry of pages.json with everything in it, kept beside the page's pictures: a run that was stopped goes on from there.

    Runs in a process of its own. Pages that are flattened anew come without what was kept.
    """
    kept = folder / page["folder"] / "measured.json"
    if kept.exists():
        done = json.loads(kept.read_text(encoding="utf-8"))
        if done["names"] == page["names"] and done["with_text"] == with_text:
            return done
    done = {**measure(page, folder, with_text), "with_text": with_text}
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(done), encoding="utf-8")
    return done


def measure(page, folder, with_text):
    """Adds the peers' pictures, small copies of all, and the measures that the truth allows."""
    cv2.setNumThreads(1)
    page = {**page, "views": {}, "full": {}, "measures": {}, "remarks": []}
    truth, clean = page["truth"], None
    if page.get("clean"):
        clean = cv2.imread(page["clean"], cv2.IMREAD_COLOR)
    if page["corners"] is None:
        # A page that wasn't found can't be read.
        if with_text and clean is not None and truth.get("lines"):
            page["measures"] = {name: {"CER": 1.0} for name in page["names"]}
        return page
    pictures = {name: cv2.imread(str(folder / path), cv2.IMREAD_COLOR) for name, path in page["pictures"].items()}
    page["full"] = dict(page["pictures"])
    flat = pictures["original"]
    for name, make, _ in peers.at_hand()[0]:
        try:
            pictures[name] = make(flat)
        except peers.Failure as error:
            page["remarks"].append(f"{name} failed on {page['file']}: {error}")
    placing = seen = None
    if clean is not None:
        truth["clean_size"] = [clean.shape[1], clean.shape[0]]
        seen = looks.visible(truth)
        placing = Placing(flat, clean, seen, page["corners"], page["true_corners"])
    detail = detail_of(flat, truth if clean is not None else {})
    views = pathlib.Path(page["folder"])
    for name, picture in pictures.items():
        page["views"][name] = [str(views / f"{name}.view.jpg"), str(views / f"{name}.detail.jpg")]
        save(folder / page["views"][name][0], small(picture))
        save(folder / page["views"][name][1], part(picture, detail))
        if placing is not None:
            page["measures"][name] = of_picture(picture, clean, truth, seen, placing, with_text)
    own = page["measures"].get("original", {}).pop("contrast", None)
    for found in page["measures"].values():
        contrast = found.pop("contrast", own)
        if own is not None and contrast is not None:
            found["faintx"] = contrast / max(1.0, own)
    return page


def of_picture(picture, clean, truth, seen, placing, with_text):
    found = {}
    placed = placing.placed(picture)
    if "paper_rgb" in truth:
        found |= looks.of_paper(placed, clean, truth, seen)
        found["contrast"] = looks.faint_contrast(placed, clean, truth, seen)
        if picture.max(2).astype(int).sum() != picture.min(2).astype(int).sum():  # Black and white has no colours to be right.
            found |= looks.of_colours(placed, clean, truth, seen)
    if with_text and truth.get("lines"):
        found["CER"] = text.page_error_rate(picture, truth)
    return found


def small(picture):
    scale = VIEW_SIDE / max(picture.shape)
    return picture if scale >= 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def detail_of(flat, truth):
    """The middle of what is worth a look: where a faint line begins, else one in the middle of the text, else the page's middle."""
    height, width = flat.shape[:2]
    lines = truth.get("lines") or []
    lines = [line for line in lines if line.get("faint")] or lines
    if not lines:
        return width // 2, height // 2
    left, top, _, bottom = lines[len(lines) // 2]["box"]
    clean_width, clean_height = truth["clean_size"]
    return int(left / clean_width * width + 0.45 * DETAIL[0]), int((top + bottom) / 2 / clean_height * height)


def part(picture, middle):
    height, width = picture.shape[:2]
    wide, high = min(DETAIL[0], width), min(DETAIL[1], height)
    left = min(max(0, middle[0] - wide // 2), width - wide)
    top = min(max(0, middle[1] - high // 2), height - high)
    return picture[top:top + high, left:left + wide]


def save(path, picture):
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
