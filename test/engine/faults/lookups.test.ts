/**
 * The fault matrix with the real engine: one fault per outcome with every lookup. A lookup has no state: it responds or fails, and the next run
 * asks again. The program catches what each one throws, as one that fails would end it before the others.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type FaultRow, impatient } from "../../integration/faults/matrix";
import { type ProviderKind, type Stack, succeeded } from "../../support";
import { packageOf } from "../support/either-provider";
import { bothProviders, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";
import { errorOf } from "./support/expected";
import { beginLife, environmentOf, type Life, rowNamed, rows } from "./support/life";
import { countOf } from "./support/play";

afterEach(tearDownStacks);

interface Lookup {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  /** Path of the request that gets the fault. */
  readonly path: string;
  /** How the error begins. */
  readonly action: string;
}

/** Each has objects of its own, so that each gets its own fault. */
function lookupsOf(sandbox: Sandbox): readonly Lookup[] {
  const project = () => sandbox.addProject({ name: `p${sandbox.state.projects.length}` }).id;
  const [one, members, invited, listed] = [project(), project(), project(), project()];
  const invite = (projectId: string) =>
    sandbox.addInvitation(projectId, { username: "ada@example.com", roles: ["GROUP_READ_ONLY"] }).id;
  const invitationId = invite(invited);
  invite(listed);
  const orgId = sandbox.addOrg({ name: `o${sandbox.state.orgs.length}` }).id;
  sandbox.addProject({ name: "payments", orgId });
  return [
    {
      name: "getProject",
      args: { projectId: one },
      path: `/groups/${one}$`,
      action: `Reading project ${one}`,
    },
    {
      name: "getProjects",
      args: { orgId },
      path: `/orgs/${orgId}/groups`,
      action: `Listing the projects of organization ${orgId}`,
    },
    {
      name: "getProjectMembers",
      args: { projectId: members },
      path: `/groups/${members}/users`,
      action: `Listing the people of project ${members}`,
    },
    {
      name: "getProjectInvitation",
      args: { projectId: invited, invitationId },
      path: `/groups/${invited}/invites/${invitationId}$`,
      action: `Reading invitation ${invitationId} to project ${invited}`,
    },
    {
      name: "getProjectInvitations",
      args: { projectId: listed },
      path: `/groups/${listed}/invites`,
      action: `Listing the pending invitations to project ${listed}`,
    },
  ];
}

interface RequestedLookup extends Lookup {
  /** `getProject: 429` */
  readonly cell: string;
  readonly row: FaultRow;
}

/** What the program has of a lookup: its response, or what it threw. */
interface LookupResult {
  readonly response?: unknown;
  readonly message: string;
}

async function writeProgram(
  { setup, firstId }: Life,
  provider: ProviderKind,
  lookups: readonly RequestedLookup[],
): Promise<void> {
  const { stack } = setup;
  const calls = lookups.map(({ cell, name, args }) => ({ cell, name, args }));
  const text = `
    const opsmanager = require("${packageOf[provider]}");
    const lookUp = ({ cell, name, args }) =>
      opsmanager[name](args).then(
        (response) => [cell, { response, message: "" }],
        ({ message }) => [cell, { message: message }],
      );
    module.exports = async () => {
      await opsmanager.getProject({ projectId: "${firstId}" });
      const calls = ${JSON.stringify(calls)};
      const results = await Promise.all(calls.map(lookUp));
      return { results: Object.fromEntries(results) };
    };`;
  await writeFile(join(stack.paths.program, "index.js"), text);
}

async function resultsOf(stack: Stack): Promise<Readonly<Record<string, LookupResult>>> {
  await succeeded(stack.up());
  return (await stack.outputs()).results as Readonly<Record<string, LookupResult>>;
}

describe("lookups", () => {
  it.each(bothProviders)("matches the matrix (%s)", async (provider) => {
    const life = await beginLife({
      provider: "dynamic",
      config: { "opsmanager:requestTimeoutSeconds": impatient.requestTimeoutSeconds },
    });
    const { sandbox, stack } = life.setup;
    stack.setEnv(await environmentOf(provider, stack));
    sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
    const lookups = [...rows, rowNamed("no response in time, before the write")].flatMap((row) =>
      lookupsOf(sandbox).map(
        (lookup): RequestedLookup => ({ ...lookup, row, cell: `${lookup.name}: ${row.name}` }),
      ),
    );
    await writeProgram(life, provider, lookups);
    for (const { path, row } of lookups) {
      sandbox.addFault({ method: "GET", pathPattern: path, fault: row.fault });
    }

    const results = await resultsOf(stack);
    expect(sandbox.faults).toEqual([]);
    const counts = lookups.map(({ cell, path }) => [
      cell,
      countOf(sandbox.requests, { method: "GET", pathPattern: path }),
    ]);
    const next = await resultsOf(stack);
    expect(writes(sandbox)).toEqual([]);

    const expected = lookups.map(({ cell, row, action }) => {
      const { error } = row.repeatable;
      // The right response is the one that comes without a fault.
      const { response } = next[cell] ?? {};
      const failed = { message: expect.stringMatching(errorOf(error ?? "", action)) };
      return [cell, error === undefined ? { response, message: "" } : failed];
    });
    expect(results).toEqual(Object.fromEntries(expected));
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(lookups.map(({ cell, row }) => [cell, row.repeatable.requests])),
    );
    expect(Object.values(next)).toEqual(lookups.map(() => ({ response: expect.anything(), message: "" })));
  });
});
