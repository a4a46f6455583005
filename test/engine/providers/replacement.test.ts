/** Known differences in what becomes of projects and people that were replaced, renamed or removed, and of rotated keys. */
import { secret, succeeded } from "../../support";
import { memberProgram, membershipsIn, paymentsId } from "../support/people-program";
import {
  errorsOf,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { knownDifference } from "./known-difference";

afterEach(tearDownStacks);

const ada = "ada@example.com";
const bob = "bob@example.com";
const reader = ["GROUP_READ_ONLY"];
const allMembers = { seed: { projects: [{ name: "payments", members: { [ada]: reader } }] } };

knownDifference("`pulumi up --replace` of a created project", {
  plugin: { succeeds: true, stoppedBy: undefined, origin: "created" },
  dynamic: { succeeds: false, stoppedBy: 'already has a project named "payments"', origin: "created" },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.clearRequests();
    const up = await stack.up({ replace: (await stack.resource("payments"))?.urn });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id });
    return {
      succeeds: up.exitCode === 0,
      stoppedBy: /already has a project named "\w+"/.exec(messagesOf(up, "error"))?.[0],
      origin: (await stack.resource("payments"))?.outputs?.origin,
    };
  },
});

/** The new resource finds an existing member and has no information about the deleted resource. */
knownDifference("`pulumi up --replace` of a `ProjectMember`", {
  plugin: { origin: "created", deletingFirst: ["DELETE", "POST"] },
  dynamic: { origin: "adopted", deletingFirst: [] },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: () => ({}),
    });
    const properties = { projectId: paymentsId(sandbox), username: ada, roles: reader };
    const replaced = async (deleteBeforeReplace: boolean) => {
      await stack.setProgram(memberProgram(properties, { deleteBeforeReplace }));
      await succeeded(stack.up());
      sandbox.clearRequests();
      await succeeded(stack.up({ replace: (await stack.resource("ada"))?.urn }));
      return writes(sandbox).map(({ method }) => method);
    };
    const deletingFirst = await replaced(true);
    expect(await stack.resource("ada")).toMatchObject({ outputs: { origin: "created" } });
    expect(await replaced(false)).toEqual([]);
    return { origin: (await stack.resource("ada"))?.outputs?.origin, deletingFirst };
  },
});

knownDifference("`pulumi up --replace` of a created `Team`", {
  plugin: { succeeds: true, stoppedBy: undefined },
  dynamic: { succeeds: false, stoppedBy: 'already has a team named "operators"' },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => ({
        resources: {
          operators: { type: "Team", properties: { orgId, name: "operators", usernames: [ada] } },
        },
      }),
      sandbox: {
        seed: {
          orgs: [{ id: "5f0000000000000000000001", name: "Example Org" }],
          users: [{ username: ada, roles: [{ orgId: "5f0000000000000000000001", roleName: "ORG_MEMBER" }] }],
        },
      },
    });
    await succeeded(stack.up());
    sandbox.clearRequests();
    const up = await stack.up({ replace: (await stack.resource("operators"))?.urn });
    expect(writes(sandbox)).toEqual([]);
    expect(await stack.resource("operators")).toMatchObject({ outputs: { origin: "created" } });
    return {
      succeeds: up.exitCode === 0,
      stoppedBy: /already has a team named "\w+"/.exec(messagesOf(up, "error"))?.[0],
    };
  },
});

/** Today's config reaches a plugin in the environment of its process (PULUMI_CONFIG), so the engine starts it here. */
knownDifference("keys rotated since the last run", {
  plugin: { refresh: true, up: true, destroyAfterNextRotation: true },
  dynamic: { refresh: false, up: true, destroyAfterNextRotation: false },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started",
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    const rotate = async (privateKey: string) => {
      sandbox.changeKey(sandbox.publicKey, { privateKey });
      await stack.setConfig({ "opsmanager:privateKey": secret(privateKey) });
    };
    const succeeds = async (run: ReturnType<typeof stack.up>) => (await run).exitCode === 0;
    await succeeded(stack.up());
    await rotate("first-rotated-key");
    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
    const refresh = await succeeds(stack.refresh());
    const up = await succeeds(stack.up());
    expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
    await rotate("second-rotated-key");
    return { refresh, up, destroyAfterNextRotation: await succeeds(stack.destroy()) };
  },
});

knownDifference("a created project that no longer exists", {
  plugin: { preview: "create" },
  dynamic: { preview: "replace" },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    await succeeded(stack.up());
    sandbox.removeProject(projectNamed(sandbox, "payments").id);
    const preview = operations(await succeeded(stack.preview())).payments;
    await succeeded(stack.up());
    expect(await stack.resource("payments")).toMatchObject({
      id: projectNamed(sandbox, "payments").id,
      outputs: { origin: "created" },
    });
    return { preview };
  },
});

knownDifference("an adopted project that no longer exists", {
  plugin: { up: "No group with ID", recorded: false },
  dynamic: { up: "was deleted, and this stack did not create it", recorded: true },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: allMembers,
      program: (service) => projectProgram({ projectId: paymentsId(service) }),
    });
    await succeeded(stack.up());
    sandbox.removeProject(paymentsId(sandbox));
    expect((await stack.preview()).exitCode).not.toBe(0);
    const errors = await errorsOf(stack.up());
    return {
      up: /No group with ID|was deleted, and this stack did not create it/.exec(errors)?.[0],
      recorded: (await stack.resource("payments")) !== undefined,
    };
  },
});

knownDifference("a person who was removed outside Pulumi", {
  plugin: { preview: "create" },
  dynamic: { preview: "update" },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: allMembers,
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    sandbox.removeMember(paymentsId(sandbox), { username: ada });
    const preview = operations(await succeeded(stack.preview())).ada;
    await succeeded(stack.up());
    expect(membershipsIn(sandbox).invited).toEqual({ [ada]: reader });
    return { preview };
  },
});

/** The accounts were renamed outside Pulumi, and the program still uses the old names. */
const renamings = { [ada]: "ada.lovelace@example.com", [bob]: "bob.babbage@example.com" };
const ofToday = Object.fromEntries(Object.values(renamings).map((name) => [name, reader]));

knownDifference("a renamed account, when its resource is renamed or replaced too", {
  plugin: {
    one: { members: ofToday, invited: {} },
    allMembers: { members: ofToday, invited: {} },
    afterTheNextUp: { members: ofToday, invited: {} },
  },
  dynamic: {
    one: { members: ofToday, invited: { [ada]: reader, [bob]: reader } },
    allMembers: { members: ofToday, invited: { [ada]: reader, [bob]: reader } },
    afterTheNextUp: { members: ofToday, invited: { [ada]: reader, [bob]: reader } },
  },
  play: async (provider) => {
    const people = { [ada]: reader, [bob]: reader };
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: {
          projects: [
            { name: "payments", members: people },
            { name: "orders", members: people },
          ],
        },
      },
      program: () => ({}),
    });
    const payments = projectNamed(sandbox, "payments").id;
    const orders = projectNamed(sandbox, "orders").id;
    const one = (username: string) => ({
      type: "ProjectMember",
      properties: { projectId: payments, username, roles: reader },
    });
    const allMembers = { type: "ProjectMembers", properties: { projectId: orders, members: people } };
    await stack.setProgram({ resources: { ada: one(ada), bob: one(bob), allMembers } });
    await succeeded(stack.up());
    for (const [username, name] of Object.entries(renamings))
      sandbox.changeUser(sandbox.user({ username })?.id ?? "", { username: name });
    await succeeded(stack.refresh());

    await stack.setProgram({ resources: { lovelace: one(ada), bob: one(bob), allMembers } });
    await succeeded(stack.up());
    const urns = [(await stack.resource("bob"))?.urn ?? "", (await stack.resource("allMembers"))?.urn ?? ""];
    await succeeded(stack.up({ replace: urns }));
    const observed = { one: membershipsIn(sandbox, payments), allMembers: membershipsIn(sandbox, orders) };
    await succeeded(stack.up());
    return { ...observed, afterTheNextUp: membershipsIn(sandbox, orders) };
  },
});
