"""Calls each method of `opsmanager` that reads projects, people, teams, keys or events. Prints a line for each: its name and what came of it."""

import os
import sys

from opsmanager import OpsManagerClient

ADDRESS, ORG, PROJECT, ADA, BEN, TEAM, KEY = sys.argv[1:]
client = OpsManagerClient(ADDRESS, os.environ["PUBLIC_KEY"], os.environ["PRIVATE_KEY"], rate_limit=0, retry_count=0)


def call(service, name, *arguments):
    try:
        answer = getattr(getattr(client, service), name)(*arguments)
        answer = list(answer) if name.endswith("_iter") else answer
        print(f"{service}.{name}: {'empty' if answer in ([], None) else 'ok'}")
        return answer
    except Exception as error:  # Whatever a client of others raises is a finding.
        print(f"{service}.{name}: {type(error).__name__} {' '.join(str(error).split())}")
        return None


for name in ["list", "list_iter"]:
    call("organizations", name)
    call("projects", name)
    call("teams", name, ORG)
for name in ["list_projects", "list_projects_iter", "list_users", "get"]:
    call("organizations", name, ORG)
for name in ["get", "get_teams", "list_users"]:
    call("projects", name, PROJECT)
call("projects", "get_by_name", "payments")
call("teams", "get", ORG, TEAM)
call("teams", "get_by_name", ORG, "operators")
call("teams", "list_users", ORG, TEAM)
call("users", "get", ADA)
call("users", "get_by_name", "ada@example.com")
call("api_keys", "list_organization_keys", ORG)
call("api_keys", "list_organization_keys_iter", ORG)
call("api_keys", "get_organization_key", ORG, KEY)
call("api_keys", "list_project_keys", PROJECT)
call("agents", "list_api_keys", PROJECT)
for place, target in [("organization", ORG), ("project", PROJECT)]:
    call("events", f"list_{place}_events_iter", target)
    events = call("events", f"list_{place}_events", target) or [None]
    call("events", f"get_{place}_event", target, getattr(events[0], "id", ""))
