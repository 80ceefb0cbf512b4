#!/usr/bin/env python3
"""Write a trained net as the program's weight file, and what it answers to a drawn picture, for the tests.

    export.py NET.pt [NET.pt … --shares SHARE …] --weights Sources/CPageNet/page-net.weights --answers Tests/PageNetTests/Fixtures/answers.json

Of several nets, each trained on from the one before, the weights are mixed by their shares (Wortsman et al. 2022): such a mixture does
better than either on pictures unlike those trained on.
"""
import argparse
import json

import numpy as np
import torch

from net import INPUT, MAPS, PageNet, written


def picture():
    """A light quad on a dark, sloping ground: the same formula stands in the test."""
    y, x = np.mgrid[0:INPUT, 0:INPUT].astype(np.float32) / INPUT
    inside = (x > 0.2 + 0.1 * y) & (x < 0.85 - 0.05 * y) & (y > 0.15 + 0.1 * x) & (y < 0.8 + 0.05 * x)
    ground = np.stack([-0.6 + 0.3 * x, -0.5 + 0.2 * y, -0.4 + 0 * x])
    return np.where(inside, np.float32(0.7), ground).astype(np.float32)


def looking_twice(net, photos):
    """The mean of what the net says of photos and of the same turned half round, as the program takes it."""
    maps, kinds = net(photos)
    turned, other = net(photos.flip(2, 3))
    return (maps + turned.flip(2, 3)) / 2, (kinds + other) / 2


def mixed(paths, shares):
    states = [torch.load(path, weights_only=True) for path in paths]
    net = PageNet()
    net.load_state_dict({
        name: sum(share * state[name] for share, state in zip(shares, states)) if last.dtype.is_floating_point else last
        for name, last in states[-1].items()
    })
    return net.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nets", nargs="+")
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0])
    parser.add_argument("--weights", required=True)
    parser.add_argument("--answers", required=True)
    arguments = parser.parse_args()
    if len(arguments.nets) != len(arguments.shares) or abs(sum(arguments.shares) - 1) > 1e-6:
        parser.error("each net needs a share, and all shares together are 1")
    net = mixed(arguments.nets, arguments.shares)
    with open(arguments.weights, "wb") as file:
        file.write(written(net))
    # The answers are those of the weights as the file has them, rounded to halves.
    with torch.no_grad():
        for module in net.modules():
            if hasattr(module, "folded"):
                weight, bias = module.folded()
                module[0].weight.copy_(weight.half().float())
                module[0].bias = torch.nn.Parameter(bias.half().float())
                module[1] = torch.nn.Identity()
            elif isinstance(module, torch.nn.Linear) or module is net.maps:
                module.weight.copy_(module.weight.half().float())
                module.bias.copy_(module.bias.half().float())
        maps, kinds = looking_twice(net, torch.from_numpy(picture())[None])
    answers = {name: [round(float(v), 5) for v in torch.sigmoid(maps[0, k, ::5, ::5]).reshape(-1)] for k, name in enumerate(MAPS)}
    answers["kinds"] = [round(float(v), 5) for v in torch.softmax(kinds[0], 0)]
    with open(arguments.answers, "w") as file:
        json.dump(answers, file)
        file.write("\n")


if __name__ == "__main__":
    main()
