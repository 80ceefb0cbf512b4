"""Runs a program and measures it, from a process that is small itself.

usage: launch.py PROCESSORS PROGRAM [ARGUMENT…]

Prints one JSON object: seconds by the clock and of the processor, the most memory in megabytes, and the status. A child's peak begins with
the memory of the process that starts it, so that whoever has large libraries loaded can't measure it.
"""

import json
import os
import sys
import time

_, processors, *words = sys.argv
os.sched_setaffinity(0, {int(number) for number in processors.split(",")})
start = time.perf_counter()
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawnp(words[0], words, os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - start
print(json.dumps({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss / 1024,
                  "status": os.waitstatus_to_exitcode(status)}))
