"""httpx under the same load as the clients in Node.js."""

import asyncio
import time

import httpx
from lines import outcome, respond

loop = asyncio.new_event_loop()
client = None
opening = None


def open_client(argument):
    global client, opening
    if client is not None:
        loop.run_until_complete(client.aclose())
    opening = argument
    limits = httpx.Limits(max_connections=argument["atOnce"], max_keepalive_connections=argument["atOnce"])
    auth = httpx.DigestAuth(argument["publicKey"], argument["privateKey"])
    client = httpx.AsyncClient(auth=auth, limits=limits, timeout=20, trust_env=False)
    return {}


async def measure(calls):
    took = []
    begun = failed = 0

    async def work():
        nonlocal begun, failed
        while begun < calls:
            begun += 1
            start = time.perf_counter()
            try:
                right = (await client.get(opening["address"])).json()["id"] == opening["projectId"]
            except Exception:
                right = False
            took.append((time.perf_counter() - start) * 1000)
            failed += not right

    cpu, start = time.process_time(), time.perf_counter()
    await asyncio.gather(*(work() for _ in range(opening["atOnce"])))
    return outcome(took, failed, time.perf_counter() - start, time.process_time() - cpu)


respond({"open": open_client, "run": lambda argument: loop.run_until_complete(measure(argument["calls"]))})
