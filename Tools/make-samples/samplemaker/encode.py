"""EXIF, colour profile and file formats."""

import io
import struct

import numpy as np
import piexif
import pillow_heif
from PIL import Image

CAMERA = "Flatbed Sample Camera"
# In the South Pacific, far from every coast: a position that no export may carry.
POSITION = {
    piexif.GPSIFD.GPSLatitudeRef: b"S",
    piexif.GPSIFD.GPSLatitude: ((48, 1), (52, 1), (36, 1)),
    piexif.GPSIFD.GPSLongitudeRef: b"W",
    piexif.GPSIFD.GPSLongitude: ((123, 1), (23, 1), (36, 1)),
    piexif.GPSIFD.GPSAltitudeRef: 0,
    piexif.GPSIFD.GPSAltitude: (2, 1),
}
CROP_FACTOR = 6.1  # of a sensor of about 1/1.9 inch
# Quarter turns counter-clockwise from the upright photo to the stored one, by EXIF orientation.
STORED_TURNS = {1: 0, 6: 1, 3: 2, 8: 3}


def exif(size, orientation, taken, f35, srgb=True):
    """The EXIF block of a stored photo.

    taken: "2025:03:14 18:21:07"; srgb: False where a profile says what the colours are."""
    z, e = piexif.ImageIFD, piexif.ExifIFD
    first = {
        z.Make: b"Flatbed",
        z.Model: CAMERA.encode(),
        z.Software: b"make_samples",
        z.Orientation: orientation,
        z.XResolution: (72, 1),
        z.YResolution: (72, 1),
        z.ResolutionUnit: 2,
        z.DateTime: taken.encode(),
    }
    detail = {
        e.DateTimeOriginal: taken.encode(),
        e.DateTimeDigitized: taken.encode(),
        e.OffsetTimeOriginal: b"+00:00",
        e.FocalLength: (round(100 * f35 / CROP_FACTOR), 100),
        e.FocalLengthIn35mmFilm: f35,
        e.FNumber: (18, 10),
        e.ISOSpeedRatings: 100,
        e.ExposureTime: (1, 120),
        e.PixelXDimension: size[0],
        e.PixelYDimension: size[1],
        e.ColorSpace: 1 if srgb else 0xFFFF,
    }
    return piexif.dump({"0th": first, "Exif": detail, "GPS": POSITION})


def stored(upright, orientation):
    """The upright picture as a camera stores it that says `orientation`."""
    return np.ascontiguousarray(np.rot90(upright, STORED_TURNS[orientation]))


def write_photo(path, picture, exif_block, quality, profile=None):
    """Writes 8-bit RGB in the format that the name's ending says."""
    image = Image.fromarray(picture)
    kind = path.suffix.lower()
    if kind == ".jpg":
        extra = {"icc_profile": profile} if profile else {}
        image.save(path, "JPEG", quality=quality, subsampling=2, exif=exif_block, optimize=True, **extra)
    elif kind == ".png":
        image.save(path, "PNG", exif=exif_block, optimize=True)
    elif kind == ".tif":
        image.save(path, "TIFF", compression="jpeg", quality=quality, tiffinfo=_tiff_tags(exif_block), dpi=(72, 72))
    elif kind == ".heic":
        # one thread, so that x265 shares out its bits the same way on every machine
        one_thread = {"x265:pools": "none", "x265:frame-threads": "1"}
        pillow_heif.from_pillow(image).save(path, quality=quality, exif=exif_block, chroma=420, enc_params=one_thread)
    else:
        raise ValueError(f"no writer for {kind}")


def _tiff_tags(block):
    """What of the EXIF block goes into a TIFF's own directory: camera, date and orientation."""
    first = piexif.load(block)["0th"]
    return {
        tag: first[tag].decode() if isinstance(first[tag], bytes) else first[tag] for tag in (271, 272, 274, 305, 306)
    }  # Make, Model, Orientation, Software, DateTime


def write_scan(path, pages, dots_per_inch):
    """Writes 8-bit grey pages as one TIFF with Deflate compression."""
    images = [Image.fromarray(page) for page in pages]
    images[0].save(
        path,
        "TIFF",
        save_all=True,
        append_images=images[1:],
        compression="tiff_adobe_deflate",
        dpi=(dots_per_inch, dots_per_inch),
        software="make_samples",
    )


# Display P3: sRGB's curve and white with the primaries of DCI-P3. Columns as the ICC wants them, adapted to D50.
_P3_D50 = np.array([[0.51512, 0.29198, 0.15710], [0.24120, 0.69225, 0.06657], [-0.00105, 0.04189, 0.78407]])
_SRGB_D50 = np.array([[0.43607, 0.38515, 0.14307], [0.22249, 0.71687, 0.06061], [0.01392, 0.09708, 0.71410]])
_D50 = (0.96420, 1.0, 0.82491)
_D65_TO_D50 = ((1.04788, 0.02292, -0.05022), (0.02959, 0.99048, -0.01707), (-0.00925, 0.01508, 0.75168))


def to_display_p3(picture):
    """The same colours, encoded for Display P3."""
    x = np.arange(256) / 255
    linear = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)[picture]
    y = np.clip(linear @ (np.linalg.inv(_P3_D50) @ _SRGB_D50).T, 0, 1)
    y = np.where(y <= 0.0031308, y * 12.92, 1.055 * y ** (1 / 2.4) - 0.055)
    return np.round(y * 255).astype(np.uint8)


def display_p3_profile():
    """An ICC profile (version 4, matrix and curve) for Display P3."""

    def fixed(*values):
        return b"".join(struct.pack(">i", round(v * 65536)) for v in values)

    def words(text):
        data = text.encode("utf-16-be")
        return b"mluc" + bytes(4) + struct.pack(">II", 1, 12) + b"enUS" + struct.pack(">II", len(data), 28) + data

    curve = b"para" + bytes(4) + struct.pack(">HH", 3, 0) + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    tags = {
        b"desc": words("Display P3"),
        b"cprt": words("No copyright, use freely"),
        b"wtpt": b"XYZ " + bytes(4) + fixed(*_D50),
        b"chad": b"sf32" + bytes(4) + fixed(*[v for row in _D65_TO_D50 for v in row]),
    }
    for i, name in enumerate((b"rXYZ", b"gXYZ", b"bXYZ")):
        tags[name] = b"XYZ " + bytes(4) + fixed(*_P3_D50[:, i])
    for name in (b"rTRC", b"gTRC", b"bTRC"):
        tags[name] = curve
    table, body, at = io.BytesIO(), io.BytesIO(), 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        table.write(name + struct.pack(">II", at + body.tell(), len(data)))
        body.write(data + bytes(-len(data) % 4))
    size = at + body.tell()
    header = struct.pack(">I4sI4s4s4s", size, bytes(4), 0x04000000, b"mntr", b"RGB ", b"XYZ ")
    header += struct.pack(">6H", 2025, 1, 1, 0, 0, 0) + b"acsp" + bytes(24) + struct.pack(">I", 0) + fixed(*_D50)
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table.getvalue() + body.getvalue()
