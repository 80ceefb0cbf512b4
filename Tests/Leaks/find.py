#!/usr/bin/python3
"""Looks through what a traced program wrote for what must not be in the open.

usage: find.py TRACE SECRETS [ALLOWED…]

TRACE is the output of `strace -f -yy -xx -s 100000000` with the calls that `find.py --calls` prints. SECRETS is a folder: of a file named
`window-…` every piece of 16 bytes is a secret, of one named `exact-…` the whole. ALLOWED are starts of names of open files that may hold
them: paths, or what strace calls sockets and pipes. What is thrown away is passed over.
Prints what was found, a line each; status 1 if anything was.
"""
import os
import re
import sys

CALLS = ("network,write,writev,pwrite64,pwritev,pwritev2,sendfile,copy_file_range,splice,vmsplice,tee,io_uring_setup,mmap")
WINDOW = 16
# Ways by which bytes could get out unseen.
UNSEEN = re.compile(r"\b(sendfile|copy_file_range|splice|vmsplice|tee|io_uring_setup)\(")
WRITE = re.compile(r"\b(?:write|writev|pwrite64|pwritev|pwritev2|sendto|sendmsg)\(\d+<(.*?)>(?:\(deleted\))?, (.*)", re.S)
PIECE = re.compile(r"\\x([0-9a-f]{2})")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def secrets(folder):
    windows, exact = set(), {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        if name.startswith("window-"):
            pieces = (data[i:i + WINDOW] for i in range(0, len(data) - WINDOW + 1, WINDOW))
            # Pieces of few different bytes, such as rows of white, may be anywhere.
            windows.update(p for p in pieces if len(set(p)) > 6)
        elif data:
            exact[name] = data
    return windows, exact


def main():
    if sys.argv[1:] == ["--calls"]:
        print(CALLS)
        return
    trace, folder, *allowed = sys.argv[1:]
    windows, exact = secrets(folder)
    found, written = set(), 0
    with open(trace, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if UNSEEN.search(line):
                found.add("a call that writes unseen: " + line[:120].strip())
            if "mmap(" in line and "MAP_SHARED" in line and "PROT_WRITE" in line and "<" in line:
                found.add("a file written through memory: " + line[:160].strip())
            network = re.search(r"AF_INET6?\b", line)
            if network and not re.search(r'"127\.0\.0\.1"|::1|\\x31\\x32\\x37\\x2e\\x30\\x2e\\x30\\x2e\\x31', line) and "connect(" in line:
                found.add("a connection to a network: " + line[:160].strip())
            match = WRITE.search(line)
            if not match:
                continue
            name, rest = match.groups()
            name = PIECE.sub(lambda piece: chr(int(piece.group(1), 16)), name)
            if any(name.startswith(start) for start in ["/dev/null", *allowed]):
                continue
            data = b"".join(bytes.fromhex(text.replace("\\x", "")) for text in TEXT.findall(rest))
            written += len(data)
            for label, secret in exact.items():
                if secret in data:
                    found.add(f"{label} in {name}")
            for start in range(len(data) - WINDOW + 1):
                if data[start:start + WINDOW] in windows:
                    found.add(f"content in {name}")
                    break
    for line in sorted(found):
        print(line)
    print(f"{written} bytes looked at", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
