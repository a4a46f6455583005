/** The result of `opsmanager drift`: the model of all formats, and the JSON format itself. */
import { z } from "zod";

const urn = z.string().meta({ description: "URN of the resource, as Pulumi writes it." });

const stack = z.string().meta({ description: "Stack whose resource it is, as it was named." });

const ignored = z
  .strictObject({ reason: z.string(), expires: z.string().optional() })
  .meta({ id: "Ignored", description: "The rule that excludes it from the count." });

/** `declared` is absent if nothing was declared, `live` if there is no live value. */
const finding = z
  .strictObject({
    stack,
    urn,
    type: z.string().meta({ description: "Type token, such as `opsmanager:index:Project`." }),
    name: z.string().meta({ description: "Logical name of the resource in the program." }),
    id: z.string().optional().meta({ description: "Id of the resource in the state." }),
    comparison: z.enum(["state", "program"]).meta({
      description:
        "What the live value is compared with: what the program declares (`program`), or what the state holds (`state`): with `--state-only`, and if the program failed before it declared the resource.",
    }),
    cause: z.enum(["outside", "not-applied", "both", "unknown"]).meta({
      description:
        "`outside`: the live object was changed outside Pulumi since the last update. `not-applied`: the program has changed since then and is not applied yet. `both`: both have changed. `unknown`: the state does not prove what was applied last, so the two cannot be distinguished. This is so for each resource that is in the program but not in the state.",
    }),
    kind: z.enum(["changed", "added", "removed", "deleted"]).meta({
      description:
        "`changed`: another value. `added`: there, but not declared. `removed`: declared, but not there. `deleted`: the whole object no longer exists.",
    }),
    property: z.string().meta({
      description:
        'Path of the property as Pulumi writes it: `tags[0]`, `members["ada@example.com"]`; empty where the whole object is meant.',
    }),
    declared: z.unknown().optional().meta({ description: "The declared value; secrets are `[secret]`." }),
    live: z.unknown().optional().meta({ description: "The value at the service; secrets are `[secret]`." }),
    ignored: ignored.optional(),
  })
  .meta({ id: "Finding", description: "One property that is not as declared." });

const unreadable = z
  .strictObject({
    what: z.string().meta({ description: "What could not be determined: a URN, a project, a stack." }),
    reason: z.string().meta({ description: "Why, in a sentence." }),
    stack: stack.optional(),
    ignored: ignored.optional(),
  })
  .meta({
    id: "Unreadable",
    description: "Something of which could not be determined whether it is as declared.",
  });

const coverage = z
  .strictObject({
    total: z.int(),
    managed: z.int().meta({ description: "How many of them a resource of the given stacks owns." }),
  })
  .meta({ id: "Coverage" });

const unmanaged = z
  .strictObject({
    organizations: z.array(
      z.strictObject({
        orgId: z.string(),
        projects: coverage,
        people: coverage.meta({ description: "Direct members and pending invitations, in all projects." }),
        teams: coverage.optional().meta({ description: "Teams in projects; absent if there are none." }),
        teamPeople: coverage.optional().meta({
          description:
            "People of the teams that a `Team` of the given stacks declares; absent if there is no such `Team`. Teams that could not be read do not count.",
        }),
      }),
    ),
    projects: z.array(
      z.strictObject({
        orgId: z.string(),
        projectId: z.string(),
        name: z.string(),
        ignored: ignored.optional(),
      }),
    ),
    people: z.array(
      z.strictObject({
        projectId: z.string(),
        projectName: z.string(),
        username: z.string(),
        status: z.enum(["active", "pending", "indirect"]),
        roles: z.array(z.string()),
        ignored: ignored.optional(),
      }),
    ),
    teams: z
      .array(
        z.strictObject({
          projectId: z.string(),
          projectName: z.string(),
          teamId: z.string(),
          name: z.string().meta({ description: "Name of the team, or its ID if the name is not known." }),
          roles: z.array(z.string()),
          ignored: ignored.optional(),
        }),
      )
      .meta({ description: "Teams in projects." }),
    teamPeople: z
      .array(
        z.strictObject({
          orgId: z.string(),
          teamId: z.string(),
          teamName: z
            .string()
            .meta({ description: "Name of the team in the state, or its ID if it is secret." }),
          username: z.string(),
          ignored: ignored.optional(),
        }),
      )
      .meta({ description: "People of the teams that a `Team` of the given stacks declares." }),
  })
  .meta({ id: "Unmanaged", description: "What no resource of the given stacks owns." });

/** Version 1 of the format: fields may be added, but not removed or given another meaning. */
export const driftReport = z
  .strictObject({
    schemaVersion: z.literal(1),
    tool: z.strictObject({ name: z.literal("opsmanager"), version: z.string() }),
    generatedAt: z.iso.datetime().meta({ description: "When the run began, UTC." }),
    result: z.enum(["clean", "drift", "unknown"]).meta({
      description:
        "`unknown` if something could not be determined, whatever else was found. With `--fail-on-unmanaged`, `drift` also if only unmanaged objects were found.",
    }),
    stacks: z.array(
      z.strictObject({
        stack,
        project: z.string().meta({ description: "Pulumi project." }),
        resources: z.int().meta({ description: "Resources of this provider in its state." }),
      }),
    ),
    findings: z.array(finding),
    unreadable: z.array(unreadable),
    unmanaged: unmanaged.optional().meta({ description: "Only with `--unmanaged`." }),
  })
  .meta({ id: "DriftReport", description: "What `opsmanager drift` found." });

export type DriftReport = z.output<typeof driftReport>;

export type Finding = z.output<typeof finding>;

export type Unmanaged = z.output<typeof unmanaged>;

export type Coverage = z.output<typeof coverage>;

export type UnreadableThing = z.output<typeof unreadable>;

/** What a report holds about one stack. */
export function ofStack({ findings, unreadable }: DriftReport, stack: string) {
  const isOwn = (thing: { readonly stack?: string | undefined }) => thing.stack === stack;
  return { findings: findings.filter(isOwn), unreadable: unreadable.filter(isOwn) };
}

/**
 * The undetermined things of no checked stack: a stack that failed as a whole, a list of the
 * service.
 */
export function unreadableElsewhere({ stacks, unreadable }: DriftReport): readonly UnreadableThing[] {
  const names = new Set<string | undefined>(stacks.map(({ stack }) => stack));
  return unreadable.filter(({ stack }) => !names.has(stack));
}

/** The findings that no rule ignores. */
export function countedFindings({ findings }: Pick<DriftReport, "findings">): readonly Finding[] {
  return findings.filter(isCounted);
}

/** The undetermined things that no rule ignores. */
export function countedUnreadable({
  unreadable,
}: Pick<DriftReport, "unreadable">): readonly UnreadableThing[] {
  return unreadable.filter(isCounted);
}

/** The unmanaged objects that no rule ignores. */
export function countedUnmanaged(found: Unmanaged): UnmanagedObjects {
  return filteredUnmanaged(unmanagedObjects(found), isCounted);
}

export type UnmanagedObjects = Pick<Unmanaged, "projects" | "people" | "teams" | "teamPeople">;

/** The objects that a resource could own. */
export function unmanagedObjects(found: Unmanaged): UnmanagedObjects {
  const { projects, teams, teamPeople } = found;
  return { projects, people: directPeople(found), teams, teamPeople };
}

export function filteredUnmanaged(
  { projects, people, teams, teamPeople }: UnmanagedObjects,
  accepts: (object: Pick<Finding, "ignored">) => boolean,
): UnmanagedObjects {
  return {
    projects: projects.filter(accepts),
    people: people.filter(accepts),
    teams: teams.filter(accepts),
    teamPeople: teamPeople.filter(accepts),
  };
}

/** The objects of all kinds in one list. */
export function allUnmanaged({ projects, people, teams, teamPeople }: UnmanagedObjects) {
  return [...projects, ...people, ...teams, ...teamPeople];
}

/**
 * The people with direct access: those with access only through a team or the organization are not
 * managed in a project.
 */
export function directPeople({ people }: Pick<Unmanaged, "people">): Unmanaged["people"] {
  return people.filter(({ status }) => status !== "indirect");
}

/** The number of ignored things of every kind. */
export function countIgnored({ findings, unreadable, unmanaged }: DriftReport): number {
  const unmanagedItems = unmanaged ? allUnmanaged(unmanagedObjects(unmanaged)) : [];
  return [...findings, ...unreadable, ...unmanagedItems].filter((thing) => !isCounted(thing)).length;
}

function isCounted({ ignored }: Pick<Finding, "ignored">): boolean {
  return ignored === undefined;
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
  /** Whether unmanaged objects count as a failure, as with `--fail-on-unmanaged`. */
  readonly failOnUnmanaged?: boolean | undefined;
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
