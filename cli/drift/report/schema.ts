/**
 * What `opsmanager drift` found, which is also its JSON format. A version of the format may gain optional
 * fields; one that is required, goes or changes its meaning makes a new version. A reader ignores the
 * fields that it does not know.
 */
import { z } from "zod";

export const findingCauses = ["outside", "not-applied", "both", "unknown", "expired"] as const;

/** The kinds of differences, in the order of the reports. */
export const differenceKinds = ["changed", "added", "removed", "deleted", "undeclared"] as const;

/** The kinds of unmanaged objects, in the order of the reports. */
export const unmanagedKinds = [
  "projects",
  "people",
  "teams",
  "keys",
  "serviceAccounts",
  "mappings",
  "owners",
  "ownerKeys",
  "ownerGroups",
  "ownerServiceAccounts",
  "teamPeople",
] as const;

export type UnmanagedKind = (typeof unmanagedKinds)[number];

/**
 * What `--mask-people` does with a text. Of every other text, it replaces the names that it knows.
 *
 * - `person`: the whole text is the name of a person
 * - `holder`: likewise in a row about a person
 * - `address`: it identifies a person, and is left out
 * - `path`: the path of a property, which may have the name of a person as its second part
 * - `reason`: it may quote a rejected input
 * - `plain`: it is none of a person, and identifies something in other reports
 */
export type TextForm = "person" | "holder" | "address" | "path" | "reason" | "plain";

/** The texts of the report that have another form than most. */
export const textForms = z.registry<{ readonly form: TextForm }>();

const textOf = (form: TextForm) => z.string().register(textForms, { form });

const plain = textOf("plain");
const person = textOf("person");
const holder = textOf("holder");

const urn = z.string().meta({ description: "URN of the resource, as Pulumi writes it." });

const stack = plain.meta({ description: "Stack whose resource it is, as it was named." });

const ignored = z
  .object({ reason: z.string(), expires: z.string().optional() })
  .meta({ id: "Ignored", description: "The rule that excludes it from the count." })
  .optional();

const since = z.iso.datetime().optional().meta({
  description:
    "Only with `--previous`: `generatedAt` of the first report in a row that has it. It equals `generatedAt` of this report if it is new, or if there is no earlier report.",
});

const lastEvent = z
  .object({
    outcome: z.enum(["found", "none", "undocumented", "unknown"]).meta({
      description:
        "`none`: the service lists no matching event since then. `undocumented`: no event of this kind is documented, and none was found. `unknown`: the events could not be read, or not all of them.",
    }),
    time: z.iso.datetime().optional(),
    type: plain.optional().meta({ description: "Type of the event: `USER_ROLES_CHANGED_AUDIT`." }),
    username: person.optional().meta({ description: "The person who acted." }),
    publicKey: z.string().optional().meta({ description: "The API key that acted." }),
    isOwnKey: z.literal(true).optional().meta({ description: "It is the API key of this command." }),
    address: textOf("address").optional().meta({ description: "Where the request came from." }),
  })
  .meta({
    id: "LastEvent",
    description:
      "The latest matching event of the project or organization since the last update. It is no proof: another event may have caused the difference. Absent with `--no-attribution`.",
  });

const location = z
  .object({
    file: z.string().meta({ description: "Path from the root of the repository, with `/`." }),
    line: z.int().optional().meta({ description: "From 1." }),
    column: z.int().optional().meta({ description: "From 1." }),
  })
  .meta({ id: "Location", description: "Where a file declares it." })
  .optional();

const undeclaredObject = z
  .object({
    what: z.enum(["person", "team", "key", "service account", "group"]).meta({
      description: "`group`: a group of LDAP or of an identity provider that has a role.",
    }),
    name: z.string().meta({
      description:
        "Username of a person. Name of a team, or its ID. Public key of an API key. Client ID of a service account. Name of a group.",
    }),
    status: z.enum(["active", "pending"]).optional().meta({
      description: "Of a person in a project or organization: a member, or a pending invitation.",
    }),
    listedAccount: person.optional().meta({
      description:
        "Of a person whose name the program lists: the present name of the account that it means, which was renamed.",
    }),
    id: z.string().optional().meta({ description: "ID of a team." }),
    in: z.enum(["project", "team", "organization"]).meta({
      description: "`organization`: an owner whom a complete organization file does not have.",
    }),
    containerId: z.string().meta({ description: "ID of the project, team or organization." }),
    containerName: z.string().meta({ description: "Its name, or its ID if the name is not known." }),
    orgId: z.string().optional().meta({
      description: "Organization of a team whose people no `Team` declares; likewise `projects`.",
    }),
    projects: z
      .array(z.object({ projectId: z.string(), projectName: z.string() }))
      .optional()
      .meta({ description: "The projects that the person can own through the team." }),
  })
  .meta({
    id: "UndeclaredObject",
    description: "A person, a team, an API key, a service account or a group that is not declared.",
  });

const end = z
  .object({
    until: z.string().meta({ description: "The last day, in UTC: `2026-12-31`." }),
    overdueSince: z.string().optional().meta({
      description:
        "When an update first tried in vain to take the access away, or a day without one. ISO 8601.",
    }),
    overdueReason: z
      .string()
      .optional()
      .meta({ description: "Why the last try was in vain, or that there was none." }),
  })
  .meta({ id: "End", description: "Of an access whose last day is over, and that is there or may be." });

/** `declared` is absent if nothing was declared, `live` if there is no live value. */
const finding = z
  .object({
    stack,
    urn,
    type: plain.meta({ description: "Type token, such as `opsmanager:index:Project`." }),
    name: z.string().meta({ description: "Logical name of the resource in the program." }),
    id: z.string().optional().meta({ description: "Id of the resource in the state." }),
    comparison: z.enum(["state", "program"]).meta({
      description:
        "What the live value is compared with: what the program declares (`program`), or what the state holds (`state`): with `--state-only`, and if the program failed before it declared the resource.",
    }),
    cause: z.enum(findingCauses).meta({
      description:
        "`expired`: the invitation has expired, so no one removed the person. `outside`: the live object was changed outside Pulumi since the last update. `not-applied`: the program has changed since then and is not applied yet. `both`: both have changed. `unknown`: the state does not prove what was applied last, so the two cannot be distinguished. This is so for each resource that is in the program but not in the state. Of the kind `undeclared`, `unknown` means that the API key of the stack changed it: a run did, or another user of the key.",
    }),
    kind: z.enum(differenceKinds).meta({
      description:
        "`changed`: another value. `added`: there, but not declared. `removed`: declared, but not there. `deleted`: the whole object no longer exists. `undeclared`: a person or a team that the resource with all people of a project or team does not declare, or an undeclared holder of a right to own a project, or an owner of an organization whose file lists its owners completely.",
    }),
    property: textOf("path").meta({
      description:
        'Path of the property: `tags`, `members["ada@example.com"]`; empty where the whole object is meant. A set, such as tags or roles, is one property.',
    }),
    declared: z.unknown().optional().meta({
      description:
        "The declared value; secrets are `[secret]`. Of a set, the entries that are declared and not live.",
    }),
    live: z.unknown().optional().meta({
      description:
        "The value at the service; secrets are `[secret]`. Of a set, the entries that are live and not declared.",
    }),
    expiredAt: z.iso
      .datetime()
      .optional()
      .meta({ description: "When the invitation expired. Only for the cause `expired`." }),
    location,
    object: undeclaredObject.optional().meta({ description: "Only for the kind `undeclared`." }),
    end: end.optional(),
    ignored,
    since,
    lastEvent: lastEvent.optional(),
  })
  .meta({ id: "Finding", description: "One property that is not as declared." });

const unreadable = z
  .object({
    what: z.string().meta({ description: "What could not be determined: a URN, a project, a stack." }),
    reason: textOf("reason").meta({ description: "Why, in a sentence." }),
    sharedCause: z
      .object({
        name: z.string().meta({ description: "The cause in a few words: `Key refused`." }),
        explainedBy: z
          .string()
          .optional()
          .meta({ description: "The `what` of the entry whose `reason` explains it." }),
      })
      .optional()
      .meta({ description: "For a cause that several entries of the stack have in common." }),
    stack: stack.optional(),
    location,
    ignored,
    since,
  })
  .meta({
    id: "Unreadable",
    description: "Something of which could not be determined whether it is as declared.",
  });

const coverage = z
  .object({
    total: z.int(),
    managed: z.int().meta({ description: "How many of them a resource of the given stacks owns." }),
  })
  .meta({ id: "Coverage" });

const organization = z.object({
  orgId: plain,
  name: z.string().optional().meta({ description: "Absent if the API key cannot read it." }),
  projects: coverage,
  people: coverage.meta({
    description: "Memberships and pending invitations in projects: a person counts once in each.",
  }),
  teams: coverage.optional().meta({
    description:
      "Assignments of teams to projects; absent if there are none. One is managed if the roles and the people of the team are.",
  }),
  keys: coverage.optional().meta({
    description: "Assignments of API keys to projects; absent if there are none.",
  }),
  serviceAccounts: coverage.optional().meta({
    description:
      "Service accounts of Cloud Manager that own a project, can make owners of it, or have an unknown role there, without those of the given stacks; absent if there are none. No resource can declare one.",
  }),
  mappings: coverage.optional().meta({
    description:
      "Groups in the mappings of projects, or in the federation of the organization, that own a project or can make owners; absent if there are none.",
  }),
  owners: coverage.optional().meta({
    description:
      "Who owns the organization or can make owners: members and pending invitations; absent if unknown.",
  }),
  ownerKeys: coverage.optional().meta({
    description:
      "API keys that own the organization or can make owners, without those of the given stacks; absent if there are none.",
  }),
  ownerGroups: coverage.optional().meta({
    description:
      "Groups in the mappings or the federation of the organization that own it or can make owners; absent if there are none.",
  }),
  ownerServiceAccounts: coverage
    .optional()
    .meta({ description: "Service accounts that own the organization or can make owners, likewise." }),
  teamPeople: coverage.optional().meta({
    description:
      "Memberships in the teams that a `Team` of the given stacks declares, and in those with roles in a managed project; absent if there are no such teams. Teams that could not be read do not count.",
  }),
});

export const unmanagedRow = z
  .object({
    kind: z.enum(unmanagedKinds).meta({
      description:
        "The name of the counts in `organizations`, too. `projects`: a project. `people`, `teams`, `keys`: a person, a team or an API key in a project. `serviceAccounts`, `mappings`: a service account or a group that owns a project, can make owners of it, or has an unknown role there. `owners`, `ownerKeys`, `ownerGroups`, `ownerServiceAccounts`: a person, an API key, a group or a service account that owns an organization or can make owners. `teamPeople`: a person in a team that a `Team` declares, or that has roles in a managed project.",
    }),
    holder: z.object({
      name: holder.meta({
        description:
          "Username; name of a project or a team, or its ID if the name is not known; description of an API key, or its public key; name of a service account, or its client ID; name of a group.",
      }),
      id: holder.meta({
        description:
          "Username in lower case; ID of a project or a team; public key; client ID; of a group, the path of its mappings, such as `ldapGroupMappings.dba`.",
      }),
    }),
    place: z
      .object({
        name: z.string().meta({ description: "Its name, or its ID if the name is not known." }),
        id: plain,
      })
      .meta({
        description: "The project, team or organization that the holder is in; for a project, itself.",
      }),
    orgId: plain
      .optional()
      .meta({ description: "Organization of a project, an owner or a member of a team." }),
    orgName: z.string().optional().meta({ description: "Its name, if it is known." }),
    keyId: plain.optional().meta({ description: "ID of an API key." }),
    status: z.enum(["active", "pending", "indirect"]).optional().meta({
      description:
        "Of `people` and `owners`: a member or a pending invitation. `indirect`: in the project only through a team or the organization, so no resource could own it.",
    }),
    roles: z.array(plain).readonly().meta({
      description:
        "The roles of the holder there; those of an undeclared team in managed projects. Of owners, those that own the organization, can make owners, or are unknown.",
    }),
    ignored,
    since,
    lastEvent: lastEvent.optional(),
  })
  .meta({
    id: "UnmanagedRow",
    description: "A project, or someone or something with access, that no resource owns.",
  });

const unmanaged = z
  .object({
    countsAsDrift: z
      .boolean()
      .optional()
      .meta({ description: "`true` with `--fail-on-unmanaged`: these objects are drift." }),
    organizations: z.array(organization).readonly(),
    rows: z.array(unmanagedRow).readonly().meta({ description: "In the order of the kinds." }),
  })
  .meta({ id: "Unmanaged", description: "What no resource of the given stacks owns." });

const earlierEntry = z
  .object({
    kind: z.enum([...differenceKinds, "undetermined", "unmanaged"]),
    what: z.string().meta({
      description: "The resource with its property, or the object: `payments (Project): tags`.",
    }),
    stack: stack.optional(),
    urn: urn.optional().meta({ description: "URN of the resource. Absent for an object without one." }),
    fingerprint: plain.meta({ description: "Identifies the entry in other reports." }),
    since: z.iso.datetime().meta({ description: "`generatedAt` of the first report in a row that has it." }),
  })
  .meta({ id: "EarlierEntry", description: "An entry of the earlier report that this report lacks." });

const comparedWith = z
  .object({
    generatedAt: z.iso.datetime().optional().meta({
      description:
        "`generatedAt` of the earlier report. Absent if there was none, or none that can be compared; then no entry counts as new.",
    }),
    incomparable: z
      .string()
      .optional()
      .meta({ description: "Why the earlier report cannot be compared, in a sentence." }),
    resolved: z.array(earlierEntry).meta({ description: "What no longer differs." }),
    notChecked: z.array(earlierEntry).meta({
      description:
        "What this run could not determine or did not check. It is neither resolved nor known to differ still.",
    }),
  })
  .meta({ id: "ComparedWith" });

export const driftReport = z
  .object({
    schemaVersion: z.literal(1),
    tool: z.object({ name: z.literal("opsmanager"), version: plain }),
    generatedAt: z.iso.datetime().meta({ description: "When the run began, UTC." }),
    durationSeconds: z.number().optional().meta({ description: "How long the run took." }),
    result: z.enum(["clean", "drift", "unknown"]).meta({
      description:
        "`unknown` if something could not be determined, whatever else was found. With `--fail-on-unmanaged`, `drift` also if only unmanaged objects were found.",
    }),
    stacks: z.array(
      z.object({
        stack,
        project: plain.meta({ description: "Pulumi project." }),
        resources: z.int().meta({ description: "Resources of this provider in its state." }),
      }),
    ),
    findings: z.array(finding),
    unreadable: z.array(unreadable),
    unmanaged: unmanaged.optional().meta({ description: "Only with `--unmanaged`." }),
    ends: z
      .array(
        z.object({
          ...{ stack, place: z.string(), username: person.optional(), name: z.string().optional() },
          until: plain.meta({ description: "The last day, which ends at 24:00 UTC: `2026-12-31`." }),
        }),
      )
      .optional()
      .meta({
        description:
          "The access of people (`username`), teams and keys (`name`) that ends or has ended by the states of the stacks, the next one first. Absent if there is none.",
      }),
    eventsUnread: z
      .array(z.object({ what: z.string(), reason: textOf("reason") }))
      .optional()
      .meta({
        description: "Lists of events that could not be read completely. The result does not depend on them.",
      }),
    peopleMasked: z.literal(true).optional().meta({
      description: "The names of people are pseudonyms. Only with `--mask-people`.",
    }),
    previous: comparedWith.optional().meta({
      description: "What became of the entries of an earlier report. Only with `--previous`.",
    }),
  })
  .meta({ id: "DriftReport", description: "What `opsmanager drift` found." });

export type Report = z.output<typeof driftReport>;

export type Unmanaged = z.output<typeof unmanaged>;

export type UnmanagedRow = z.output<typeof unmanagedRow>;

export type Finding = z.output<typeof finding>;

export type Coverage = z.output<typeof coverage>;

export type OrganizationCoverage = z.output<typeof organization>;

export type Undetermined = z.output<typeof unreadable>;

export type LastEvent = z.output<typeof lastEvent>;

export type EarlierEntry = z.output<typeof earlierEntry>;

/**
 * The JSON Schema for readers of `--format json`. It allows additional properties: later versions add
 * fields, and a reader with an older schema must still accept them.
 */
export function driftReportJsonSchema(): object {
  const schema = z.toJSONSchema(driftReport, {
    io: "output",
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      delete jsonSchema.readOnly;
    },
  });
  return { title: "What opsmanager drift found", ...schema };
}
