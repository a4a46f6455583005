/**
 * What may give access and stands in no list that a key of an organization can read, or in one that no command reads: one
 * table for the report of `access` and for its page.
 */

interface Beyond {
  /** As it stands in a sentence. */
  readonly what: string;
  /** What it may give, and where else to look, as a sentence for the document. */
  readonly meaning: string;
  /** A key with a global role reads it. */
  readonly isReadByGlobalKey?: true;
}

export const beyondLists: readonly Beyond[] = [
  {
    what: "people with global roles who are in none of the searched organizations",
    meaning:
      "They reach every project. No operation lists them; `opsmanager access NAME` finds one by the username.",
  },
  {
    what: "global API keys",
    meaning:
      "They reach every project. The review lists them if its own key has a global role; `opsmanager drift` does not.",
    isReadByGlobalKey: true,
  },
  {
    what: "roles that the server's settings give",
    meaning:
      "They map groups to global roles, such as `mms.oidc.global.role.owner`, and only an administrator of the server sees them.",
  },
  {
    what: "the people of mapped groups",
    meaning:
      "A login gives them the roles. The mappings are listed, those of a federation of Cloud Manager included, unless the service shows those of an organization only in response to a change.",
  },
  {
    what: "requests to join a project",
    meaning:
      "They give nothing until somebody approves them. An event records each, and no operation lists them.",
  },
  {
    what: "agent API keys",
    meaning:
      "With one, an agent joins the project. Ops Manager and other tools create their own, so neither command reads their list.",
  },
  {
    what: "the staff of MongoDB",
    meaning: "In Cloud Manager, they may reach every project, and no operation lists them.",
  },
  {
    what: "where a link for live export leads",
    meaning:
      "An organization may be linked to one of Atlas. The API shows whether it is, but not to which, and neither command asks.",
  },
  {
    what: "service accounts that the service itself manages",
    meaning:
      "Lists leave them out, by the documentation of Atlas; that of Cloud Manager does not mention them.",
  },
];
