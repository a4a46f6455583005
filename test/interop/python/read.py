"""Reads an address a given number of times in one session of requests. Prints each status."""

import os
import sys

import requests
from requests.auth import HTTPDigestAuth

address, times = sys.argv[1], int(sys.argv[2])
with requests.Session() as session:
    session.trust_env = False
    session.auth = HTTPDigestAuth(os.environ["PUBLIC_KEY"], os.environ["PRIVATE_KEY"])
    for _ in range(times):
        print(session.get(address, timeout=20).status_code)
