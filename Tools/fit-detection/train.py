#!/usr/bin/env python3
"""Train the net on laid scenes.

    train.py --scenes FILE [FILE …] --out net.pt [--steps 9000] [--batch 48] [--seed 1] [--show TRUTH.json FOLDER]

FILE is what scenes.py was given as --out. Each step sees new crops, turns and tones of the scenes, so a scene is never the
same twice. --show measures on photos with truth that take no part.
"""
import argparse
import ctypes
import json
import math
import os
import pickle
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from net import INPUT, MAP, PageNet, prepared
from scenes import FULL, NONE, PAGE

SHEETS = 3      # As many of the sheets in view as lie uppermost.
FAR = -9.0      # Stands for a sheet that isn't there.


def drawn(paths):
    """Those that are there yet: scenes may still be drawn while the training begins."""
    return [path for path in paths if os.path.exists(path + ".labels")]


def load(paths):
    photos = [np.load(path + ".npy", mmap_mode="r") for path in paths]
    labels = [label for path in paths for label in pickle.load(open(path + ".labels", "rb"))]
    kinds = torch.tensor([kind for kind, _, _ in labels])
    quads = torch.full((len(labels), 4, 2), FAR)
    sheets = torch.full((len(labels), SHEETS, 4, 2), FAR)
    for k, (_, quad, around) in enumerate(labels):
        if quad is not None:
            quads[k] = torch.from_numpy(quad)
        for j, sheet in enumerate(around[-SHEETS:]):
            sheets[k, j] = torch.from_numpy(sheet)
    return photos, kinds, quads, sheets


def weights_of(kinds, arguments):
    """How often each scene is taken; those held back never."""
    weights = torch.where(kinds == NONE, arguments.none, 1.0)
    weights[:arguments.held] = 0
    return weights


def photo_at(photos, index):
    for part in photos:
        if index < len(part):
            return part[index]
        index -= len(part)


def batch_of(photos, indices):
    """Scenes as they were drawn, as bytes: N × 3 × SIDE × SIDE."""
    return torch.from_numpy(np.stack([photo_at(photos, index) for index in indices])).permute(0, 3, 1, 2)


def crops(count, rng):
    """From places in a crop to places in its scene, both from -1 to 1: mirrored, turned by quarters and a little, 2 × 3."""
    scale = rng.uniform(0.78, 1.0, (count, 2))
    angle = rng.integers(0, 4, count) * (np.pi / 2)
    mirror = rng.integers(0, 2, count) * 2 - 1
    c, s = np.cos(angle).round(), np.sin(angle).round()
    matrix = np.empty((count, 2, 3), np.float32)
    matrix[:, 0, 0], matrix[:, 0, 1] = c * mirror * scale[:, 0], -s * scale[:, 0]
    matrix[:, 1, 0], matrix[:, 1, 1] = s * mirror * scale[:, 1], c * scale[:, 1]
    shear = rng.uniform(-0.04, 0.04, (count, 2))
    matrix[:, 0, 1] += shear[:, 0] * (matrix[:, 0, 1] == 0)
    matrix[:, 1, 0] += shear[:, 1] * (matrix[:, 1, 0] == 0)
    matrix[:, :, 2] = (1 - scale) * rng.uniform(-1, 1, (count, 2))
    return matrix


def cropped(photo, matrix):
    """A scene's bytes cut to INPUT × INPUT; what lies beyond is mirrored."""
    side, linear = len(photo), matrix[:, :2]
    shift = side / 2 * (linear.sum(1) * (1 / INPUT - 1) + matrix[:, 2] + 1) - 0.5
    in_pixels = np.column_stack([linear * (side / INPUT), shift]).astype(np.float32)
    return cv2.warpAffine(photo, in_pixels, (INPUT, INPUT), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REFLECT)


LEVELS = np.arange(256, dtype=np.float32)[:, None] / 255
GRAIN = np.random.default_rng(0).standard_normal((24, INPUT, INPUT, 3), np.float32)


def toned(photo, rng, out):
    """Other light, colours and noise, from -1 to 1."""
    x = LEVELS * (rng.uniform(0.8, 1.15) * rng.uniform(0.93, 1.07, 3))
    curve = x + rng.uniform(-0.45, 0.55) * x * (1 - x)
    saturation = rng.uniform(0.3, 1.4)
    mixing = 2 * (saturation * np.eye(3) + (1 - saturation) / 3)
    x = cv2.transform(cv2.LUT(photo, curve[None].astype(np.float32)), np.column_stack([mixing, -np.ones(3)]).astype(np.float32))
    x = cv2.scaleAdd(GRAIN[rng.integers(len(GRAIN))], 2 * 0.03 * rng.uniform() ** 2, x)
    np.clip(x, -1, 1, out=out)


def changed(photos, indices, quads, sheets, rng):
    """Scenes as they have never been seen: crops, turns and tones, and their outlines in the crop."""
    matrices = crops(len(indices), rng)
    out = np.empty((len(indices), INPUT, INPUT, 3), np.float32)
    for row, index in enumerate(indices):
        toned(cropped(photo_at(photos, index), matrices[row]), rng, out[row])
    matrices = torch.from_numpy(matrices)
    inverse = torch.linalg.inv(matrices[:, :, :2])
    def place(points):
        p = points.reshape(len(indices), -1, 2) * 2 - 1 - matrices[:, None, :, 2]
        return ((p @ inverse.transpose(1, 2)) + 1).reshape(points.shape) / 2
    return torch.from_numpy(out).permute(0, 3, 1, 2), place(quads[indices]), place(sheets[indices])


def distances(quads):
    """For each place of the map: how far inside of each side's line, and how far from each side; cells."""
    places = (torch.arange(MAP) + 0.5)
    y, x = torch.meshgrid(places, places, indexing="ij")
    a = quads * MAP
    b = a.roll(-1, dims=-2)
    way = b - a
    long = way.norm(dim=-1).clamp(min=1e-3)
    dx, dy = x - a[..., 0, None, None], y - a[..., 1, None, None]
    across = (way[..., 0, None, None] * dy - way[..., 1, None, None] * dx) / long[..., None, None]
    along = (way[..., 0, None, None] * dx + way[..., 1, None, None] * dy) / long[..., None, None]
    beyond = (along - long[..., None, None]).clamp(min=0) + (-along).clamp(min=0)
    area = (a[..., 0] * b[..., 1] - b[..., 0] * a[..., 1]).sum(-1)
    across = across * torch.sign(area)[..., None, None, None]
    return across, torch.sqrt(across ** 2 + beyond ** 2), x, y


def wanted(kinds, quads, sheets):
    """The maps of shares that the net should give, and the kinds after cropping."""
    quads = torch.where((kinds == FULL)[:, None, None], torch.tensor([[-.2, -.2], [1.2, -.2], [1.2, 1.2], [-.2, 1.2]]), quads)
    there = quads[:, 0, 0] > FAR / 2
    across, near, x, y = distances(quads)
    page = (across.min(1).values + 0.5).clamp(0, 1) * (kinds != NONE)[:, None, None]
    sides = torch.exp(-(near.min(1).values / 0.8) ** 2 / 2) * there[:, None, None]
    corner = quads * MAP
    squares = (x - corner[..., 0, None, None]) ** 2 + (y - corner[..., 1, None, None]) ** 2
    corners = torch.exp(-squares.min(1).values / (2 * 1.2 ** 2))
    count = len(kinds)
    around = distances(sheets.reshape(-1, 4, 2))[0].min(1).values.reshape(count, SHEETS, MAP, MAP)
    seen = (sheets[:, :, 0, 0] > FAR / 2)[:, :, None, None]
    sheet = torch.maximum(((around + 0.5).clamp(0, 1) * seen).max(1).values, page)
    share = page.mean((1, 2))
    kinds = torch.where((kinds == PAGE) & (share > 0.99), FULL, kinds)
    kinds = torch.where((kinds != NONE) & (share < 0.01), NONE, kinds)
    return torch.stack([page, sheet, sides, corners], 1), kinds


def loss_of(maps, kind, target, kinds):
    each = F.binary_cross_entropy_with_logits(maps, target, reduction="none", pos_weight=torch.tensor([1.0, 1.0, 3.0, 6.0])[None, :, None, None])
    p, t = torch.sigmoid(maps[:, 0]), target[:, 0]
    has = kinds != NONE
    dice = 1 - (2 * (p * t).sum((1, 2)) + 1) / (p.sum((1, 2)) + t.sum((1, 2)) + 1)
    by_map = each.mean((0, 2, 3))
    return (by_map * torch.tensor([1.0, 0.4, 1.0, 1.0])).sum() + 0.5 * (dice * has).mean() + 0.3 * F.cross_entropy(kind, kinds)


def measured(maps, kind, target, kinds):
    p, t = maps[:, 0] > 0, target[:, 0] > 0.5
    overlap = (p & t).sum((1, 2)) / (p | t).sum((1, 2)).clamp(min=1)
    has = kinds != NONE
    return overlap[has], (kind.argmax(1) == kinds), overlap


def show(net, truth_path, folder, half="01234567"):
    import hashlib
    truth = json.load(open(truth_path))
    names = [n for n, t in sorted(truth.items()) if t["answer"] != "ambiguous" and hashlib.sha256(n.encode()).hexdigest()[0] in half]
    photos, quads, answers = [], [], []
    for name in names:
        t = truth[name]
        photo = cv2.imread(os.path.join(folder, name))[..., ::-1]
        photos.append(cv2.resize(photo, (INPUT, INPUT), interpolation=cv2.INTER_AREA))
        answers.append({"page": PAGE, "none": NONE, "flat": FULL}[t["answer"]])
        quads.append(torch.tensor(t["corners"]) / torch.tensor(t["size"]) if t["corners"] else torch.full((4, 2), FAR))
    x = prepared(torch.from_numpy(np.stack(photos)).permute(0, 3, 1, 2))
    answers = torch.tensor(answers)
    target, kinds = wanted(answers, torch.stack(quads).float(), torch.full((len(names), SHEETS, 4, 2), FAR))
    with torch.no_grad():
        maps, kind = net(x)
    overlap, right, each = measured(maps, kind, target, kinds)
    low = np.argsort(each.numpy())
    print(f"  real: overlap {overlap.mean():.3f} median {overlap.median():.3f} >.9 {(overlap > .9).float().mean():.2f} <.5 {(overlap < .5).float().mean():.2f} kinds {right.float().mean():.2f}",
          " ".join(f"{names[i][:24]}:{each[i]:.2f}" for i in low if kinds[i] != NONE)[:400], flush=True)


def keep_memory():
    """Lets the C library keep what a step frees: the next one needs as much again, and fresh pages are a quarter of a step's time."""
    libc = ctypes.CDLL(None)
    libc.mallopt(-4, 0)                 # M_MMAP_MAX
    libc.mallopt(-1, 2 ** 31 - 1)       # M_TRIM_THRESHOLD


def main():
    keep_memory()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--minutes", type=float, help="in place of --steps: as many as that time allows")
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held", type=int, default=384)
    parser.add_argument("--none", type=float, default=1.0, help="how much oftener than others scenes without a page are taken")
    parser.add_argument("--start", help="weights to begin with")
    parser.add_argument("--show", nargs=2, action="append", default=[])
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    generator = torch.Generator().manual_seed(arguments.seed)
    rng = np.random.default_rng(arguments.seed)
    there = drawn(arguments.scenes)
    photos, kinds, quads, sheets = load(there)
    weights = weights_of(kinds, arguments)
    held = np.arange(arguments.held)     # The first ones, so that they stay the same when more are drawn.
    net = PageNet().to(memory_format=torch.channels_last)
    if arguments.start:
        net.load_state_dict(torch.load(arguments.start, weights_only=True))
    print(sum(p.numel() for p in net.parameters()), "parameters,", len(kinds), "scenes", flush=True)
    average = PageNet()
    average.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=arguments.rate, weight_decay=0.02)
    start, total, step, progress = time.time(), 0.0, 0, 0.0
    while progress < 1:
        step += 1
        progress = (time.time() - start) / 60 / arguments.minutes if arguments.minutes else step / arguments.steps
        for group in optimiser.param_groups:  # Up, then down along half a cosine.
            group["lr"] = arguments.rate * min(step / 150, 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * min(1, progress))))
        chosen = torch.multinomial(weights, arguments.batch, generator=generator)
        x, q, s = changed(photos, chosen.numpy(), quads, sheets, rng)
        target, k = wanted(kinds[chosen], q, s)
        net.train()
        with torch.autocast("cpu", torch.bfloat16):     # A fifth off each step where the processor has it.
            maps, kind = net(x)
        loss = loss_of(maps.float(), kind.float(), target, k)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        total += float(loss.detach())
        with torch.no_grad():  # The net in use is a running mean of the one in training.
            share = min(0.998, step / (step + 10))
            for mean, new in zip(average.state_dict().values(), net.state_dict().values()):
                if mean.dtype.is_floating_point:
                    mean.lerp_(new, 1 - share)
                else:
                    mean.copy_(new)
        if step % 100 == 0:
            print(f"{step} loss {total / 100:.4f} {(time.time() - start):.0f} s", flush=True)
            total = 0.0
        if step % 400 == 0 or progress >= 1:
            average.eval()
            results = []
            for part in np.array_split(held, 8):
                with torch.no_grad():
                    x = F.interpolate(batch_of(photos, part).float(), (INPUT, INPUT), mode="bilinear", antialias=True)
                    maps, kind = average(prepared(x))
                    target, k = wanted(kinds[part], quads[part], sheets[part])
                    results.append(measured(maps, kind, target, k))
            overlap, right = torch.cat([r[0] for r in results]), torch.cat([r[1] for r in results])
            print(f"  held: overlap {overlap.mean():.3f} >.9 {(overlap > .9).float().mean():.3f} <.5 {(overlap < .5).float().mean():.3f} kinds {right.float().mean():.3f}", flush=True)
            for truth, folder in arguments.show:
                show(average, truth, folder)
            torch.save(average.state_dict(), arguments.out)
            if drawn(arguments.scenes) != there:
                there = drawn(arguments.scenes)
                photos, kinds, quads, sheets = load(there)
                weights = weights_of(kinds, arguments)
                print(f"  {len(kinds)} scenes", flush=True)


if __name__ == "__main__":
    main()
