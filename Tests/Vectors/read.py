#!/usr/bin/python3
"""Reads a Flatbed library, protected or not, from docs/library-format.md alone, and prints what is in it as JSON.

Shares no code with Flatbed; needs Debian's python3-nacl. Stops with status 1 and a sentence at the first thing that is wrong.
usage: read.py LIBRARY [--passphrase-file FILE | --recovery-file FILE]
"""
import argparse
import hashlib
import json
import os
import sys

from nacl import bindings, exceptions

MAGIC = b"FLATBED\x02"
CHUNK = 65536
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Fault(Exception):
    pass


def blake(message, key=b""):
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


def derive(key, purpose):
    return blake(purpose.encode(), key)


def recovery_key(text):
    digits = text.upper().replace("-", "").replace(" ", "").strip()
    digits = digits.replace("O", "0").replace("I", "1").replace("L", "1")
    if len(digits) != 36:
        raise Fault("a recovery key has 36 letters and digits")
    bits = "".join(format(ALPHABET.index(d), "05b") for d in digits)
    key = int(bits[:160], 2).to_bytes(20, "big")
    check = format(int.from_bytes(blake(b"flatbed recovery check" + key), "big"), "0256b")[:20]
    if bits[160:] != check:
        raise Fault("the recovery key's check digits are wrong")
    return key


def open_slot(slot, library, passphrase, recovery):
    salt, nonce, wrapped = (bytes.fromhex(slot[k]) for k in ("salt", "nonce", "wrapped"))
    memory, passes = slot.get("memory", 0), slot.get("passes", 0)
    if slot["kind"] == "passphrase" and passphrase is not None:
        if not (256 << 20 <= memory <= 2 << 30 and memory % 1024 == 0 and 3 <= passes <= 16):
            raise Fault("the slot's cost is out of bounds")
        wrapping = bindings.crypto_pwhash_alg(
            32, passphrase, salt, passes, memory, bindings.crypto_pwhash_ALG_ARGON2ID13)
    elif slot["kind"] == "recovery" and recovery is not None:
        wrapping = blake(b"flatbed recovery" + salt, recovery)
    else:
        return None
    context = f"flatbed slot 2 {library} {slot['kind']} {memory} {passes}".encode()
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(wrapped, context, nonce, wrapping)
    except exceptions.CryptoError:
        return None


def open_file(data, keys, place):
    """The content of a sealed file. `keys` are library keys by their names."""
    if data[:8] != MAGIC:
        raise Fault(f"{place} is not sealed")
    if data[8:16] not in keys:
        raise Fault(f"{place} is sealed with a foreign key")
    state = bindings.crypto_secretstream_xchacha20poly1305_state()
    try:
        bindings.crypto_secretstream_xchacha20poly1305_init_pull(
            state, data[16:40], derive(keys[data[8:16]], "flatbed files"))
        content, position = b"", 40
        while True:
            chunk = data[position:position + CHUNK + 17]
            if len(chunk) < 17:
                raise Fault(f"{place} has lost its end")
            part, tag = bindings.crypto_secretstream_xchacha20poly1305_pull(state, chunk, place.encode())
            content += part
            position += len(chunk)
            if tag == 3:
                if position != len(data):
                    raise Fault(f"{place} has more behind its end")
                break
            if tag != 0 or len(part) != CHUNK:
                raise Fault(f"{place} has a chunk that no writer makes")
    except (exceptions.CryptoError, RuntimeError):
        raise Fault(f"{place} was altered, or belongs elsewhere") from None
    if len(data) != 40 + len(content) + 17 * max(1, -(-len(content) // CHUNK)):
        raise Fault(f"{place} has a length that no writer makes")
    return content


class Library:
    def __init__(self, path, passphrase=None, recovery=None):
        self.path = path
        with open(os.path.join(path, "library.json"), "rb") as file:
            self.header = json.load(file)
        self.id = self.header["id"]
        self.keys, self.converting = None, False
        if self.header["protection"] == "owner-only":
            return
        if self.header["protection"] != "passphrase" or self.header["version"] != 2:
            raise Fault("its protection is unknown")
        key = None
        for slot in self.header["slots"]:
            key = key or open_slot(slot, self.id, passphrase, recovery)
        if key is None:
            raise Fault("no slot opens")
        state = bytes.fromhex(self.header["state"])
        try:
            content = bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
                state[24:], f"flatbed state 2 {self.id}".encode(), state[:24], derive(key, "flatbed state"))
        except exceptions.CryptoError:
            raise Fault("the state was altered") from None
        self.converting = content[0] == 1
        self.keys = {derive(k, "flatbed name")[:8]: k for k in [key] + ([content[1:]] if len(content) > 1 else [])}
        if bytes.fromhex(self.header["key"]) != derive(key, "flatbed name")[:8]:
            raise Fault("the header names another key")

    def content(self, folder, scan, name):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        if self.keys is None or (self.converting and data[:8] != MAGIC):
            if data[:8] == MAGIC:
                raise Fault(f"{name} is sealed, and the library says it is open")
            return data
        return open_file(data, self.keys, f"{self.id}/{scan}/{name}")

    def scan(self, folder, scan):
        record = json.loads(self.content(folder, scan, "record.json"))
        files = {}
        for photo in record["photos"]:
            files[f"photo-{photo['number']}.{photo['extension']}"] = photo
        for page in record["pages"]:
            files[f"page-{page['number']}-original.png"] = page
        for name, entry in files.items():
            content = self.content(folder, scan, name)
            if len(content) != entry["bytes"] or hashlib.sha256(content).hexdigest() != entry["sha256"]:
                raise Fault(f"{scan}/{name} is not what its record says")
        return {
            "id": record["id"], "title": record["title"], "createdAt": record["createdAt"],
            "files": {name: entry["sha256"] for name, entry in sorted(files.items())},
        }

    def scans(self, container="scans"):
        folder = os.path.join(self.path, container)
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [self.scan(os.path.join(folder, name), name.split(".")[0]) for name in names]


def first_line(path):
    with open(path, "rb") as file:
        return file.read().split(b"\n")[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--passphrase-file")
    parser.add_argument("--recovery-file")
    options = parser.parse_args()
    try:
        library = Library(
            options.library,
            passphrase=first_line(options.passphrase_file) if options.passphrase_file else None,
            recovery=recovery_key(first_line(options.recovery_file).decode()) if options.recovery_file else None)
        answer = {"id": library.id, "scans": library.scans(), "trash": library.scans("trash")}
    except Fault as fault:
        sys.exit(f"read.py: {fault}")
    print(json.dumps(answer, indent=2))


if __name__ == "__main__":
    main()
