#!/usr/bin/env python3
"""Fit the trees that rank outlines, and the scale of their confidence; write them as Swift.

    fit.py --fit TRUTH.json TRACE.json [--fit …] [--fit-all …] [--show TRUTH.json TRACE.json …] [--out PageModelTrees.swift]

TRUTH.json is written by drawing.py or scenes.py, TRACE.json by RankingTrace. The score is the mean of two fits: one on all
features from all sets, one on what is measured without the net from the sets given with --fit. Sets given with --show take
no part.
"""
import argparse
import json

import lightgbm as lgb
import numpy as np
from sklearn.linear_model import LogisticRegression

RIGHT = 0.93           # An outline with this overlap is right,
NEARLY = 0.85          # and from here on it is hardly wrong: it counts little.
NEARLY_WEIGHT = 0.3
WRONG_WEIGHT = 3.0     # All wrong outlines of a photo, against 1 for all right ones.
HARD_COUNT, EASY_COUNT = 40, 30    # Wrong outlines kept of each photo: those earlier trees liked, and others.
HARD_SHARE = 0.6       # The share of the wrong ones' weight that lies on the hard ones.
FOLDS = 3
RATE, LEAST_IN_LEAF, SEED = 0.08, 60, 1
TREES_OF_ALL, LEAVES_OF_ALL = 200, 12        # Trees on all features,
TREES_WITHOUT, LEAVES_WITHOUT = 160, 8       # and on those without the net's.
# A number's sign, where more of it can only speak for a page (1) or against one (-1).
SIGNS = {
    "supportMean": 1, "supportLeast": 1, "supportSecond": 1, "supportThird": 1, "coverageMean": 1, "coverageLeast": 1,
    "coverageSecond": 1, "stepMean": 1, "stepLeast": 1, "stepSecond": 1, "stepThird": 1, "steadyMean": 1,
    "steadyLeast": 1, "steadySecond": 1, "lighterMean": 1, "lighterLeast": 1, "continuationMean": -1,
    "continuationGreatest": -1, "frameSides": -1, "visible": 1, "area": 1, "outerPaper": -1, "insideSpread": -1,
    "angle": -1, "sideRatio": 1, "outsideIsPaper": 1, "deepStep": 1, "edgeDominance": 1, "marginEdges": -1,
    "centred": -1, "farStepMean": 1, "farStepLeast": 1, "farStepSecond": 1, "endsMean": 1, "endsLeast": 1,
    "endsSecond": 1, "elsewherePaper": -1, "borderPaper": -1, "aroundQuality": -1, "aroundGain": -1,
    "relativeQuality": 1, "netOverlap": 1, "netInside": 1, "netOutside": -1, "netSidesMean": 1, "netSidesLeast": 1,
    "netSidesSecond": 1, "netCornersMean": 1, "netCornersLeast": 1, "netNone": -1,
}
# What tells, beside the best outline's score, whether it is right.
SURENESS = ["netOverlap"]


def area(points):
    return 0.5 * abs(sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points))))


def clipped(polygon, convex):
    """The part of a polygon within a convex one (Sutherland and Hodgman 1974)."""
    if sum(convex[i - 1][0] * convex[i][1] - convex[i][0] * convex[i - 1][1] for i in range(len(convex))) < 0:
        convex = convex[::-1]
    for (x0, y0), (x1, y1) in zip(convex[-1:] + convex[:-1], convex):
        d = [(x1 - x0) * (p[1] - y0) - (y1 - y0) * (p[0] - x0) for p in polygon]
        kept = []
        for j, q in enumerate(polygon):
            p, dp, dq = polygon[j - 1], d[j - 1], d[j]
            if (dp >= 0) != (dq >= 0):
                t = dp / (dp - dq)
                kept.append((p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t))
            if dq >= 0:
                kept.append(q)
        polygon = kept
        if not polygon:
            return []
    return polygon


def overlap(truth, outline, size):
    """Intersection over union within the photo."""
    width, height = size
    photo = [(0, 0), (width, 0), (width, height), (0, height)]
    one, two = clipped([tuple(p) for p in truth], photo), clipped([tuple(p) for p in outline], photo)
    if len(one) < 3 or len(two) < 3:
        return 0.0
    both = clipped(one, two)
    shared = area(both) if len(both) > 2 else 0.0
    return shared / max(1e-9, area(one) + area(two) - shared)


def overlaps_with(truth, candidates):
    """The overlap of each candidate; those whose bounding box is far from the page's get 0 unmeasured."""
    out = np.zeros(len(candidates))
    if truth["corners"] is None or not candidates:
        return out
    corners = np.clip(np.array([c["corners"] for c in candidates]), 0, truth["size"])
    own = np.clip(np.array(truth["corners"]), 0, truth["size"])
    low, high = corners.min(1), corners.max(1)
    shared = np.prod(np.clip(np.minimum(high, own.max(0)) - np.maximum(low, own.min(0)), 0, None), axis=1)
    boxes = shared / (np.prod(high - low, axis=1) + np.prod(own.max(0) - own.min(0)) - shared + 1e-9)
    for index in np.flatnonzero(boxes > 0.6):
        out[index] = overlap(truth["corners"], candidates[index]["corners"], truth["size"])
    return out


def load(truth_path, trace_path, is_thinned=False):
    """The photos as dicts with answer, overlaps and features of each candidate.

    `is_thinned` keeps, beside the right ones, the first ones (those that earlier trees liked) and a sample of the rest.
    """
    with open(truth_path) as file:
        truths = json.load(file)
    with open(trace_path) as file:
        trace = json.load(file)
    photos = []
    for name, truth in sorted(truths.items()):
        candidates = trace["photos"].get(name)
        if truth["answer"] == "ambiguous" or candidates is None:
            continue
        overlaps = overlaps_with(truth, candidates)
        photo = {
            "name": name, "answer": truth["answer"], "overlaps": overlaps,
            "features": np.array([c["features"] for c in candidates]).reshape(len(candidates), len(trace["names"]))}
        if is_thinned:
            kept = (overlaps >= NEARLY) | (np.arange(len(candidates)) < HARD_COUNT)
            easy = np.flatnonzero(~kept)
            kept[np.random.default_rng(len(easy)).permutation(easy)[:EASY_COUNT]] = True
            photo["overlaps"], photo["features"] = photo["overlaps"][kept], photo["features"][kept]
            photo["isHard"] = (np.arange(len(candidates)) < HARD_COUNT)[kept]
        photos.append(photo)
    return trace["names"], photos


def stacked(photos):
    """Features, labels and weights of all candidates."""
    features, labels, weights = [], [], []
    for photo in photos:
        o = photo["overlaps"]
        if not len(o):
            continue
        right = (o >= RIGHT) & (photo["answer"] == "page")
        wrong = np.where(right, 0.0, 1.0)
        if photo["answer"] == "page":
            wrong[(o >= NEARLY) & ~right] = NEARLY_WEIGHT
        elif photo["answer"] == "flat":
            wrong[o >= RIGHT] = 0       # The whole photo is no fault.
        good = np.where(right, 0.3 + 0.7 * (np.clip(o, RIGHT, 1) - RIGHT) / (1 - RIGHT), 0.0)
        good /= max(1, right.sum())
        even = wrong / max(1e-9, wrong.sum())
        hard = wrong * photo["isHard"]
        even = (1 - HARD_SHARE) * even + HARD_SHARE * hard / max(1e-9, hard.sum())
        features.append(photo["features"])
        labels.append(right.astype(int))
        weights.append(good + WRONG_WEIGHT * even)
    return np.vstack(features), np.concatenate(labels), np.concatenate(weights)


def trees(names, photos, count, leaves):
    signs = [SIGNS.get(name, 0) for name in names]
    features, labels, weights = stacked(photos)
    return lgb.LGBMClassifier(
        n_estimators=count, num_leaves=leaves, learning_rate=RATE, min_child_samples=LEAST_IN_LEAF, reg_lambda=5,
        monotone_constraints=signs, colsample_bytree=0.6, subsample=0.7, subsample_freq=1, random_state=SEED, n_jobs=2,
        deterministic=True, force_row_wise=True, max_bin=63, verbose=-1,
    ).fit(features[:, :len(names)], labels, sample_weight=weights).booster_


class Mean:
    """The mean of both fits. The net's features stand last, so that both count the others alike."""

    def __init__(self, names, photos):
        self.without = [name for name in names if not name.startswith("net")]
        self.boosters = [
            trees(names, photos, TREES_OF_ALL, LEAVES_OF_ALL),
            trees(self.without, [p for p in photos if not p["isForAll"]], TREES_WITHOUT, LEAVES_WITHOUT)]

    def scores(self, features):
        parts = [booster.predict(features[:, :booster.num_feature()], raw_score=True) for booster in self.boosters]
        return sum(parts) / len(parts)


def scored(model, photo):
    return model.scores(photo["features"]) if len(photo["overlaps"]) else np.zeros(0)


def best(model, photos, names):
    """Each photo's best score, what SURENESS names of that outline, its overlap, and the best overlap of all."""
    columns = [names.index(name) for name in SURENESS]
    out = []
    for photo in photos:
        s, o = scored(model, photo), photo["overlaps"]
        first = s.argmax() if len(s) else 0
        out.append([s[first], *photo["features"][first, columns], o[first], o.max()] if len(s) else [-9.0] + [0.0] * (len(SURENESS) + 2))
    return np.array(out)


def confidences(b, calibration):
    weights, shift = calibration
    return 1 / (1 + np.exp(-(b[:, :-2] @ weights + shift)))


def summary(label, model, photos, names, calibration):
    b = best(model, photos, names)
    answers = np.array([p["answer"] for p in photos])
    page = answers == "page"
    line = f"{label:14s} n {page.sum():4d} best {b[page, -2].mean():.3f} >=.95 {(b[page, -2] >= .95).mean():.3f} of {b[page, -1].mean():.3f}"
    c = confidences(b, calibration)
    for least in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        found = c >= least
        flat = (answers == "flat") & ~(found & (b[:, -2] < .95))
        line += (f" | {least}: {(b[page, -2] * found[page]).mean():.3f}"
                 f" false {(found & (answers == 'none')).sum()}/{(answers == 'none').sum()}"
                 f" flat {flat.sum()}/{(answers == 'flat').sum()}")
    print(line, flush=True)


def calibrated(b, photos):
    """Weights and shift of the logistic function from a best outline's score and evidence to the share of right answers."""
    right = [int(o >= RIGHT and p["answer"] != "none") for o, p in zip(b[:, -2], photos)]
    middle, spread = b[:, :-2].mean(0), b[:, :-2].std(0) + 1e-9
    fit = LogisticRegression(C=1).fit((b[:, :-2] - middle) / spread, right)
    weights = fit.coef_[0] / spread
    return weights, float(fit.intercept_[0] - weights @ middle)


def swift(model, names, calibration, provenance):
    nodes, roots = [], []

    def add(node):
        if "split_feature" not in node:
            nodes.append((-1, node["leaf_value"] / len(model.boosters), 0))
            return
        at = len(nodes)
        nodes.append(None)
        add(node["left_child"])
        right = len(nodes)
        add(node["right_child"])
        nodes[at] = (node["split_feature"], node["threshold"], right - at)
    for booster in model.boosters:
        for tree in booster.dump_model()["tree_info"]:
            roots.append(3 * len(nodes))
            add(tree["tree_structure"])
    numbers = [text for f, v, s in nodes for text in (f"{f}", f"{v:.5g}", f"{s}")]

    def wrapped(items):
        lines, line = [], "   "
        for item in items:
            if len(line) + len(item) + 2 > 108:
                lines.append(line)
                line = "   "
            line += f" {item},"
        return "\n".join(lines + [line])
    weights, shift = calibration
    sureness = "\n".join(f"    ({names.index(name)}, {weight:.5g})," for name, weight in zip(SURENESS, weights[1:]))
    return f"""extension PageModel {{
  /// The trees, one after the other, each node in three numbers, parents before children, left before right.
  ///
  /// A split: feature, threshold, steps to the right child (the left one follows at once). A leaf: −1, its value, 0.
  /// Written by Tools/fit-detection (see its README; {provenance}); not edited by hand.
  static let nodes: [Float] = [
{wrapped(numbers)}
  ]

  /// Where each tree begins.
  static let roots = [
{wrapped(map(str, roots))}
  ]

  /// Confidence is the logistic function of `scale` times the score, plus `shift`, plus these features times their weights.
  static let calibration = (scale: {weights[0]:.5g}, shift: {shift:.5g})
  static let sureness: [(feature: Int, weight: Double)] = [
{sureness}
  ]
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", nargs=2, action="append", required=True, metavar=("TRUTH", "TRACE"))
    parser.add_argument("--fit-all", nargs=2, action="append", default=[], metavar=("TRUTH", "TRACE"))
    parser.add_argument("--show", nargs=2, action="append", default=[], metavar=("TRUTH", "TRACE"))
    parser.add_argument("--shift", type=float, default=0.0, help="added to the fitted shift of the confidence")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    names, photos = None, []
    for sets, is_for_all in ((arguments.fit, False), (arguments.fit_all, True)):
        for truth, trace in sets:
            names, more = load(truth, trace, is_thinned=True)
            photos += [dict(photo, isForAll=is_for_all) for photo in more]
    order = np.random.default_rng(SEED).permutation(len(photos))
    photos = [photos[i] for i in order]
    parts, fold_photos = [], []
    for fold in range(FOLDS):
        held = photos[fold::FOLDS]
        model = Mean(names, [p for i, p in enumerate(photos) if i % FOLDS != fold])
        parts.append(best(model, held, names))
        fold_photos += held
    held_best = np.vstack(parts)
    weights, shift = calibrated(held_best, fold_photos)
    calibration = weights, shift + arguments.shift
    page = np.array([p["answer"] == "page" for p in fold_photos])
    print(f"held out: best {held_best[page, -2].mean():.3f} >=.95 {(held_best[page, -2] >= .95).mean():.3f}; weights {np.round(weights, 2)} shift {shift:.3f}")
    model = Mean(names, photos)
    gains = model.boosters[0].feature_importance("gain")
    print(" ".join(f"{names[i]} {gains[i] / gains.sum():.3f}" for i in np.argsort(-gains)[:24]))
    for truth, trace in arguments.show:
        summary(truth.split("/")[-1][:14], model, load(truth, trace)[1], names, calibration)
    if arguments.out:
        with open(arguments.out, "w") as file:
            file.write(swift(model, names, calibration, f"{len(photos)} drawn photos, seed {SEED}"))


if __name__ == "__main__":
    main()
