/**
 * The host remembers a provider before it has configured it (@pulumi/pulumi, cmd/dynamic-provider, getProvider), so of calls that come
 * together all but the first go to a provider whose `configure` is still awaited.
 */
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const names = Array.from({ length: 6 }, (_, index) => `team-${index}`);

it("many resources of all kinds that are read, and deleted, at once in a new process all find the settings, and sign in once", async () => {
  const { sandbox, stack } = await setUpStack({
    provider: "dynamic",
    processes: "real",
    program: ({ orgId }) => ({
      resources: Object.fromEntries(
        names.flatMap((name, index) => [
          [name, { type: "Project", properties: { orgId, name } }],
          [`${name}-people`, peopleOf(name, index)],
        ]),
      ),
    }),
  });
  const created = await succeeded(stack.up({ parallel: 64 }));
  expect(created.changes).toEqual({ create: 2 * names.length });

  // A refresh has no program and no Check, which comes one at a time: its first calls are reads, all at once.
  sandbox.clearRequests();
  const refresh = await succeeded(stack.refresh({ parallel: 64 }));
  expect(refresh.changes).toEqual({ same: 2 * names.length });
  expect(signIns(sandbox)).toBe(1);

  sandbox.clearRequests();
  const destroy = await succeeded(stack.destroy({ parallel: 64 }));
  expect(destroy.changes).toEqual({ delete: 2 * names.length });
  expect(signIns(sandbox)).toBe(1);
  expect(sandbox.state.projects).toEqual([]);
});

function peopleOf(name: string, index: number) {
  const projectId = `\${${name}.projectId}`;
  const [username, roles] = ["ada@example.com", ["GROUP_READ_ONLY"]] as const;
  // The people were removed with the project, and the service keeps its last owner.
  const options = { deletedWith: `\${${name}}` };
  return index % 2 === 0
    ? { type: "ProjectMember", properties: { projectId, username, roles }, options }
    : {
        type: "ProjectMembers",
        properties: { projectId, members: { "owner@example.com": ["GROUP_OWNER"], [username]: roles } },
        options,
      };
}

/** Requests without an Authorization: a process requests a challenge once, however many calls wait for it. */
function signIns(sandbox: { readonly requests: readonly { readonly publicKey?: string | undefined }[] }) {
  return sandbox.requests.filter(({ publicKey }) => publicKey === undefined).length;
}
