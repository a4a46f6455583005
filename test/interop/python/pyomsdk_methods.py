"""Calls each method of pyomsdk that is about projects, people, teams or keys. Prints a line for each: its name and what came of it."""

import inspect
import os
import sys
import typing

from pyomsdk import OpsManagerClient

ADDRESS, ORG, PROJECT, ADA, BEN = sys.argv[1:6]
known = {"tag": "PROD", "org_id": ORG, "project_id": PROJECT, "group_id": PROJECT, "user_id": ADA, "cluster_id": ADA, "user_name": "ada@example.com"}
client = OpsManagerClient(ADDRESS, os.environ["PUBLIC_KEY"], os.environ["PRIVATE_KEY"])


def model_of(annotation):
    """The class of a parameter, or that of the entries of a list."""
    if hasattr(annotation, "model_fields"):
        return annotation
    return next((model for inner in typing.get_args(annotation) if (model := model_of(inner))), None)


def call(resource, name, body=None, **ids):
    method = getattr(getattr(client, resource + "_resource"), name)
    values = {**known, **ids}
    arguments = {}
    for parameter in inspect.signature(method).parameters.values():
        model = model_of(parameter.annotation)
        if parameter.name == "body_params":
            # The library sends a list as it is. Some of its models are not what the documentation describes.
            arguments["body_params"] = body if isinstance(body, list) else model(**body)
        else:
            arguments[parameter.name] = model(**{field: values[field] for field in model.model_fields if field in values})
    try:
        answer = method(**arguments)
    except Exception as error:  # Whatever a client of others raises is a finding.
        answer = {"error": f"{type(error).__name__} {' '.join(str(error).split())}"}
    refused = answer.get("errorCode") or answer.get("error") if isinstance(answer, dict) else None
    print(f"{resource}.{name}: {refused or 'ok'}")
    return {} if refused or answer is None else answer


def results(answer):
    return answer.get("results", []) if isinstance(answer, dict) else answer


def main():
    # Projects
    call("projects", "get_all")
    call("projects", "get_by_id")
    key = call("projects", "create", {"name": "made", "org_id": ORG})
    made, agent_key = key.get("id", ""), key.get("agentApiKey", "")
    call("projects", "get_by_name", group_name="made")
    call("projects", "get_by_specific_tags_for_the_current_user")
    call("projects", "get_by_agent_api_key", agent_api_key=agent_key)
    call("projects", "update", {"name": "payments", "tags": ["PROD"]})
    call("projects", "get_all_users")
    call("backup_configurations", "get_all")
    call("projects", "add_existing_users", [{"id": ADA, "roles": [{"roleName": "GROUP_READ_ONLY"}]}])
    call("projects", "remove_user")
    invitations("projects", "create_invitation", "update_invitation", "update_invitation_by_invitation_id", "GROUP_READ_ONLY")

    # Organizations
    call("organizations", "get_all_organizations")
    call("organizations", "get_one_organization")
    call("organizations", "get_all_projects")
    call("organizations", "get_all_users")
    call("organizations", "rename_organization", {"name": "Example Org"})
    invitations("organizations", "invite_user", "update_invitation", "update_by_invitation_id", "ORG_MEMBER")
    other = call("organizations", "create_organization", {"name": "Other Org"}).get("id", "")
    call("organizations", "delete_organization", org_id=other)

    # People
    person = {"username": "nina@example.com", "password": "Abcd1234!", "first_name": "N", "last_name": "E"}
    user = call("users", "create", person).get("id", "")
    call("users", "create_first_user", person)
    call("users", "get_by_id")
    call("users", "get_by_name")
    call("users", "update_roles", {"roles": [{"org_id": ORG, "role_name": "ORG_MEMBER"}]})
    call("users", "delete", user_id=user)

    # Teams
    team = call("teams", "create", {"name": "auditors"}).get("id", "")
    call("teams", "get_all")
    call("teams", "get_one_by_id", team_id=team)
    call("teams", "get_one_by_name", team_name="auditors")
    call("teams", "rename", {"name": "readers"}, team_id=team)
    call("teams", "add_users", [{"id": ADA}, {"id": BEN}], team_id=team)
    call("teams", "get_all_team_users", team_id=team)
    call("projects", "add_teams", [{"teamId": team, "roleNames": ["GROUP_READ_ONLY"]}])
    call("projects", "get_all_teams")
    call("teams", "update_roles", {"role_names": ["GROUP_OWNER"]}, team_id=team)
    call("projects", "remove_team", team_id=team)
    call("teams", "remove_user", team_id=team)
    call("teams", "delete", team_id=team)

    # Keys
    desc = {"desc": "ci", "roles": ["ORG_MEMBER"]}
    one = call("organization_api_keys", "create", desc).get("id", "")
    call("organization_api_keys", "get_all")
    call("organization_api_keys", "get_one", api_key_id=one)
    call("organization_api_keys", "update", desc, api_key_id=one)
    entry = {"api_key_id": one, "access_list_entry": "192.0.2.7"}
    call("organization_access_lists", "create_entries", [{"ipAddress": "192.0.2.7"}], **entry)
    call("organization_access_lists", "get_all_entries", **entry)
    call("organization_access_lists", "get_one_entry", **entry)
    call("organization_access_lists", "delete_entry", **entry)
    call("api_keys_on_projects", "create_assign", {"desc": "deploy", "roles": ["GROUP_READ_ONLY"]})
    call("api_keys_on_projects", "assign", {"roles": ["GROUP_READ_ONLY"]}, api_key_id=one)
    call("api_keys_on_projects", "get_all")
    call("api_keys_on_projects", "modify_roles", {"roles": ["GROUP_OWNER"]}, api_key_id=one)
    call("api_keys_on_projects", "unassign", api_key_id=one)
    call("organization_api_keys", "delete", api_key_id=one)
    agent = call("agents", "create_api_key", {"desc": "agents"}).get("_id", "")
    call("agents", "get_all_api_keys")
    call("agents", "remove_api_key", api_agent_key_id=agent)

    # Events
    for place in ["organization", "project"]:
        found = results(call("events", f"get_all_{place}")) or [{}]
        call("events", f"get_one_{place}", event_id=found[0].get("id", ""))
    call("projects", "delete", project_id=made)


def invitations(resource, send, by_name, by_id, role):
    email = f"{resource}@example.com"
    invited = call(resource, send, {"username": email, "roles": [role]}).get("id", "")
    call(resource, "get_all_invitations")
    call(resource, "get_one_invitation", invitation_id=invited)
    call(resource, by_name, {"username": email, "roles": [role]})
    call(resource, by_id, {"roles": [role]}, invitation_id=invited)
    call(resource, "delete_invitation", invitation_id=invited)


main()
