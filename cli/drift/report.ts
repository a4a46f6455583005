/** The result of `opsmanager drift`: the model of all formats, and the JSON format itself. */
import { z } from "zod";

/** The kinds of differences, in the order of the reports. */
export const differenceKinds = ["changed", "added", "removed", "deleted", "undeclared"] as const;

/** The kinds of unmanaged objects, in the order of the reports. */
export const unmanagedKinds = [
  "projects",
  "people",
  "teams",
  "keys",
  "mappings",
  "owners",
  "teamPeople",
] as const;

export type UnmanagedKind = (typeof unmanagedKinds)[number];

const urn = z.string().meta({ description: "URN of the resource, as Pulumi writes it." });

const stack = z.string().meta({ description: "Stack whose resource it is, as it was named." });

const ignored = z
  .object({ reason: z.string(), expires: z.string().optional() })
  .meta({ id: "Ignored", description: "The rule that excludes it from the count." });

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
    type: z.string().optional().meta({ description: "Type of the event: `USER_ROLES_CHANGED_AUDIT`." }),
    username: z.string().optional().meta({ description: "The person who acted." }),
    publicKey: z.string().optional().meta({ description: "The API key that acted." }),
    isOwnKey: z.literal(true).optional().meta({ description: "It is the API key of this command." }),
    address: z.string().optional().meta({ description: "Where the request came from." }),
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
  .meta({ id: "Location", description: "Where a project file declares it." });

const undeclaredObject = z
  .object({
    what: z.enum(["person", "team", "key"]),
    name: z.string().meta({
      description: "Username of a person. Name of a team, or its ID. Public key of an API key.",
    }),
    status: z.enum(["active", "pending"]).optional().meta({
      description: "Of a person in a project: a member, or a pending invitation.",
    }),
    id: z.string().optional().meta({ description: "ID of a team." }),
    in: z.enum(["project", "team"]),
    containerId: z.string().meta({ description: "ID of the project or team." }),
    containerName: z.string().meta({ description: "Its name, or its ID if the name is not known." }),
  })
  .meta({ id: "UndeclaredObject", description: "A person, a team or an API key that is not declared." });

/** `declared` is absent if nothing was declared, `live` if there is no live value. */
const finding = z
  .object({
    stack,
    urn,
    type: z.string().meta({ description: "Type token, such as `opsmanager:index:Project`." }),
    name: z.string().meta({ description: "Logical name of the resource in the program." }),
    id: z.string().optional().meta({ description: "Id of the resource in the state." }),
    comparison: z.enum(["state", "program"]).meta({
      description:
        "What the live value is compared with: what the program declares (`program`), or what the state holds (`state`): with `--state-only`, and if the program failed before it declared the resource.",
    }),
    cause: z.enum(["outside", "not-applied", "both", "unknown", "expired"]).meta({
      description:
        "`expired`: the invitation has expired, so no one removed the person. `outside`: the live object was changed outside Pulumi since the last update. `not-applied`: the program has changed since then and is not applied yet. `both`: both have changed. `unknown`: the state does not prove what was applied last, so the two cannot be distinguished. This is so for each resource that is in the program but not in the state.",
    }),
    kind: z.enum(differenceKinds).meta({
      description:
        "`changed`: another value. `added`: there, but not declared. `removed`: declared, but not there. `deleted`: the whole object no longer exists. `undeclared`: a person or a team that the resource with all people of a project or team does not declare, or an undeclared owner.",
    }),
    property: z.string().meta({
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
    location: location.optional(),
    object: undeclaredObject.optional().meta({ description: "Only for the kind `undeclared`." }),
    ignored: ignored.optional(),
    since,
    lastEvent: lastEvent.optional(),
  })
  .meta({ id: "Finding", description: "One property that is not as declared." });

const unreadable = z
  .object({
    what: z.string().meta({ description: "What could not be determined: a URN, a project, a stack." }),
    reason: z.string().meta({ description: "Why, in a sentence." }),
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
    location: location.optional(),
    ignored: ignored.optional(),
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

const unmanaged = z
  .object({
    countsAsDrift: z
      .boolean()
      .optional()
      .meta({ description: "`true` with `--fail-on-unmanaged`: these objects are drift." }),
    organizations: z.array(
      z.object({
        orgId: z.string(),
        name: z.string().optional().meta({ description: "Absent if the API key cannot read it." }),
        projects: coverage,
        people: coverage.meta({ description: "Direct members and pending invitations, in all projects." }),
        teams: coverage.optional().meta({ description: "Teams in projects; absent if there are none." }),
        keys: coverage.optional().meta({
          description: "API keys with roles in projects, one for each project; absent if there are none.",
        }),
        mappings: coverage.optional().meta({
          description: "Group mappings of projects; absent if there are none.",
        }),
        owners: coverage.optional().meta({
          description: "Owners of the organization, members and pending invitations; absent if unknown.",
        }),
        teamPeople: coverage.optional().meta({
          description:
            "People of the teams that a `Team` of the given stacks declares; absent if there is no such `Team`. Teams that could not be read do not count.",
        }),
      }),
    ),
    projects: z.array(
      z.object({
        orgId: z.string(),
        projectId: z.string(),
        name: z.string(),
        ignored: ignored.optional(),
        since,
      }),
    ),
    people: z.array(
      z.object({
        projectId: z.string(),
        projectName: z.string(),
        username: z.string(),
        status: z.enum(["active", "pending", "indirect"]),
        roles: z.array(z.string()),
        ignored: ignored.optional(),
        since,
        lastEvent: lastEvent.optional(),
      }),
    ),
    teams: z
      .array(
        z.object({
          projectId: z.string(),
          projectName: z.string(),
          teamId: z.string(),
          name: z.string().meta({ description: "Name of the team, or its ID if the name is not known." }),
          roles: z.array(z.string()),
          ignored: ignored.optional(),
          since,
          lastEvent: lastEvent.optional(),
        }),
      )
      .meta({ description: "Teams in projects." }),
    keys: z
      .array(
        z.object({
          projectId: z.string(),
          projectName: z.string(),
          keyId: z.string(),
          publicKey: z.string(),
          name: z.string().meta({ description: "Description of the key, or its public key." }),
          roles: z.array(z.string()),
          ignored: ignored.optional(),
          since,
          lastEvent: lastEvent.optional(),
        }),
      )
      .optional()
      .meta({ description: "API keys with roles in projects. Absent in reports of earlier versions." }),
    mappings: z
      .array(
        z.object({
          projectId: z.string(),
          projectName: z.string(),
          property: z.enum(["ldapGroupMappings", "idpGroupMappings"]),
          roles: z.array(z.string()).meta({ description: "The roles that groups have." }),
          ignored: ignored.optional(),
          since,
        }),
      )
      .optional()
      .meta({
        description: "Group mappings that no `Project` declares. Absent in reports of earlier versions.",
      }),
    owners: z
      .array(
        z.object({
          orgId: z.string(),
          username: z.string(),
          status: z.enum(["active", "pending"]),
          ignored: ignored.optional(),
          since,
          lastEvent: lastEvent.optional(),
        }),
      )
      .optional()
      .meta({
        description:
          "Owners of organizations whom no `OrganizationMember` declares. Absent in reports of earlier versions.",
      }),
    teamPeople: z
      .array(
        z.object({
          orgId: z.string(),
          teamId: z.string(),
          teamName: z
            .string()
            .meta({ description: "Name of the team in the state, or its ID if it is secret." }),
          username: z.string(),
          ignored: ignored.optional(),
          since,
          lastEvent: lastEvent.optional(),
        }),
      )
      .meta({ description: "People of the teams that a `Team` of the given stacks declares." }),
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
    isApiKey: z.literal(true).optional().meta({
      description: "It is an undeclared API key, which only a run with `--unmanaged` finds.",
    }),
    fingerprint: z.string().meta({ description: "Identifies the entry in other reports." }),
    since: z.iso.datetime().meta({ description: "`generatedAt` of the first report in a row that has it." }),
  })
  .meta({ id: "EarlierEntry", description: "An entry of the earlier report that this report lacks." });

const comparedWith = z
  .object({
    generatedAt: z.iso.datetime().optional().meta({
      description:
        "`generatedAt` of the earlier report. Absent if there was none; then no entry counts as new.",
    }),
    resolved: z.array(earlierEntry).meta({ description: "What no longer differs." }),
    notChecked: z.array(earlierEntry).meta({
      description:
        "What this run could not determine or did not check. It is neither resolved nor known to differ still.",
    }),
  })
  .meta({ id: "ComparedWith" });

/**
 * Version 1 of the format: fields may be added, but not removed or given another meaning. A reader
 * of a later report ignores the fields that it does not know.
 */
export const driftReport = z
  .object({
    schemaVersion: z.literal(1),
    tool: z.object({ name: z.literal("opsmanager"), version: z.string() }),
    generatedAt: z.iso.datetime().meta({ description: "When the run began, UTC." }),
    durationSeconds: z.number().optional().meta({ description: "How long the run took." }),
    result: z.enum(["clean", "drift", "unknown"]).meta({
      description:
        "`unknown` if something could not be determined, whatever else was found. With `--fail-on-unmanaged`, `drift` also if only unmanaged objects were found.",
    }),
    stacks: z.array(
      z.object({
        stack,
        project: z.string().meta({ description: "Pulumi project." }),
        resources: z.int().meta({ description: "Resources of this provider in its state." }),
      }),
    ),
    findings: z.array(finding),
    unreadable: z.array(unreadable),
    unmanaged: unmanaged.optional().meta({ description: "Only with `--unmanaged`." }),
    eventsUnread: z
      .array(z.object({ what: z.string(), reason: z.string() }))
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

export type DriftReport = z.output<typeof driftReport>;

export type Finding = z.output<typeof finding>;

export type Unmanaged = z.output<typeof unmanaged>;

export type Coverage = z.output<typeof coverage>;

export type Undetermined = z.output<typeof unreadable>;

export type LastEvent = z.output<typeof lastEvent>;

export type EarlierEntry = z.output<typeof earlierEntry>;

/**
 * What is undetermined if `--unmanaged` was given and nothing could be searched: `unmanaged` is
 * absent then.
 */
export const UNMANAGED_UNKNOWN = "unmanaged objects";

/** What a report holds about one stack. */
export function ofStack({ findings, unreadable }: DriftReport, stack: string) {
  const isOwn = (thing: { readonly stack?: string | undefined }) => thing.stack === stack;
  return { findings: findings.filter(isOwn), unreadable: unreadable.filter(isOwn) };
}

/**
 * The undetermined things of no checked stack: a stack that failed as a whole, a list of the
 * service.
 */
export function unreadableElsewhere({ stacks, unreadable }: DriftReport): readonly Undetermined[] {
  const names = new Set<string | undefined>(stacks.map(({ stack }) => stack));
  return unreadable.filter(({ stack }) => !names.has(stack));
}

/** The undetermined things of one cause, or a single one. */
export interface UndeterminedRow extends Undetermined {
  /** All of them, the one that explains the cause first. */
  readonly things: readonly Undetermined[];
}

/**
 * Undetermined things as rows: those that have a cause in common are one row, which has the explanation
 * and the earliest date.
 */
export function undeterminedRows(
  { unreadable }: Pick<DriftReport, "unreadable">,
  things: readonly Undetermined[],
): UndeterminedRow[] {
  const causeOf = (thing: Undetermined) => {
    const { sharedCause, stack, ignored } = thing;
    return sharedCause ? JSON.stringify([sharedCause, stack, ignored]) : thing;
  };
  return [...Map.groupBy(things, causeOf).values()].map((same) => {
    const [first] = same as [Undetermined, ...Undetermined[]];
    const { sharedCause, stack } = first;
    const explaining = unreadable.find(
      (thing) => thing.stack === stack && thing.what === sharedCause?.explainedBy,
    );
    const since = same.flatMap((thing) => thing.since ?? []).sort()[0];
    return { ...first, reason: explaining?.reason ?? first.reason, ...(since && { since }), things: same };
  });
}

/** The findings, undetermined things or unmanaged objects that no rule ignores. */
export function notIgnored<T extends Pick<Finding, "ignored">>(things: readonly T[]): T[] {
  return things.filter(({ ignored }) => ignored === undefined);
}

/** Whether the report was compared with an earlier one, so entries can be new. */
export function isCompared({ previous }: DriftReport): boolean {
  return previous?.generatedAt !== undefined;
}

/** Whether the earlier report lacks this entry. */
export function isNew(report: DriftReport, { since }: Pick<Finding, "since">): boolean {
  return isCompared(report) && since === report.generatedAt;
}

/** The new entries first. Beside that, the order stays the same. */
export function newFirst<T extends Pick<Finding, "since">>(report: DriftReport, things: readonly T[]): T[] {
  return [
    ...things.filter((thing) => isNew(report, thing)),
    ...things.filter((thing) => !isNew(report, thing)),
  ];
}

/** The number of new entries that no rule ignores, unmanaged objects included. */
export function countNew(report: DriftReport): number {
  const things = [...report.findings, ...report.unreadable, ...unmanagedEntries(report.unmanaged)];
  return notIgnored<Pick<Finding, "ignored" | "since">>(things).filter((thing) => isNew(report, thing))
    .length;
}

type UnmanagedObject = NonNullable<Unmanaged[UnmanagedKind]>[number];

/** An object that a resource could own, in the form that all kinds share. */
export interface UnmanagedEntry extends NamedObject {
  readonly kind: UnmanagedKind;
  /** The project, team or organization that it is in; for a project, the project itself. */
  readonly container: NamedObject;
  /** Organization of a project or a team member. */
  readonly orgId?: string;
  /** Name of this organization, if it is known. */
  readonly orgName?: string | undefined;
  /** Status of a person in a project or organization. */
  readonly status?: Unmanaged["people"][number]["status"];
  /** Roles of a person, team or key in a project, or those that groups have there. */
  readonly roles: readonly string[];
  readonly ignored?: Finding["ignored"];
  readonly since?: Finding["since"];
  readonly lastEvent?: Finding["lastEvent"];
  /** The object in the report. */
  readonly object: UnmanagedObject;
}

interface NamedObject {
  /** Name of a project or team, or a username. */
  readonly name: string;
  /** ID of a project or team, or a username in lower case. */
  readonly id: string;
}

/**
 * The objects that a resource could own, of all kinds in one list. People with access only through
 * a team or the organization are omitted: a project cannot manage them.
 */
export function unmanagedEntries(found: Unmanaged | undefined): UnmanagedEntry[] {
  if (found === undefined) return [];
  const names = new Map(found.organizations.map(({ orgId, name }) => [orgId, name]));
  const entry = (
    kind: UnmanagedKind,
    object: UnmanagedObject,
    named: NamedObject,
    container = named,
  ): UnmanagedEntry => {
    const orgName = "orgId" in object ? names.get(object.orgId) : undefined;
    return {
      roles: [],
      ...object,
      ...named,
      ...(orgName !== undefined && { orgName }),
      kind,
      container,
      object,
    };
  };
  const person = ({ username }: { readonly username: string }) => ({
    name: username,
    id: username.toLowerCase(),
  });
  const projectOf = ({
    projectName,
    projectId,
  }: {
    readonly projectName: string;
    readonly projectId: string;
  }) => ({
    name: projectName,
    id: projectId,
  });
  const { projects, people, teams, keys = [], mappings = [], owners = [], teamPeople } = found;
  return [
    ...projects.map((each) => entry("projects", each, { name: each.name, id: each.projectId })),
    ...people
      .filter(({ status }) => status !== "indirect")
      .map((each) => entry("people", each, person(each), projectOf(each))),
    ...teams.map((each) => entry("teams", each, { name: each.name, id: each.teamId }, projectOf(each))),
    ...keys.map((each) => entry("keys", each, { name: each.name, id: each.publicKey }, projectOf(each))),
    ...mappings.map((each) =>
      entry("mappings", each, { name: each.property, id: each.property }, projectOf(each)),
    ),
    ...owners.map((each) =>
      entry("owners", each, person(each), { name: names.get(each.orgId) ?? each.orgId, id: each.orgId }),
    ),
    ...teamPeople.map((each) =>
      entry("teamPeople", each, person(each), { name: each.teamName, id: each.teamId }),
    ),
  ];
}

/** The same lists of unmanaged objects, each object changed. */
export function mapUnmanaged(
  found: Unmanaged,
  change: <T extends UnmanagedObject>(object: T) => T,
): Unmanaged {
  const { projects, people, teams, keys = [], mappings = [], owners = [], teamPeople } = found;
  return {
    ...found,
    projects: projects.map((project) => change(project)),
    people: people.map((person) => change(person)),
    teams: teams.map((team) => change(team)),
    keys: keys.map((key) => change(key)),
    mappings: mappings.map((mapping) => change(mapping)),
    owners: owners.map((owner) => change(owner)),
    teamPeople: teamPeople.map((person) => change(person)),
  };
}

/** The number of ignored things of every kind. */
export function countIgnored({ findings, unreadable, unmanaged }: DriftReport): number {
  const things = [...findings, ...unreadable, ...unmanagedEntries(unmanaged)];
  return things.length - notIgnored<Pick<Finding, "ignored">>(things).length;
}

/** The counts of a stack's part of the report, for a table of the stacks. */
export function stackCounts(report: DriftReport, stack: string) {
  const { findings, unreadable } = ofStack(report, stack);
  const [counted, undetermined] = [notIgnored(findings), notIgnored(unreadable).length];
  return {
    byKind: countsByKind(counted),
    undetermined,
    ignored: findings.length - counted.length + unreadable.length - undetermined,
  };
}

/** The number of differences of each kind, in the order of `differenceKinds`. */
export function countsByKind(findings: readonly Finding[]): number[] {
  return differenceKinds.map((kind) => findings.filter((finding) => finding.kind === kind).length);
}

export interface FormatOptions {
  /** Whether the output supports colors; never in a file. */
  readonly hasColors: boolean;
  /**
   * Path of `Pulumi.yaml` from the root of the repository, with `/`; default: `Pulumi.yaml`.
   * Findings are shown there.
   */
  readonly programFile?: string | undefined;
  /** Locations of the complete report, for a truncated format: names of files, addresses. */
  readonly wholeReport?: readonly string[] | undefined;
  /** Largest number of entries in each section of the text format; default: all. */
  readonly mostEntries?: number | undefined;
}

/** Writes a report in one format. */
export type Format = (report: DriftReport, options: FormatOptions) => string;

// The JSON Schema for readers of `--format json`.

/**
 * Allows additional properties: later versions add fields, and a reader with an older schema must
 * still accept them.
 */
export function driftReportJsonSchema(): object {
  const schema = z.toJSONSchema(driftReport, {
    io: "output",
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  return { title: "What opsmanager drift found", ...schema };
}
