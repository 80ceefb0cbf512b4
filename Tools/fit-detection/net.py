"""The net that proposes where the page is, and its numbers as a file for the program.

In: a photo squeezed to INPUT × INPUT, three channels. Out, at a quarter of that: four maps of log odds (the page's area, any
sheet's area, the page's sides, its corners), and three logits (a page, none, a page that fills the photo).
Only few sorts of layer, since each is written again in Swift: 3 × 3 convolutions, 1 × 1 ones, 5 × 5 ones by channel,
ReLU, sums, means, and doubling by repetition.
"""
import struct

import numpy as np
import torch
from torch import nn

INPUT = 224
MAP = INPUT // 4
MAPS = ["page", "sheets", "sides", "corners"]
WIDTHS = (16, 24, 48, 80, 112)
DEEP_BLOCKS = 3


class Normed(nn.Sequential):
    """A convolution whose scale and shift are normed while training, and folded in afterwards."""

    def __init__(self, before, after, side, stride=1, groups=1, relu=True):
        layers = [nn.Conv2d(before, after, side, stride, side // 2, groups=groups, bias=False), nn.BatchNorm2d(after)]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if relu else []))

    def folded(self):
        """Weights and bias with the norm in them."""
        convolution, norm = self[0], self[1]
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        return convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = Normed(width, width, 3)
        self.second = Normed(width, width, 3, relu=False)

    def forward(self, x):
        return torch.relu(x + self.second(self.first(x)))


class Deep(nn.Module):
    """Wide view by channel, then two mixings of channels."""

    def __init__(self, width):
        super().__init__()
        self.view = Normed(width, width, 5, groups=width, relu=False)
        self.widen = Normed(width, 2 * width, 1)
        self.narrow = Normed(2 * width, width, 1, relu=False)

    def forward(self, x):
        return x + self.narrow(self.widen(self.view(x)))


def doubled(x):
    return nn.functional.interpolate(x, scale_factor=2, mode="nearest")


class PageNet(nn.Module):
    def __init__(self):
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.stem = Normed(3, a, 3, 2)
        self.down1 = Normed(a, b, 3, 2)
        self.same1 = Normed(b, b, 3)
        self.down2 = Normed(b, c, 3, 2)
        self.same2 = Residual(c)
        self.down3 = Normed(c, d, 3, 2)
        self.same3 = Residual(d)
        self.down4 = Normed(d, e, 3, 2)
        self.deep = nn.ModuleList([Deep(e) for _ in range(DEEP_BLOCKS)])
        self.context = nn.Linear(e, e)
        self.kind1 = nn.Linear(e, 64)
        self.kind2 = nn.Linear(64, 3)
        self.across4 = Normed(e, 64, 1, relu=False)
        self.across3 = Normed(d, 64, 1, relu=False)
        self.up3 = Normed(64, 48, 3)
        self.across2 = Normed(c, 48, 1, relu=False)
        self.up2 = Normed(48, 24, 3)
        self.across1 = Normed(b, 24, 1, relu=False)
        self.up1 = Normed(24, 24, 3)
        self.maps = nn.Conv2d(24, len(MAPS), 1)

    def forward(self, x):
        x1 = self.same1(self.down1(self.stem(x)))
        x2 = self.same2(self.down2(x1))
        x3 = self.same3(self.down3(x2))
        x4 = self.down4(x3)
        for block in self.deep:
            x4 = block(x4)
        mean = x4.mean((2, 3))
        kind = self.kind2(torch.relu(self.kind1(mean)))
        x4 = x4 + self.context(mean)[:, :, None, None]
        y = self.up3(torch.relu(doubled(self.across4(x4)) + self.across3(x3)))
        y = self.up2(torch.relu(doubled(y) + self.across2(x2)))
        y = self.up1(torch.relu(doubled(y) + self.across1(x1)))
        return self.maps(y), kind


def prepared(photos):
    """Bytes of N × 3 × INPUT × INPUT as the net takes them: about -1 to 1."""
    return photos.float() / 127.5 - 1


def layers(net):
    """Each layer's name, weights (places, inputs, outputs) and bias, in the order of the file."""
    for name, module in net.named_modules():
        if isinstance(module, Normed):
            weight, bias = module.folded()
        elif isinstance(module, nn.Linear):
            weight, bias = module.weight[:, :, None, None], module.bias
        elif name == "maps":
            weight, bias = module.weight, module.bias
        else:
            continue
        weight = weight.detach().numpy()
        outputs, inputs, height, width = weight.shape
        yield name, weight.transpose(2, 3, 1, 0).reshape(height * width, inputs, outputs), bias.detach().numpy()


def written(net):
    """The file: for each layer places, inputs, outputs (three little-endian 16-bit numbers), then weights and bias as halves."""
    parts = [b"FBPN", struct.pack("<HH", 1, len(list(layers(net))))]
    for _, weight, bias in layers(net):
        parts.append(struct.pack("<HHH", *weight.shape))
        parts.append(np.ascontiguousarray(weight, "<f2").tobytes() + np.ascontiguousarray(bias, "<f2").tobytes())
    return b"".join(parts)
