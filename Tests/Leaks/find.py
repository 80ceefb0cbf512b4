#!/usr/bin/python3
"""Looks through what a traced program wrote for what must not be in the open.

usage: find.py TRACE SECRETS [ALLOWED…]

TRACE is the output of `strace -f -v -yy -xx -s 100000000` with the calls that `find.py --calls` prints. SECRETS is a folder: of a file
named `window-…` every piece of 16 bytes is a secret, of one named `exact-…` the whole. Those named `exact-pass…` and `exact-key…` must
not be among the arguments and the environment of any program, the others not among those of a program other than flatbed, which was
given them. ALLOWED are starts of names of open files that may hold secrets: paths, or what strace calls sockets and pipes. `localhost`
among them lets the print system's programs, which ask the printer what it can do, make connections within the machine; `loopback` lets
any program serve on loopback addresses, and send secrets to who asks there. What is thrown away is passed over.
Prints what was found, a line each; status 1 if anything was.
"""
import os
import re
import sys

CALLS = ("network,write,writev,pwrite64,pwritev,pwritev2,sendfile,copy_file_range,splice,vmsplice,tee,io_uring_setup,mmap,"
         "execve,open,openat,creat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,memfd_create")
WINDOW = 16
PRINTING = ("lp", "lpstat", "lpoptions")
LOOPBACK = {b"127.0.0.1", b"::1"}
# A socket as strace tells of it before it has an address, and connections that only loopback addresses have.
SERVER = re.compile(r"\bsocket\(AF_INET6?, SOCK_STREAM\b.* = \d+<(TCP(?:v6)?:\[\d+\])>")
BOUND = re.compile(r"\bbind\(\d+<(TCP(?:v6)?:\[\d+\])>.* = 0$")
ANSWERS = ("TCP:[127.0.0.1:", "TCPv6:[[::1]:")
# Ways by which bytes could get out unseen.
UNSEEN = re.compile(r"\b(sendfile|copy_file_range|splice|vmsplice|tee|io_uring_setup)\(")
WRITE = re.compile(r"\b(?:write|writev|pwrite64|pwritev|pwritev2|sendto|sendmsg)\(\d+<(.*?)>(?:\(deleted\))?, (.*)", re.S)
NAMING = re.compile(r"\b(?:creat|rename\w*|mkdir\w*|link\w*|symlink\w*|memfd_create)\(|\bopen(?:at)?\(.*O_CREAT")
PROGRAM = re.compile(r"\bexecve\((\"[^\"]*\"), (.*)", re.S)
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


def texts(line):
    """The strings in a line of the trace."""
    return [bytes.fromhex(text.replace("\\x", "")) for text in TEXT.findall(line)]


def named(line, exact, allowed):
    """Secrets in the names of files that are made; a few letters could be in any name."""
    for text in texts(line):
        if any(text.startswith(start.encode()) for start in allowed):
            continue
        for label, secret in exact.items():
            if len(secret) >= 8 and secret in text:
                yield f"{label} in the name of a file: {text.decode(errors='replace')}"


def given(program, rest, exact):
    """Secrets in what a program is started with."""
    path = texts(program)[0].decode(errors="replace")
    is_ours = os.path.basename(path) in ("flatbed", "bash", "sh", "env", "timeout")
    for label, secret in exact.items():
        must_not = label.startswith(("exact-pass", "exact-key")) or not is_ours
        if must_not and len(secret) >= 8 and any(secret in text for text in texts(rest)):
            yield f"{label} in what {path} is started with"


def main():
    if sys.argv[1:] == ["--calls"]:
        print(CALLS)
        return
    trace, folder, *allowed = sys.argv[1:]
    windows, exact = secrets(folder)
    found, written, programs, unbound = set(), 0, {}, {}
    serves = "loopback" in allowed
    if serves:
        allowed += ANSWERS
    with open(trace, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if UNSEEN.search(line):
                found.add("a call that writes unseen: " + line[:120].strip())
            if "mmap(" in line and "MAP_SHARED" in line and "PROT_WRITE" in line and "<" in line:
                found.add("a file written through memory: " + line[:160].strip())
            process = line.split(" ", 1)[0]
            is_local = "localhost" in allowed and programs.get(process) in PRINTING
            server = SERVER.search(line) if serves else None
            if server:
                unbound[server[1]] = line
            elif re.search(r"\bsocket\(AF_INET6?\b", line) and not is_local:
                found.add("a network socket: " + line[:120].strip())
            if re.search(r"\bconnect\(.*AF_INET6?\b", line) and (serves or not LOOPBACK & set(texts(line))):
                found.add("a connection to a network: " + line[:160].strip())
            if re.search(r"\bbind\(.*AF_INET6?\b", line) and not LOOPBACK & set(texts(line)):
                found.add("a network socket for others: " + line[:160].strip())
            bound = BOUND.search(line.strip())
            if bound:
                unbound.pop(bound[1], None)
            if NAMING.search(line):
                found.update(named(line, exact, allowed))
            program = PROGRAM.search(line)
            if program:
                programs[process] = os.path.basename(texts(program[1])[0].decode(errors="replace"))
                found.update(given(*program.groups(), exact))
            match = WRITE.search(line)
            if not match:
                continue
            name, rest = match.groups()
            name = PIECE.sub(lambda piece: chr(int(piece.group(1), 16)), name)
            if any(name.startswith(start) for start in ["/dev/null", *allowed]):
                continue
            data = b"".join(texts(rest))
            written += len(data)
            for label, secret in exact.items():
                if secret in data:
                    found.add(f"{label} in {name}")
            for start in range(len(data) - WINDOW + 1):
                if data[start:start + WINDOW] in windows:
                    found.add(f"content in {name}")
                    break
    # One that gets no loopback address could be meant for any.
    found.update("a network socket: " + line[:120].strip() for line in unbound.values())
    for line in sorted(found):
        print(line)
    print(f"{written} bytes looked at", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
