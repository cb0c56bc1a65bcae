"""Runs a command on a pseudo-terminal. Reads its JSON from standard input:

{"argv": [...], "cwd": "...", "env": {...}, "columns": 80, "steps": [{"await": "text", "send": "keys"}]}

Each step waits until the text is on the screen and then types the keys. Prints {"code", "output"}.
"""

import fcntl
import json
import os
import pty
import struct
import sys
import termios

call = json.load(sys.stdin)
child, screen = pty.fork()
if child == 0:
    os.chdir(call["cwd"])
    os.execve(call["argv"][0], call["argv"], call["env"])
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, call["columns"], 0, 0))

output = b""
seen = 0
steps = call["steps"]
while True:
    try:
        piece = os.read(screen, 65536)
    except OSError:
        break
    if not piece:
        break
    output += piece
    while steps:
        found = output.find(steps[0]["await"].encode(), seen)
        if found == -1:
            break
        seen = found + 1
        os.write(screen, steps.pop(0)["send"].encode())

_, status = os.waitpid(child, 0)
json.dump({"code": os.waitstatus_to_exitcode(status), "output": output.decode()}, sys.stdout)
