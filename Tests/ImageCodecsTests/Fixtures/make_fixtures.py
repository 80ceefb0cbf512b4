#!/usr/bin/env python3
"""Makes the JPEG and PNG fixtures beside this script. Run it again to get the same files.

Needs numpy, Pillow, piexif, imagecodecs (pip) and libjpeg-turbo-progs (Debian). The tests need none of them.
"""
import io
import struct
import subprocess
import zlib
from pathlib import Path

import imagecodecs
import numpy
import piexif
from PIL import Image, ImageDraw

HERE = Path(__file__).parent
WIDTH, HEIGHT = 96, 64


def write(name, data):
    (HERE / name).write_bytes(data)


# ---------------------------------------------------------------------------------------------------------------------
# The picture: a page with grey text lines and six patches of colour. No two of its eight orientations look alike.

def page():
    image = Image.new("RGB", (WIDTH, HEIGHT), (236, 233, 226))
    draw = ImageDraw.Draw(image)
    for line, length in enumerate([60, 52, 66]):
        draw.rectangle([8, 6 + 8 * line, 8 + length, 9 + 8 * line], fill=(40, 40, 44))
    colors = [(176, 60, 52), (70, 140, 80), (60, 84, 160), (200, 170, 60), (120, 120, 120), (90, 60, 110)]
    for place, color in enumerate(colors):
        draw.rectangle([16 * place, 40, 16 * place + 15, 55], fill=color)
    draw.rectangle([84, 4, 91, 11], fill=(176, 60, 52))
    return image


# ---------------------------------------------------------------------------------------------------------------------
# PNG, written here and not by a library, so that every kind there is can be made.

def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def packed_rows(samples, depth):
    """Rows of a (height, width, channels) array, each with the filter byte 0."""
    rows = b""
    for row in samples:
        flat = row.reshape(-1)
        if depth == 16:
            body = flat.astype(">u2").tobytes()
        elif depth == 8:
            body = flat.astype("u1").tobytes()
        else:
            bits = "".join(format(int(v), f"0{depth}b") for v in flat)
            bits += "0" * (-len(bits) % 8)
            body = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))
        rows += b"\0" + body
    return rows


def png(samples, depth, color, interlaced=False, before=b"", after=b"", idat=1 << 30):
    height, width = samples.shape[:2]
    if interlaced:
        raw = b"".join(packed_rows(samples[y::dy, x::dx], depth) for x, y, dx, dy in ADAM7
                       if samples[y::dy, x::dx].size)
    else:
        raw = packed_rows(samples, depth)
    data = zlib.compress(raw, 9)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced)))
            + before + b"".join(chunk(b"IDAT", data[i:i + idat]) for i in range(0, len(data), idat)) + after
            + chunk(b"IEND", b""))


def ramps():
    """The pattern of the kind_* pictures, as 0..1: known by formula to the tests as well."""
    width, height = 29, 21
    x, y = numpy.meshgrid(numpy.arange(width) / (width - 1), numpy.arange(height) / (height - 1))
    return numpy.dstack([x, y, (x + y) / 2, 1 - x * y])


def quantised(values, depth):
    return numpy.floor(values * ((1 << depth) - 1) + 0.5).astype(int)


def png_kinds():
    ramp = ramps()
    for interlaced in (False, True):
        suffix = "_interlaced" if interlaced else ""
        for depth in (1, 2, 4, 8, 16):
            write(f"png_gray{depth}{suffix}.png", png(quantised(ramp[:, :, 2:3], depth), depth, 0, interlaced))
        for depth in (8, 16):
            write(f"png_rgb{depth}{suffix}.png", png(quantised(ramp[:, :, :3], depth), depth, 2, interlaced))
            write(f"png_grayalpha{depth}{suffix}.png",
                  png(quantised(ramp[:, :, 2:4], depth), depth, 4, interlaced))
            write(f"png_rgba{depth}{suffix}.png", png(quantised(ramp, depth), depth, 6, interlaced))
        for depth in (1, 2, 4, 8):
            # Entry i of the palette is (i, 255 - i, 128) spread over 0..255; a sample is x's share of them.
            count = 1 << depth
            entries = [round(i * 255 / (count - 1)) for i in range(count)]
            palette = b"".join(bytes([e, 255 - e, 128]) for e in entries)
            write(f"png_palette{depth}{suffix}.png",
                  png(quantised(ramp[:, :, 0:1], depth), depth, 3, interlaced, before=chunk(b"PLTE", palette)))
    palette = bytes([255, 255, 255, 0, 0, 0, 200, 0, 0, 0, 0, 0])
    half = (numpy.arange(29 * 21).reshape(21, 29, 1) // 7) % 4
    write("png_palette_trns.png", png(half, 2, 3, before=chunk(b"PLTE", palette) + chunk(b"tRNS", bytes([0, 255, 128]))))
    write("png_gray_trns.png", png(quantised(ramp[:, :, 0:1], 4), 4, 0, before=chunk(b"tRNS", b"\0\0")))
    write("png_rgb_trns.png",
          png(numpy.dstack([half * 80] * 3), 8, 2, before=chunk(b"tRNS", struct.pack(">HHH", 0, 0, 0))))
    write("png_rgb16_trns.png",
          png(numpy.dstack([half * 20000] * 3), 16, 2, before=chunk(b"tRNS", struct.pack(">HHH", 0, 0, 0))))


def png_others(truth):
    pixels = numpy.asarray(truth)
    write("page.png", png(pixels, 8, 2))
    linear = srgb_to_linear(pixels / 255)
    write("png_gamma_linear16.png", png(quantised(linear, 16), 16, 2, before=chunk(b"gAMA", struct.pack(">I", 100000))))
    p3 = from_srgb(pixels, P3, srgb_from_linear)
    chrm = struct.pack(">8I", *(round(v * 100000) for v in (0.3127, 0.3290, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)))
    write("png_chrm_p3.png",
          png(quantised(p3, 8), 8, 2, before=chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"cHRM", chrm)))
    write("png_iccp_p3.png",
          png(quantised(p3, 8), 8, 2, before=chunk(b"iCCP", b"p3\0\0" + zlib.compress(profile_p3()))))
    write("png_iccp_p3_16.png",
          png(quantised(p3, 16), 16, 2, before=chunk(b"iCCP", b"p3\0\0" + zlib.compress(profile_p3()))))
    alpha = numpy.full((HEIGHT, WIDTH, 1), 255)
    write("png_iccp_p3_rgba.png", png(numpy.dstack([quantised(p3, 8), alpha]), 8, 6,
                                      before=chunk(b"iCCP", b"p3\0\0" + zlib.compress(profile_p3()))))
    gray = quantised(srgb_to_linear(numpy.asarray(truth.convert("L"))[:, :, None] / 255) ** (1 / 1.8), 8)
    write("png_iccp_gray18.png",
          png(gray, 8, 0, before=chunk(b"iCCP", b"gray\0\0" + zlib.compress(profile_gray(1.8)))))
    write("png_iccp_broken.png", png(pixels, 8, 2, before=chunk(b"iCCP", b"x\0\0" + zlib.compress(b"no profile" * 20))))
    for value in (1, 6, 8):
        write(f"png_exif_{value}.png",
              png(numpy.asarray(turned_back(truth, value)), 8, 2, before=chunk(b"eXIf", exif_orientation(value)[6:])))
    write("png_exif_behind.png",
          png(numpy.asarray(turned_back(truth, 6)), 8, 2, after=chunk(b"eXIf", exif_orientation(6)[6:])))
    write("png_phys.png", png(pixels, 8, 2, before=chunk(b"pHYs", struct.pack(">IIB", 11811, 5906, 1))))
    noise = numpy.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3))
    write("png_noise.png", png(noise, 8, 2, idat=2000))
    write("png_noise_interlaced.png", png(noise, 8, 2, True, idat=2000))
    y, x = numpy.mgrid[0:300, 0:200]
    write("png_tall_rgba16.png", png(numpy.dstack([y * 218, x // 20 * 6000, 65535 - y * 218, 65535 - 0 * y]), 16, 6, idat=500))
    frame = struct.pack(">IIIIIHHBB", 0, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
    second = struct.pack(">IIIIIHHBB", 1, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
    black = zlib.compress(b"\0" * (HEIGHT * (3 * WIDTH + 1)))
    write("png_animated.png",
          png(pixels, 8, 2, before=chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", frame),
              after=chunk(b"fcTL", second) + chunk(b"fdAT", struct.pack(">I", 2) + black)))
    bomb = zlib.compress(b"\0" * (40 << 20), 9)
    write("png_text_bomb.png", png(pixels, 8, 2, before=chunk(b"zTXt", b"bomb\0\0" + bomb)))
    write("png_huge.png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 65536, 65536, 8, 2, 0, 0, 0))
          + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b""))


# ---------------------------------------------------------------------------------------------------------------------
# Colour: profiles and conversions from the published primaries, independent of any colour library.

D65 = (0.3127, 0.3290)
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
ADOBE_GAMMA = 563 / 256


def xyz(xy):
    return numpy.array([xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]])


def to_xyz(primaries):
    columns = numpy.array([xyz(p) for p in primaries]).T
    return columns * numpy.linalg.solve(columns, xyz(D65))


def bradford():
    cone = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    scale = (cone @ numpy.array([0.9642, 1, 0.8249])) / (cone @ xyz(D65))
    return numpy.linalg.inv(cone) @ numpy.diag(scale) @ cone


def srgb_to_linear(v):
    return numpy.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def srgb_from_linear(v):
    v = numpy.clip(v, 0, 1)
    return numpy.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def from_srgb(pixels, primaries, encode):
    """sRGB bytes as 0..1 values of another space."""
    matrix = numpy.linalg.inv(to_xyz(primaries)) @ to_xyz(SRGB)
    return encode(numpy.clip(srgb_to_linear(pixels / 255) @ matrix.T, 0, 1))


def s15(*values):
    return struct.pack(f">{len(values)}i", *(round(v * 65536) for v in values))


def profile(kind, space, pcs, tags, version):
    tags = {b"desc": b"desc" + bytes(4) + struct.pack(">I", 8) + b"Flatbed\0" + bytes(78),
            b"cprt": b"text" + bytes(4) + b"Public domain\0", b"wtpt": b"XYZ " + bytes(4) + s15(0.9642, 1, 0.8249),
            **tags}
    offset, table, data = 132 + 12 * len(tags), b"", b""
    for name, body in tags.items():
        table += name + struct.pack(">II", offset + len(data), len(body))
        data += body + bytes(-len(body) % 4)
    header = struct.pack(">I4sI4s4s4s", 0, b"none", version, kind, space, pcs) + struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
    header += b"acsp" + bytes(28) + s15(0.9642, 1, 0.8249) + bytes(48)
    whole = header + struct.pack(">I", len(tags)) + table + data
    return struct.pack(">I", len(whole)) + whole[4:]


def profile_rgb(primaries, curve, version):
    columns = (bradford() @ to_xyz(primaries)).T
    tags = {name: b"XYZ " + bytes(4) + s15(*column) for name, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns)}
    return profile(b"mntr", b"RGB ", b"XYZ ", {**tags, b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}, version)


SRGB_CURVE = b"para" + bytes(4) + struct.pack(">HH", 3, 0) + s15(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def profile_p3():
    return profile_rgb(P3, SRGB_CURVE, 0x04000000)


def profile_srgb():
    return profile_rgb(SRGB, SRGB_CURVE, 0x04000000)


def gamma_curve(gamma):
    return b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256)) + bytes(2)


def profile_adobe():
    return profile_rgb(ADOBE, gamma_curve(ADOBE_GAMMA), 0x02100000)


def profile_gray(gamma):
    return profile(b"mntr", b"GRAY", b"XYZ ", {b"kTRC": gamma_curve(gamma)}, 0x02100000)


# What full ink leaves of red, green and blue light, in linear sRGB: cyan, magenta, yellow, black.
INKS = numpy.array([[0.10, 0.42, 0.80], [0.62, 0.06, 0.24], [0.90, 0.78, 0.08], [0.0, 0.0, 0.0]])


def printed(cmyk):
    """Linear sRGB of ink amounts 0..1."""
    return numpy.prod(1 - cmyk[..., :, None] * (1 - INKS), axis=-2)


def lab(linear):
    ratio = (linear @ (bradford() @ to_xyz(SRGB)).T) / numpy.array([0.9642, 1, 0.8249])
    f = numpy.where(ratio > 216 / 24389, numpy.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def profile_cmyk():
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(5) / 4] * 4, indexing="ij"), -1)
    values = lab(printed(grid))
    table = numpy.clip(numpy.round(values * [2.55, 1, 1] + [0, 128, 128]), 0, 255).astype("u1").tobytes()
    identity = bytes(range(256))
    lut = (b"mft1" + bytes(4) + bytes([4, 3, 5, 0]) + s15(1, 0, 0, 0, 1, 0, 0, 0, 1) + identity * 4 + table
           + identity * 3)
    return profile(b"prtr", b"CMYK", b"Lab ", {b"A2B0": lut}, 0x02100000)


def ink_patches():
    """8 × 4 patches of 16 pixels, ink amounts on the profile's grid."""
    random = numpy.random.default_rng(7)
    patches = random.integers(0, 4, (4, 8, 4)) / 4
    patches[0, 0], patches[0, 1], patches[0, 2] = 0, (1, 0, 0, 0), (0, 0, 0, 1)
    patches[:, :, 3] *= 0.67
    patches[:, :, 3] = numpy.round(patches[:, :, 3] * 4) / 4
    patches[0, 2] = (0, 0, 0, 1)
    patches[0, 0] = patches[1, 0] = patches[2, 0] = 0
    return patches.repeat(16, 0).repeat(16, 1)


# ---------------------------------------------------------------------------------------------------------------------
# JPEG

def run(*command, data):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def ppm(image):
    out = io.BytesIO()
    image.save(out, "PPM")
    return out.getvalue()


def cjpeg(image, *options):
    return run("cjpeg", "-quality", "92", *options, data=ppm(image))


def save(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", **options)
    return out.getvalue()


def segments(data):
    """(marker, start, end) of each segment up to the first scan."""
    position, found = 2, []
    while data[position + 1] != 0xDA:
        length = struct.unpack(">H", data[position + 2:position + 4])[0]
        found.append((data[position + 1], position, position + 2 + length))
        position += 2 + length
    return found, position


def without(data, *markers):
    found, scan = segments(data)
    return data[:2] + b"".join(data[a:b] for m, a, b in found if m not in markers) + data[scan:]


def with_segment(data, marker, body):
    return data[:2] + bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body + data[2:]


def adobe(transform):
    return b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform)


def with_profile(data, profile, pieces=1):
    size = -(-len(profile) // pieces)
    for number in range(pieces, 0, -1):
        data = with_segment(data, 0xE2, b"ICC_PROFILE\0" + bytes([number, pieces])
                            + profile[(number - 1) * size:number * size])
    return data


def exif_orientation(value):
    return piexif.dump({"0th": {piexif.ImageIFD.Orientation: value}})


def with_exif(data, block):
    return with_segment(data, 0xE1, block)


# What turns the upright picture into the stored one of each orientation.
STORED = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
          4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90,
          7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}


def turned_back(image, orientation):
    step = STORED.get(orientation)
    return image.transpose(step) if step is not None else image


def inks(image):
    """Ink amounts 0..255 of an RGB picture, with the grey in black."""
    rgb = numpy.asarray(image).astype(float) / 255
    black = 1 - rgb.max(-1, keepdims=True)
    colored = numpy.where(black < 1, (1 - rgb - black) / numpy.maximum(1 - black, 1e-9), 0)
    return numpy.round(numpy.concatenate([colored, black], -1) * 255).astype("u1")


def cmyk_jpeg(samples, ycck=False, subsampling="444"):
    """As libjpeg writes the samples, without an Adobe marker."""
    data = imagecodecs.jpeg8_encode(numpy.ascontiguousarray(samples), level=95, colorspace="CMYK",
                                    outcolorspace="YCCK" if ycck else "CMYK", subsampling=subsampling)
    return without(data, 0xEE)


def jpegs(truth):
    for name, factor in (("444", "1x1"), ("422", "2x1"), ("420", "2x2"), ("440", "1x2"), ("411", "4x1")):
        write(f"jpeg_{name}.jpg", cjpeg(truth, "-sample", factor))
    write("jpeg_progressive.jpg", cjpeg(truth, "-sample", "1x1", "-progressive"))
    write("jpeg_arithmetic.jpg", cjpeg(truth, "-sample", "1x1", "-arithmetic"))
    write("jpeg_arithmetic_progressive.jpg", cjpeg(truth, "-sample", "1x1", "-arithmetic", "-progressive"))
    write("jpeg_restart.jpg", cjpeg(truth, "-sample", "1x1", "-restart", "1"))
    write("jpeg_gray.jpg", cjpeg(truth, "-grayscale"))
    write("jpeg_gray_22.jpg", patched_factor(cjpeg(truth, "-grayscale")))
    write("jpeg_rgb_adobe.jpg", with_segment(without(cjpeg(truth, "-rgb", "-sample", "1x1"), 0xEE), 0xEE, adobe(0)))
    write("jpeg_rgb_letters.jpg", without(cjpeg(truth, "-rgb", "-sample", "1x1"), 0xEE))
    write("jpeg_three_scans.jpg", three_scans(truth))

    noise = Image.fromarray(numpy.random.default_rng(2).integers(0, 256, (HEIGHT, WIDTH, 3)).astype("u1"))
    write("jpeg_noise.jpg", cjpeg(noise, "-sample", "1x1"))
    write("jpeg_noise_progressive.jpg", cjpeg(noise, "-sample", "1x1", "-progressive"))
    write("jpeg_noise_arithmetic.jpg", cjpeg(noise, "-sample", "1x1", "-arithmetic"))
    write("jpeg_noise_restart.jpg", cjpeg(noise, "-sample", "1x1", "-restart", "1"))

    for value in range(1, 9):
        data = cjpeg(turned_back(truth, value), "-sample", "1x1")
        write(f"jpeg_exif_{value}.jpg", with_exif(data, exif_orientation(value)))
    plain = cjpeg(truth, "-sample", "1x1")
    photo = piexif.dump({
        "0th": {piexif.ImageIFD.Orientation: 1, piexif.ImageIFD.XResolution: (300, 1),
                piexif.ImageIFD.YResolution: (300, 1), piexif.ImageIFD.ResolutionUnit: 2},
        "Exif": {piexif.ExifIFD.DateTimeOriginal: b"2026:11:30 09:32:53", piexif.ExifIFD.FocalLengthIn35mmFilm: 26},
        "GPS": {piexif.GPSIFD.GPSLatitude: ((1, 1), (2, 1), (3, 1))}})
    write("jpeg_photo_exif.jpg", with_exif(without(plain, 0xE0), photo))

    pixels = numpy.asarray(truth)
    p3 = Image.fromarray(quantised(from_srgb(pixels, P3, srgb_from_linear), 8).astype("u1"))
    wide = Image.fromarray(quantised(from_srgb(pixels, ADOBE, lambda v: v ** (1 / ADOBE_GAMMA)), 8).astype("u1"))
    fine = ("-sample", "1x1", "-quality", "98")
    write("jpeg_icc_p3.jpg", with_profile(cjpeg(p3, *fine), profile_p3()))
    write("jpeg_icc_p3_pieces.jpg", with_profile(cjpeg(p3, *fine), profile_p3(), 3))
    write("jpeg_icc_piece_missing.jpg",
          with_profile(plain, profile_p3(), 3).replace(b"ICC_PROFILE\0\x02\x03", b"ICC_IGNORED\0\x02\x03"))
    write("jpeg_icc_adobe.jpg", with_profile(cjpeg(wide, *fine), profile_adobe()))
    write("jpeg_icc_srgb.jpg", with_profile(plain, profile_srgb()))
    write("jpeg_icc_mismatch.jpg", with_profile(plain, profile_cmyk()))
    write("jpeg_icc_broken.jpg", with_profile(plain, profile_p3()[:200]))
    write("jpeg_gray_icc_rgb.jpg", with_profile(cjpeg(truth, "-grayscale"), profile_srgb()))

    amounts = inks(truth)
    write("jpeg_cmyk_adobe.jpg", with_segment(cmyk_jpeg(255 - amounts), 0xEE, adobe(0)))
    write("jpeg_cmyk_ycck.jpg", with_segment(cmyk_jpeg(255 - amounts, ycck=True), 0xEE, adobe(2)))
    write("jpeg_cmyk_ycck_420.jpg", with_segment(cmyk_jpeg(255 - amounts, True, "420"), 0xEE, adobe(2)))
    write("jpeg_cmyk_bare_inverted.jpg", cmyk_jpeg(255 - amounts))
    write("jpeg_cmyk_bare.jpg", cmyk_jpeg(amounts))
    write("jpeg_ycck_bare_420.jpg", cmyk_jpeg(255 - amounts, True, "420"))
    write("jpeg_cmyk_adobe_upright.jpg", with_segment(cmyk_jpeg(amounts), 0xEE, adobe(0)))
    patches = ink_patches()
    stored = numpy.round(patches * 255).astype("u1")
    write("jpeg_icc_cmyk.jpg", with_profile(with_segment(cmyk_jpeg(255 - stored), 0xEE, adobe(0)), profile_cmyk()))
    write("jpeg_icc_cmyk_bare.jpg", with_profile(cmyk_jpeg(stored), profile_cmyk()))
    write("patches.png", png(quantised(srgb_from_linear(printed(patches)), 8), 8, 2))

    gray12 = numpy.asarray(truth.convert("L")).astype("u2") * 16
    write("jpeg_12bit.jpg", imagecodecs.jpeg8_encode(gray12, bitspersample=12))
    write("jpeg_lossless.jpg", imagecodecs.jpeg8_encode(numpy.asarray(truth), lossless=True, predictor=1))
    write("jpeg_dqt16.jpg", wide_tables(plain))
    write("jpeg_dnl.jpg", with_late_height(plain))
    write("jpeg_huge.jpg", patched_size(plain, 65500, 65500)[:500])
    write("jpeg_two_channels.jpg", two_channels(cjpeg(truth, "-grayscale")))
    # Passes are cheap in bytes and dear in time.
    few = three_scans(truth.resize((16, 16)))
    last = few.rindex(b"\xff\xda")
    write("jpeg_many_scans.jpg", few[:-2] + few[last:-2] * 600 + b"\xff\xd9")
    fine = cjpeg(truth, "-sample", "1x1", "-progressive")
    last = fine.rindex(b"\xff\xda")
    write("jpeg_many_passes.jpg", fine[:-2] + fine[last:-2] * 600 + b"\xff\xd9")


def three_scans(image):
    script = HERE / "scans.txt"
    script.write_text("0;\n1;\n2;\n")
    data = cjpeg(image, "-sample", "1x1", "-scans", str(script))
    script.unlink()
    return data


def frame_of(data):
    return next(a for m, a, _ in segments(data)[0] if m in (0xC0, 0xC1, 0xC2))


def patched_size(data, width, height):
    at = frame_of(data)
    return data[:at + 5] + struct.pack(">HH", height, width) + data[at + 9:]


def patched_factor(data):
    """Sampling factors of a single channel mean nothing, but some writers give 2 × 2."""
    at = frame_of(data)
    return data[:at + 11] + b"\x22" + data[at + 12:]


def with_late_height(data):
    return patched_size(data, WIDTH, 0)[:-2] + b"\xff\xdc\0\x04" + struct.pack(">H", HEIGHT) + data[-2:]


def wide_tables(data):
    """The same quantiser tables with 16 bits an entry, which makes it an extended frame."""
    out = data[:2]
    found, scan = segments(data)
    for marker, start, end in found:
        if marker == 0xDB:
            body, wide = data[start + 4:end], b""
            while body:
                wide += bytes([0x10 | body[0]]) + b"".join(bytes([0, v]) for v in body[1:65])
                body = body[65:]
            out += b"\xff\xdb" + struct.pack(">H", len(wide) + 2) + wide
        elif marker == 0xC0:
            out += b"\xff\xc1" + data[start + 2:end]
        else:
            out += data[start:end]
    return out + data[scan:]


def two_channels(data):
    at = frame_of(data)
    frame = b"\xff\xc0\0\x0e" + data[at + 4:at + 9] + b"\x02\x01\x11\0\x02\x11\0"
    return data[:at] + frame + data[at + 13:]


truth = page()
png_kinds()
png_others(truth)
jpegs(truth)
