/**
 * What the engine records of the dynamic provider's provider. It is in the state of every dynamic resource, and refresh and destroy run
 * the text that was recorded, whichever release wrote it.
 */
import { type StackState, succeeded } from "../../support";
import { stateText } from "../support/mechanics";
import { expectProviderTexts, providerTexts } from "../support/provider-texts";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const people = { "ada@example.com": ["GROUP_OWNER"] };

function programFor(orgId: string, names: readonly string[]) {
  const projects = names.flatMap((name) => [
    [name, { type: "Project", properties: { orgId, name, tags: ["PROD"] } }],
    [
      `${name}-people`,
      { type: "ProjectMembers", properties: { projectId: `\${${name}.projectId}`, members: people } },
    ],
  ]);
  const bob = {
    projectId: "${tools.projectId}",
    username: "bob@example.com",
    roles: ["GROUP_READ_ONLY"],
  };
  return {
    resources: {
      ...Object.fromEntries(projects),
      tools: { type: "Project", properties: { orgId, name: "tools" } },
      bob: { type: "ProjectMember", properties: bob },
    },
  };
}

it("is one short line, the same for all resources of a kind, whose types are those of earlier states, and the key is nowhere in the state", async () => {
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    program: ({ orgId }) => programFor(orgId, ["payments", "billing"]),
  });
  await succeeded(stack.up());
  const state = await stack.state({ showSecrets: true });
  expect(providerTexts(state).map(({ kind }) => kind)).toEqual([
    "Project",
    "Project",
    "Project",
    "ProjectMember",
    "ProjectMembers",
    "ProjectMembers",
  ]);
  expectProviderTexts(state);
  expect(await stateText(stack)).not.toContain(sandbox.privateKey);
  expect(typesIn(state)).toEqual([
    "pulumi-nodejs:dynamic/opsmanager:Project",
    "pulumi-nodejs:dynamic/opsmanager:ProjectMember",
    "pulumi-nodejs:dynamic/opsmanager:ProjectMembers",
  ]);
});

function typesIn({ resources }: StackState): string[] {
  const types = new Set(resources.map(({ type }) => type).filter((type) => type.includes("opsmanager")));
  return [...types].sort();
}
