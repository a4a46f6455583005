"""The protocol of protocol.ts: a line of JSON with one command on stdin, and a line with its response on stdout."""

import json
import math
import sys


def respond(commands):
    for line in sys.stdin:
        [(name, argument)] = json.loads(line).items()
        print(json.dumps(commands[name](argument)), flush=True)


def outcome(took, failed, seconds, cpu_seconds):
    """took: milliseconds of each call"""
    ordered = sorted(took)
    return {
        "seconds": seconds,
        "cpuSeconds": cpu_seconds,
        "p50Milliseconds": ordered[math.ceil(0.5 * len(ordered)) - 1],
        "p99Milliseconds": ordered[math.ceil(0.99 * len(ordered)) - 1],
        "failed": failed,
    }
