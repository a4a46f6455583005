"""curl under the same load as the clients in Node.js: one process for each run, which parses no JSON.

Python starts it, because Node.js does not report the processor time of a process that it started.
"""

import resource
import subprocess
import time

from lines import outcome, respond

opening = None


def open_client(argument):
    global opening
    opening = argument
    return {}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(argument):
    calls, at_once = argument["calls"], opening["atOnce"]
    lines = [
        "digest",
        f'user = "{opening["publicKey"]}:{opening["privateKey"]}"',
        "silent",
        r'write-out = "%{http_code} %{time_total}\n"',
        *(["parallel", f"parallel-max = {at_once}"] if at_once > 1 else []),
        *(f'url = "{opening["address"]}"\noutput = "/dev/null"' for _ in range(calls)),
    ]
    cpu, start = cpu_seconds(), time.perf_counter()
    command = ["curl", "--disable", "--config", "-"]
    printed = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True).stdout
    seconds = time.perf_counter() - start
    results = [line.split() for line in printed.splitlines()]
    right = sum(status == "200" for status, _ in results)
    took = [float(total) * 1000 for _, total in results] or [seconds * 1000]
    return outcome(took, calls - right, seconds, cpu_seconds() - cpu)


respond({"open": open_client, "run": run})
