/** getProjects by tags, against an organization's list that shows them and one that does not. */
import { RefusedError } from "../../../provider/errors";
import { getProjects } from "../../../provider/functions/get-projects";
import { Session } from "../../../provider/resources/session";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { clientFactory } from "../client/with-client";

const { sandbox: connect } = clientFactory();

async function lookUp(options: SandboxOptions, prepare: (sandbox: Sandbox) => void = () => {}) {
  const seed = {
    projects: [
      { name: "payments", tags: ["PROD", "EU"] },
      { name: "billing", tags: ["TEST"] },
      { name: "empty", tags: [] },
    ],
  };
  const { sandbox, client } = await connect({ seed, ...options });
  prepare(sandbox);
  const session = new Session(client, {
    refreshBeforeUpdate: false,
    readCacheSeconds: 0,
    maxRemovalsPerRun: 100,
  });
  const context = { session, signal: new AbortController().signal };
  const invoke = async (args: object) => {
    const { projects } = await getProjects.invoke({ args: { orgId: sandbox.orgId, ...args }, context });
    return (projects as { name: string }[]).map(({ name }) => name);
  };
  return { sandbox, invoke };
}

const poor = { orgProjectFields: "without-tags-and-mappings" } as const;
const singleReads = ({ requests }: Sandbox) =>
  requests.filter(({ path }) => /\/groups\/[0-9a-f]{24}$/.test(path));

describe.each([
  ["shows tags", {}, 0],
  ["shows no tags", poor, 3],
] as const)("a list of the organization that %s", (_, switches, reads) => {
  it("has the projects with all of the tags, and requests no more than it lacks", async () => {
    const { sandbox, invoke } = await lookUp(switches);
    expect(await invoke({ tags: ["EU", "PROD"] })).toEqual(["payments"]);
    expect(singleReads(sandbox)).toHaveLength(reads);
    expect(await invoke({ tags: ["EU", "TEST"] })).toEqual([]);
  });

  it("is taken as it is where no tags are requested", async () => {
    const { sandbox, invoke } = await lookUp(switches);
    expect(await invoke({})).toEqual(["billing", "empty", "payments"]);
    expect(singleReads(sandbox)).toEqual([]);
  });
});

it.each([
  ["the key may not see tags", { tagsWithoutGlobalRole: "hide" }, () => {}],
  [
    "the key may not read one of the projects",
    {},
    (sandbox: Sandbox) => {
      const fault = { status: 403, body: { error: 403, errorCode: "USER_UNAUTHORIZED" } };
      sandbox.addFault({ pathPattern: "/groups/[0-9a-f]{24}$", fault, times: 1 });
    },
  ],
] as const)("is refused, with the roles of both documents, where %s", async (_, switches, prepare) => {
  const { invoke } = await lookUp({ ...poor, ...switches }, (sandbox) => {
    const { orgId, publicKey } = sandbox;
    sandbox.changeKey(publicKey, { roles: [{ orgId, roleName: "ORG_OWNER" }] });
    prepare(sandbox);
  });
  const error = await invoke({ tags: ["EU"] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RefusedError);
  expect(String(error)).toMatch(
    /the tags of [13] of 3 projects\. Use a key with the role Project Read Only, in older versions Global Owner or Global Read Only, or omit tags\./,
  );
});

it("a read that fails is no missing tag", async () => {
  const { invoke } = await lookUp(poor, (sandbox) => {
    sandbox.addFault({ pathPattern: "/groups/[0-9a-f]{24}$", fault: { status: 500 }, times: 0 });
  });
  await expect(invoke({ tags: ["EU"] })).rejects.toThrow(/Reading project [0-9a-f]{24} failed: 500/);
});
