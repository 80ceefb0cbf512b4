#!/usr/bin/python3
"""Makes the test vectors from docs/library-format.md alone: a library of each version, with the same two scans.

Keys, salts and pictures come from a counter, so that the same bytes come out each time, but for the headers of streams, which libsodium
draws itself. usage: make.py  (writes v1-owner-only/, v2-protected/, and the files beside them)
"""
import hashlib
import json
import os
import shutil
import struct
import zlib

from nacl import bindings

from read import ALPHABET, CHUNK, MAGIC, blake, derive

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = "5d2a7c1e-0b3f-4e6a-9c8d-1f2e3d4c5b6a"
PASSPHRASE = "violet Fährte 12 anchors"
SCANS = [("a1b2c3d4-0001-4000-8000-000000000001", "Rent – März", 1), ("a1b2c3d4-0002-4000-8000-000000000002", "Receipt", 2)]
MEMORY, PASSES = 256 << 20, 3


def drawn(label, count):
    """Bytes that look random and are the same each time."""
    return hashlib.shake_256(label.encode()).digest(count)


def png(label, width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = drawn(label, width * height * 3)
    rows = b"".join(b"\0" + pixels[y * width * 3:(y + 1) * width * 3] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def seal(content, key, place):
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    data = MAGIC + derive(key, "flatbed name")[:8] + bindings.crypto_secretstream_xchacha20poly1305_init_push(
        state, derive(key, "flatbed files"))
    parts = [content[i:i + CHUNK] for i in range(0, len(content), CHUNK)] or [b""]
    for index, part in enumerate(parts):
        tag = 3 if index == len(parts) - 1 else 0
        data += bindings.crypto_secretstream_xchacha20poly1305_push(state, part, place.encode(), tag)
    return data


def wrap(key, wrapping, kind, memory, passes):
    nonce = drawn(f"nonce {kind}", 24)
    context = f"flatbed slot 2 {LIBRARY} {kind} {memory} {passes}".encode()
    return nonce.hex(), bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(key, context, nonce, wrapping).hex()


def recovery_text(key):
    check = format(int.from_bytes(blake(b"flatbed recovery check" + key), "big"), "0256b")[:20]
    bits = format(int.from_bytes(key, "big"), "0160b") + check
    digits = "".join(ALPHABET[int(bits[i:i + 5], 2)] for i in range(0, 180, 5))
    return "-".join(digits[i:i + 4] for i in range(0, 36, 4))


def header(key, recovery):
    salts = {kind: drawn(f"salt {kind}", 16) for kind in ("passphrase", "recovery")}
    argon = bindings.crypto_pwhash_alg(
        32, PASSPHRASE.encode(), salts["passphrase"], PASSES, MEMORY, bindings.crypto_pwhash_ALG_ARGON2ID13)
    slots = []
    nonce, wrapped = wrap(key, argon, "passphrase", MEMORY, PASSES)
    slots.append({"kind": "passphrase", "memory": MEMORY, "passes": PASSES, "salt": salts["passphrase"].hex(),
                  "nonce": nonce, "wrapped": wrapped})
    nonce, wrapped = wrap(key, blake(b"flatbed recovery" + salts["recovery"], recovery), "recovery", 0, 0)
    slots.append({"kind": "recovery", "salt": salts["recovery"].hex(), "nonce": nonce, "wrapped": wrapped})
    nonce = drawn("nonce state", 24)
    state = nonce + bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(
        b"\0", f"flatbed state 2 {LIBRARY}".encode(), nonce, derive(key, "flatbed state"))
    return {"format": "flatbed-library", "version": 2, "id": LIBRARY, "protection": "passphrase",
            "key": derive(key, "flatbed name")[:8].hex(), "slots": slots, "state": state.hex()}


def scan_files(scan, title, pages):
    def entry(content):
        return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    files, page_list = {}, []
    # The first page fills more than two chunks, so that chunks can change places.
    photo = files["photo-1.png"] = png(f"{scan} photo", 40, 30)
    for number in range(1, pages + 1):
        width, height = (220, 210) if number == 1 and pages == 1 else (40, 30)
        content = files[f"page-{number}-original.png"] = png(f"{scan} page {number}", width, height)
        page_list.append({"number": number, "photo": 1, "frame": 0, "quad": None, "found": "whole", "turn": 0,
                          "width": width, "height": height, **entry(content)})
    record = {"version": 1, "id": scan, "createdAt": f"2026-11-30T09:32:5{pages}.120Z", "title": title, "pageCount": pages,
              "mode": "original", "nextPage": pages + 1, "nextPhoto": 2, "pages": page_list,
              "photos": [{"number": 1, "name": "IMG_2041.PNG", "format": "png", "extension": "png", **entry(photo)}]}
    files["record.json"] = (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def main():
    key, recovery = drawn("library key", 32), drawn("recovery key", 20)
    plain = {"format": "flatbed-library", "version": 1, "id": LIBRARY, "protection": "owner-only"}
    expected = {"id": LIBRARY, "scans": [], "trash": []}
    for name, head, sealing in (("v1-owner-only", plain, False), ("v2-protected", header(key, recovery), True)):
        root = os.path.join(HERE, name)
        shutil.rmtree(root, ignore_errors=True)
        text = (json.dumps(head, indent=2) + "\n").encode()
        write(f"{root}/library.json", text)
        if sealing:
            write(f"{root}/library.json.copy", text)
        for scan, title, pages in SCANS:
            files = scan_files(scan, title, pages)
            for file, content in files.items():
                write(f"{root}/scans/{scan}/{file}",
                      seal(content, key, f"{LIBRARY}/{scan}/{file}") if sealing else content)
            if not sealing:
                record = json.loads(files.pop("record.json"))
                expected["scans"].append({
                    "id": scan, "title": title, "createdAt": record["createdAt"],
                    "files": {n: hashlib.sha256(c).hexdigest() for n, c in sorted(files.items())}})
    write(f"{HERE}/passphrase.txt", PASSPHRASE.encode() + b"\n")
    write(f"{HERE}/recovery.txt", recovery_text(recovery).encode() + b"\n")
    write(f"{HERE}/expected.json", (json.dumps(expected, indent=2, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main()
