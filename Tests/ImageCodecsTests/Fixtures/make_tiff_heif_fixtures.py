#!/usr/bin/env python3
"""Makes the tiff_* and heif_* pictures beside this file.

Needs numpy, tifffile, pillow, pillow-heif, and libtiff's and libheif's tools (tiffcp, heif-enc). What no tool writes
is put together here byte by byte. The tests compute what each picture must look like from the formulas below.
"""
import io
import os
import struct
import subprocess
import tempfile

import numpy
import pillow_heif
import tifffile
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(HERE, name)


def save(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def axes(width, height):
    return numpy.meshgrid(numpy.arange(width), numpy.arange(height))


def color_chart(width, height):
    """Smooth, different along x and y, and inside of 20...230 for pictures up to 53 x 37."""
    x, y = axes(width, height)
    return numpy.stack([20 + 4 * x, 20 + 6 * y, 230 - 2 * x - 2 * y], -1).astype(numpy.uint8)


def grey_chart(width, height):
    x, y = axes(width, height)
    return (40 + 2 * x + 3 * y).astype(numpy.uint8)


def bilevel_chart(width, height):
    """1 is black ink."""
    x, y = axes(width, height)
    return ((x * x + 3 * y) // 7 % 3 == 0).astype(numpy.uint8)


def wide_chart(width, height):
    """For pictures up to 512 x 384."""
    x, y = axes(width, height)
    return numpy.stack([20 + x * 2 // 5, 20 + y // 2, 230 - x // 4 - y // 5], -1).astype(numpy.uint8)


# TIFF, from tools


def tiffcp(source, name, *options):
    subprocess.run(["tiffcp", *options, source, path(name)], check=True)


def write(folder, name, array, **keywords):
    target = os.path.join(folder, name)
    tifffile.imwrite(target, array, metadata=None, software=False, **keywords)
    return target


def tiffs_from_tools(folder):
    color = write(folder, "color.tif", color_chart(53, 37), photometric="rgb", rowsperstrip=16)
    deep = write(folder, "deep.tif", color_chart(53, 37).astype(numpy.uint16) * 257, photometric="rgb")
    light = write(folder, "float.tif", (grey_chart(53, 37) / 255).astype(numpy.float32), photometric="minisblack")
    grey = write(folder, "grey.tif", grey_chart(53, 37), photometric="minisblack", rowsperstrip=16)
    chart = color_chart(53, 37)
    inks = numpy.concatenate([255 - chart, numpy.zeros((37, 53, 1), numpy.uint8)], -1)
    cmyk = write(folder, "cmyk.tif", inks, photometric="separated", rowsperstrip=16)
    bilevel = os.path.join(folder, "bilevel.tif")
    save(bilevel, tiff({256: 75, 257: 40, 258: 1, 259: 1, 262: 0, 277: 1, 278: 40},
                       [numpy.packbits(bilevel_chart(75, 40), axis=1).tobytes()]))
    tiffcp(color, "tiff_lzw.tif", "-c", "lzw")
    tiffcp(color, "tiff_lzw_predictor2.tif", "-c", "lzw:2")
    tiffcp(deep, "tiff_deflate_predictor2_16bit.tif", "-c", "zip:2")
    tiffcp(deep, "tiff_deflate_predictor2_16bit_big_endian.tif", "-c", "zip:2", "-B")
    tiffcp(light, "tiff_deflate_predictor3_float.tif", "-c", "zip:3")
    tiffcp(light, "tiff_lzw_predictor3_float.tif", "-c", "lzw:3")
    tiffcp(color, "tiff_packbits.tif", "-c", "packbits")
    tiffcp(color, "tiff_zstd.tif", "-c", "zstd:2")
    tiffcp(color, "tiff_lzma.tif", "-c", "lzma:2")
    tiffcp(color, "tiff_webp.tif", "-c", "webp:p100")
    tiffcp(color, "tiff_planar_lzw.tif", "-p", "separate", "-c", "lzw:2")
    tiffcp(color, "tiff_tiled_deflate.tif", "-t", "-w", "16", "-l", "32", "-c", "zip:2")
    tiffcp(color, "tiff_jpeg_rgb.tif", "-c", "jpeg:r:95")
    tiffcp(color, "tiff_jpeg_ycbcr.tif", "-c", "jpeg:95")
    tiffcp(color, "tiff_jpeg_tiled.tif", "-c", "jpeg:95", "-t", "-w", "32", "-l", "48")
    tiffcp(cmyk, "tiff_jpeg_cmyk.tif", "-c", "jpeg:95")
    tiffcp(grey, "tiff_jpeg_grey.tif", "-c", "jpeg:95")
    for name, options in {"g3_1d": "g3:1d", "g3_2d": "g3:2d", "g4": "g4"}.items():
        tiffcp(bilevel, f"tiff_{name}.tif", "-c", options)
        tiffcp(bilevel, f"tiff_{name}_lsb.tif", "-c", options, "-f", "lsb2msb")


# TIFF, by hand


def tiff(tags, blocks, offsets=273, counts=279):
    """A little-endian TIFF of one page; a tag's value is an int, a list of ints (LONG), or bytes (UNDEFINED).

    The values of `tags` may hold "@n", the place of block n in the file.
    """
    body = b"II*\0" + b"\0\0\0\0"
    places = []
    for block in blocks:
        places.append(len(body))
        body += block + b"\0" * (len(block) % 2)
    tags = {offsets: places, counts: [len(block) for block in blocks], **tags}
    entries = b""
    for tag in sorted(tags):
        value = tags[tag]
        if isinstance(value, str):
            value = places[int(value[1:])]
        if isinstance(value, bytes):
            kind, count, content = 7, len(value), value
        else:
            values = value if isinstance(value, list) else [value]
            values = [places[int(v[1:])] if isinstance(v, str) else v for v in values]
            kind, count, content = 4, len(values), struct.pack(f"<{len(values)}I", *values)
            if tag in (258, 259, 262, 277, 320, 338, 512, 530, 531):
                kind, content = 3, struct.pack(f"<{len(values)}H", *values)
        if len(content) > 4:
            place = len(body)
            body += content + b"\0" * (len(content) % 2)
            content = struct.pack("<I", place)
        entries += struct.pack("<HHI", tag, kind, count) + content.ljust(4, b"\0")
    body = body[:4] + struct.pack("<I", len(body)) + body[8:]
    return body + struct.pack("<H", len(tags)) + entries + b"\0\0\0\0"


def jpeg(array, **keywords):
    target = io.BytesIO()
    Image.fromarray(array).save(target, "jpeg", **keywords)
    return target.getvalue()


def segments(data):
    """Yields (marker, payload) up to the start of the scan, and last (0xDA, the entropy-coded data)."""
    place = 2
    while True:
        marker, length = data[place + 1], struct.unpack(">H", data[place + 2:place + 4])[0]
        if marker == 0xDA:
            yield marker, data[place + 2 + length:-2]
            return
        yield marker, data[place + 4:place + 2 + length]
        place += 2 + length


def old_jpegs():
    """Old-style JPEG, compression 6, in its two forms: a whole JPEG file, or loose tables and a bare scan."""
    size = {256: 48, 257: 32, 258: [8, 8, 8], 259: 6, 262: 6, 277: 3, 278: 32}
    whole = jpeg(color_chart(48, 32), quality=95, subsampling=2)
    save("tiff_old_jpeg_file.tif",
         tiff({**size, 512: 1, 513: "@0", 514: len(whole), 530: [2, 2]}, [whole]))
    quantization, dc, ac, scan = {}, {}, {}, b""
    for marker, payload in segments(whole):
        while marker == 0xDB and payload:
            quantization[payload[0] & 15], payload = payload[1:65], payload[65:]
        while marker == 0xC4 and payload:
            length = 17 + sum(payload[1:17])
            (ac if payload[0] >> 4 else dc)[payload[0] & 15], payload = payload[1:length], payload[length:]
        if marker == 0xDA:
            scan = payload
    tables = [quantization[0], quantization[1], dc[0], dc[1], ac[0], ac[1]]
    save("tiff_old_jpeg_tables.tif",
         tiff({**size, 512: 1, 519: ["@1", "@2", "@2"], 520: ["@3", "@4", "@4"], 521: ["@5", "@6", "@6"],
               530: [2, 2], 273: ["@0"], 279: [len(scan)]}, [scan, *tables]))


def ycbcr(array):
    r, g, b = (array[..., index].astype(float) for index in range(3))
    return numpy.clip(numpy.stack([
        0.299 * r + 0.587 * g + 0.114 * b,
        -0.168736 * r - 0.331264 * g + 0.5 * b + 128,
        0.5 * r - 0.418688 * g - 0.081312 * b + 128], -1) + 0.5, 0, 255).astype(numpy.uint8)


def by_hand():
    # YCbCr without JPEG, two by two pixels sharing their color: four Y, Cb, Cr.
    planes = ycbcr(color_chart(48, 32))
    data = b"".join(
        bytes([*planes[y:y + 2, x:x + 2, 0].ravel(), *planes[y:y + 2, x:x + 2, 1:].mean((0, 1)).astype(int)])
        for y in range(0, 32, 2) for x in range(0, 48, 2))
    save("tiff_ycbcr_subsampled.tif",
         tiff({256: 48, 257: 32, 258: [8, 8, 8], 259: 1, 262: 6, 277: 3, 278: 32, 530: [2, 2]}, [data]))
    # One JPEG tile that is no multiple of 16 and larger than its picture.
    tile = numpy.pad(color_chart(53, 37), ((0, 7), (0, 7), (0, 0)), "edge")
    save("tiff_jpeg_odd_tile.tif",
         tiff({256: 53, 257: 37, 258: [8, 8, 8], 259: 7, 262: 6, 277: 3, 322: 60, 323: 44, 530: [2, 2]},
              [jpeg(tile, quality=95, subsampling=2)], 324, 325))
    # Inks with a profile that knows better than any formula: all of K is a dark blue.
    pixels = bytes([0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0])
    save("tiff_cmyk_icc.tif",
         tiff({256: 3, 257: 1, 258: [8, 8, 8, 8], 259: 1, 262: 5, 277: 4, 278: 1, 34675: ink_profile()}, [pixels]))
    # A red of Display P3, and its white.
    pixels = bytes([200, 30, 30, 255, 255, 255])
    save("tiff_p3_icc.tif",
         tiff({256: 2, 257: 1, 258: [8, 8, 8], 259: 1, 262: 2, 277: 3, 278: 1, 34675: p3_profile()}, [pixels]))


# Profiles


def profile(space, connection, device, tags):
    """An ICC version 2 profile of the given tags."""
    table, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, content in tags.items():
        table += name.encode() + struct.pack(">II", start + len(body), len(content))
        body += content + b"\0" * (-len(content) % 4)
    size = start + len(body)
    header = struct.pack(
        ">I4sI4s4s4s12s4s4sI4s4sQI12s4s44s", size, b"none", 0x02400000, device, space, connection, bytes(12), b"acsp",
        b"none", 0, b"none", b"none", 0, 0, struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D), b"none", bytes(44))
    return header + struct.pack(">I", len(tags)) + table + body


def text(words):
    data = words.encode() + b"\0"
    return b"desc" + bytes(4) + struct.pack(">I", len(data)) + data + bytes(78)


def xyz(*values):
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(value * 65536) for value in values))


def p3_profile():
    """Display P3: its primaries adapted to D50, and the sRGB curve in 1024 steps."""
    x = numpy.arange(1024) / 1023
    curve = numpy.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    curve = b"curv" + bytes(4) + struct.pack(">I1024H", 1024, *(int(v * 65535 + 0.5) for v in curve))
    return profile(b"RGB ", b"XYZ ", b"mntr", {
        "desc": text("Display P3 for tests"), "cprt": b"text" + bytes(4) + b"none\0",
        "wtpt": xyz(0.96420, 1.0, 0.82491), "rXYZ": xyz(0.51512, 0.24120, -0.00105),
        "gXYZ": xyz(0.29198, 0.69225, 0.04189), "bXYZ": xyz(0.15710, 0.06657, 0.78407),
        "rTRC": curve, "gTRC": curve, "bTRC": curve})


def ink_profile():
    """Two grid points a side: the paper's white, K as a dark blue of L 30, b -40, other inks plain."""
    grid = b""
    for index in range(16):
        c, m, y, k = (index >> 3) & 1, (index >> 2) & 1, (index >> 1) & 1, index & 1
        lightness, a, b = 100, 0, 0
        if c or m or y:
            lightness, a, b = 100 - 40 * c - 50 * m - 10 * y, -37 * c + 74 * m - 5 * y, -50 * c - 3 * m + 93 * y
        if k:
            lightness, a, b = (30, 0, -40) if not (c or m or y) else (5, 0, 0)
        grid += struct.pack(">3H", round(max(lightness, 0) * 652.8), round((a + 128) * 256), round((b + 128) * 256))
    ramp = struct.pack(">2H", 0, 65535)
    table = (b"mft2" + bytes(4) + bytes([4, 3, 2, 0]) + struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
             + struct.pack(">2H", 2, 2) + ramp * 4 + grid + ramp * 3)
    return profile(b"CMYK", b"Lab ", b"prtr", {
        "desc": text("Inks for tests"), "cprt": b"text" + bytes(4) + b"none\0",
        "wtpt": xyz(0.96420, 1.0, 0.82491), "A2B0": table, "A2B1": table, "A2B2": table})


# HEIF


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full_box(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def find(data, kind):
    """The content of the first box of a kind, wherever it lies."""
    place = data.index(kind)
    size = struct.unpack(">I", data[place - 4:place])[0]
    return data[place + 4:place - 4 + size]


def hevc(array):
    """A picture of 64 x 64 as the content of an hvcC box and of an item."""
    picture = pillow_heif.from_bytes("RGB", (64, 64), array.tobytes())
    target = io.BytesIO()
    picture.save(target, quality=95, chroma=444)
    return find(target.getvalue(), b"hvcC"), find(target.getvalue(), b"mdat")


def extent(width, height):
    return full_box(b"ispe", 0, 0, struct.pack(">II", width, height))


def nclx(primaries, transfer, matrix=6):
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, 0x80))


def rotation(quarter_turns):
    return box(b"irot", bytes([quarter_turns]))


def mirror(axis):
    return box(b"imir", bytes([axis]))


def crop(width, height, x, y):
    return box(b"clap", struct.pack(">IIIIiIiI", width, 1, height, 1, x, 1, y, 1))


def exif(orientation):
    """An Exif item: date, focal length, resolution and an orientation."""
    date = b"2026:11:30 09:32:53\0"

    def entry(tag, kind, count, value):
        return struct.pack("<HHII", tag, kind, count, value)

    main = struct.pack("<H", 5) + entry(0x112, 3, 1, orientation) + entry(0x11A, 5, 1, 74) + entry(
        0x11B, 5, 1, 74) + entry(0x128, 3, 1, 2) + entry(0x8769, 4, 1, 82) + bytes(4)
    block = b"II*\0" + struct.pack("<I", 8) + main + struct.pack("<II", 240, 1)
    block += struct.pack("<H", 2) + entry(0x9003, 2, len(date), 112) + entry(0xA405, 3, 1, 26) + bytes(4) + date
    return bytes(4) + block


def heif(items, primary, references=(), brand=b"heic"):
    """A HEIF file. An item is (id, type, data, properties, is_hidden); a reference is (type, from, [to])."""
    properties, associations = [], b""
    for number, _, _, own, _ in items:
        indices = b""
        for content in own:
            if content not in properties:
                properties.append(content)
            essential = 0x80 if content[4:8] in (b"hvcC", b"irot", b"imir", b"clap") else 0
            indices += bytes([properties.index(content) + 1 | essential])
        if own:
            associations += struct.pack(">HB", number, len(own)) + indices
    count = sum(1 for item in items if item[3])
    information = b"".join(
        full_box(b"infe", 2, 1 if hidden else 0, struct.pack(">HH4s", number, 0, kind), b"\0")
        for number, kind, _, _, hidden in items)
    links = b"".join(
        box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to)) for kind, source, to in references)

    # Phones keep a grid's few bytes in the header, and all else behind it.
    small = b"".join(item[2] for item in items if item[1] == b"grid")

    def meta(start):
        place, small_place, locations = start, 0, b""
        for number, kind, data, _, _ in items:
            is_small = kind == b"grid"
            locations += struct.pack(
                ">HHHHII", number, is_small, 0, 1, small_place if is_small else place, len(data))
            small_place, place = (small_place + len(data), place) if is_small else (small_place, place + len(data))
        return full_box(
            b"meta", 0, 0,
            full_box(b"hdlr", 0, 0, bytes(4), b"pict", bytes(12), b"\0"),
            full_box(b"pitm", 0, 0, struct.pack(">H", primary)),
            full_box(b"iloc", 1, 0, struct.pack(">BBH", 0x44, 0, len(items)), locations),
            full_box(b"iinf", 0, 0, struct.pack(">H", len(items)), information),
            full_box(b"iref", 0, 0, links) if links else b"",
            box(b"iprp", box(b"ipco", *properties), full_box(b"ipma", 0, 0, struct.pack(">I", count), associations)),
            box(b"idat", small) if small else b"")

    head = box(b"ftyp", brand, bytes(4), b"mif1", brand)
    start = len(head) + len(meta(0)) + 8
    return head + meta(start) + box(b"mdat", *(item[2] for item in items if item[1] != b"grid"))


def grid(columns, rows, width, height, extra=(), thumbnail=False):
    """A picture of `wide_chart` in tiles of 64 x 64, as phones store theirs."""
    chart = wide_chart(columns * 64, rows * 64)
    items, tiles = [], []
    for row in range(rows):
        for column in range(columns):
            config, data = hevc(chart[row * 64:row * 64 + 64, column * 64:column * 64 + 64].copy())
            number = len(items) + 1
            items.append((number, b"hvc1", data, [box(b"hvcC", config), extent(64, 64)], True))
            tiles.append(number)
    whole = len(items) + 1
    header = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)
    items.append((whole, b"grid", header, [extent(width, height), *extra], False))
    references = [(b"dimg", whole, tiles)]
    if thumbnail:
        items.append((whole + 1, b"hvc1", items[0][2], items[0][3], True))
        references.append((b"thmb", whole + 1, [whole]))
    items.append((whole + 2, b"Exif", exif(6), [], True))
    references.append((b"cdsc", whole + 2, [whole]))
    return heif(items, whole, references)


def single(array, properties=(), metadata=None):
    config, data = hevc(array)
    items = [(1, b"hvc1", data, [box(b"hvcC", config), extent(64, 64), *properties], False)]
    references = []
    if metadata:
        items.append((2, b"Exif", metadata, [], True))
        references.append((b"cdsc", 2, [1]))
    return heif(items, 1, references)


def flat(*color):
    return numpy.zeros((64, 64, 3), numpy.uint8) + numpy.array(color, numpy.uint8)


def heifs(folder):
    chart = wide_chart(64, 64)
    save("heif_grid_48.heic", grid(8, 6, 500, 370, thumbnail=True))
    save("heif_grid_turned.heic", grid(3, 2, 180, 120, [rotation(1)]))
    save("heif_turned.heic", single(chart, [crop(40, 24, 0, 0), rotation(3), mirror(0)], exif(6)))
    save("heif_exif_only.heic", single(chart, [], exif(6)))
    save("heif_p3_nclx.heic", single(flat(200, 30, 30), [nclx(12, 13)]))
    save("heif_p3_icc.heic", single(flat(200, 30, 30), [box(b"colr", b"prof", p3_profile())]))
    first, second = hevc(flat(200, 30, 30)), hevc(flat(30, 30, 200))
    save("heif_three.heic", heif(
        [(number, b"hvc1", data, [box(b"hvcC", config), extent(64, 64)], False)
         for number, (config, data) in ((1, first), (2, second), (3, first))], 2))
    save("heif_sequence.heic",
         box(b"ftyp", b"msf1", bytes(4), b"msf1", b"hevc") + box(b"moov", full_box(b"mvhd", 0, 0, bytes(96))))
    deep = (wide_chart(64, 64).astype(numpy.uint16) * 257).astype("<u2")
    for bits in (10, 12):
        pillow_heif.options.SAVE_HDR_TO_12_BIT = bits == 12
        picture = pillow_heif.from_bytes("RGB;16", (64, 64), deep.tobytes())
        picture.save(path(f"heif_{bits}bit.heic"), quality=95, chroma=444)
    alpha = numpy.zeros((64, 64, 1), numpy.uint8)
    alpha[16:48, 16:48] = 255
    alpha[:16, :16] = 128
    picture = pillow_heif.from_bytes("RGBA", (64, 64), numpy.concatenate([flat(200, 30, 30), alpha], -1).tobytes())
    picture.save(path("heif_alpha.heic"), quality=95, chroma=444)
    picture = pillow_heif.from_bytes("RGB", (50, 38), wide_chart(50, 38).tobytes())
    picture.save(path("heif_odd_size.heic"), quality=95, chroma=420)
    picture = pillow_heif.from_bytes("L", (53, 37), grey_chart(53, 37).tobytes())
    picture.save(path("heif_grey.heic"), quality=95)
    png = os.path.join(folder, "chart.png")
    Image.fromarray(chart).save(png)
    subprocess.run(["heif-enc", "-A", "-q", "95", "-p", "chroma=444", "-o", path("heif_av1.avif"), png], check=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        tiffs_from_tools(folder)
        old_jpegs()
        by_hand()
        heifs(folder)
