"""Reads an address as often as asked for in one session of requests; prints each status."""

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
