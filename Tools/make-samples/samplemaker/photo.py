"""One photo: the page on its desk, lit, and taken."""

import cv2
import numpy as np

from . import camera as cameras
from . import light as lights
from . import paper
from .materials import F, MATERIALS, linear
from .objects import THINGS
from .painting import fill_polygon
from .sensor import expose, vignette

# What a scene has unless it says otherwise.
VIEW = {"f35": 26, "tilt": 12.0, "away": 0.0, "roll": 0.0, "fill": 0.6, "shift": (0.0, 0.0)}
SCENE = {
    "view": {},
    "desk": ("wood", {}),
    "things": (),
    "light": {},
    "sun": (0.35, 0.25),
    "shadow": None,
    "glare": None,
    "gloss": 0.5,
    "curl": None,
    "folds": (),
    "crumple": 0.0,
    "fibre": 1.0,
    "frame_mm": 0.0,
    "frame": (176, 178, 182),
    "hover": 0.8,
    "white": 215,
    "noise": 1.2e-4,
    "blur": 0.7,
    "vignette": 0.25,
}
EMPTY_VIEW_MM = (210.0, 297.0)  # what the camera of a photo without a page is aimed at


def _random(seed, stream):
    return np.random.default_rng([seed, stream])


def take(scene, page, seed, size):
    """The upright photo as 8-bit sRGB of size (width, height), and the page's corners in it, from its own top-left
    clockwise (None without a page)."""
    scene = {**SCENE, **scene}
    width, height = size
    mm = page.mm if page else EMPTY_VIEW_MM
    camera = cameras.aim(width, height, {**VIEW, **scene["view"]}, mm)
    sun = np.array(scene["sun"], float)
    material, details = scene["desk"]
    photo = MATERIALS[material](_random(seed, 1), *camera.plane_coordinates(), **details)
    rng = _random(seed, 2)
    things = [THINGS[name](rng, **extra).put(x, y, turn) for name, x, y, turn, extra in scene["things"]]
    on_page = [t for t in things if page and abs(t.x) < mm[0] / 2 and abs(t.y) < mm[1] / 2]
    below = [t for t in things if t not in on_page]
    curl = paper.Curl(mm, **scene["curl"]) if scene["curl"] else None

    photo *= _enlarged(_contact_shadows(camera, below, mm if page else None, curl, scene, sun), width, height)[
        ..., None
    ]
    for thing in below:
        thing.paint(photo, camera, sun)
    quad = cover = None
    if page:
        if scene["frame_mm"]:
            _paint_frame(photo, camera, mm, scene["frame_mm"], linear(scene["frame"]))
        colours = paper.albedo(page, _random(seed, 3), scene["folds"], scene["crumple"], scene["fibre"])
        cover = paper.lay(photo, camera, mm, colours, curl, sun)
        quad = camera.project(paper.outline(mm, curl, 1))
        if on_page:
            photo *= _enlarged(_contact_shadows(camera, on_page, None, None, scene, sun), width, height)[..., None]
        for thing in on_page:
            thing.paint(photo, camera, sun)

    gain = lights.illumination(camera, **scene["light"])
    if scene["shadow"]:
        gain = gain * lights.shadow(camera, **scene["shadow"])
    photo *= _enlarged(gain, width, height)
    reference = _paper_brightness(photo, cover)
    if scene["glare"]:
        mirrored = lights.glare(camera, quad, **scene["glare"])
        photo += (_enlarged(mirrored, width, height) * cover * F(reference * scene["gloss"]))[..., None] * np.array(
            [1.0, 0.99, 0.96], F
        )
    vignette(photo, camera, scene["vignette"])
    exposure = float(linear(scene["white"])) / max(reference, 1e-4)
    return expose(photo, _random(seed, 4), exposure, scene["noise"], scene["blur"]), quad


def _enlarged(small, width, height):
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)


def _paper_brightness(photo, cover):
    """The brightness that the exposure goes by: the page's paper, or the bright part of an empty scene."""
    small = (photo.shape[1] // 16, photo.shape[0] // 16)
    luma = cv2.resize(photo, small, interpolation=cv2.INTER_AREA) @ np.array([0.3, 0.59, 0.11], F)
    if cover is None:
        return float(np.percentile(luma, 90))
    return float(np.percentile(luma[cv2.resize(cover, small, interpolation=cv2.INTER_AREA) > 0.9], 80))


def _contact_shadows(camera, things, page_mm, curl, scene, sun, step=2):
    """The shadows of things and page on what they lie on, as a gain at 1/step of the size."""
    gain = np.ones((camera.height // step, camera.width // step), F)

    def shade(points, blur_mm, scale, depth):
        mask = lights.soft_mask(gain.shape, [np.asarray(points) / step], blur_mm * scale / step)
        np.multiply(gain, 1 - F(depth) * mask, out=gain)

    for thing in things:
        scale = camera.scale_at((thing.x, thing.y))
        shade(camera.project(thing.shadow(sun)), max(0.5, 0.16 * thing.height), scale, 0.42)
        shade(camera.project(thing.outline()), 1.2 + 0.05 * min(thing.height, 40), scale, 0.35)
    if page_mm:
        mm, scale, frame = np.array(page_mm), camera.scale_at((0, 0)), scene["frame_mm"]
        edge = paper.outline(page_mm, curl)
        rise = scene["hover"] - edge[:, 2]
        soft = 0.3 * float(np.mean(rise)) + 0.5
        fallen = (edge[:, :2] + rise[:, None] * sun) * (1 + 2 * frame / mm)
        shade(camera.project(fallen), soft, scale, 0.45)
        shade(camera.project(edge[:, :2] * (1 + (2 * frame + 1.2) / mm)), 1.6 + 0.1 * scene["hover"], scale, 0.25)
    return gain


def _paint_frame(photo, camera, mm, wide, colour):
    """A board's metal frame around the writing surface."""
    inner = cameras.corners_of(mm)
    outer = inner + np.sign(inner) * wide
    for i in range(4):
        j = (i + 1) % 4
        fill_polygon(
            photo, camera.project(np.array([outer[i], outer[j], inner[j], inner[i]])), colour * (0.75 + 0.12 * i)
        )
