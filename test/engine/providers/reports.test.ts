/** Known differences in what a person gets to see before, during and after a run. */
import { type Program, succeeded } from "../../support";
import { paymentsOn } from "../support/payments";
import { invitationOf, memberProgram, membersProgram, paymentsId } from "../support/people-program";
import {
  changedPaths,
  messagesOf,
  operations,
  projectNamed,
  projectProgram,
  timesPrinted,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { knownDifference } from "./known-difference";

const { createPayments } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const ada = "ada@example.com";
const cleo = "cleo@example.com";
const olga = "olga@example.com";
const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

knownDifference("drift in a plain preview", {
  plugin: { preview: { name: "update", "tags[0]": "update" }, refresh: ["name", "tags"] },
  dynamic: { preview: {}, refresh: ["name", "tags"] },
  play: async (provider) => {
    const { sandbox, stack } = await createPayments({ tags: ["PROD"] }, { provider });
    sandbox.changeProject(projectNamed(sandbox, "payments").id, { name: "by-hand", tags: ["URGENT"] });
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ payments: "update" });
    const refresh = await succeeded(stack.refresh({ previewOnly: true, diff: true }));
    const shown = ["name", "tags"].filter((name) =>
      new RegExp(`^\\s+~ ${name}\\b`, "m").test(refresh.output),
    );
    return { preview: changedPaths(preview), refresh: shown };
  },
});

knownDifference("each person who is added, removed or changed", {
  plugin: {
    preview: { [`members["${ada}"][0]`]: "update", [`members["${cleo}"]`]: "delete" },
    refresh: [ada, cleo],
  },
  dynamic: { preview: {}, refresh: [ada, cleo] },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments", members: { [olga]: owner, [ada]: reader } }] } },
      program: (service) => {
        const members = { [olga]: owner, [ada]: reader };
        return membersProgram({ projectId: paymentsId(service), members, removeUnlisted: true });
      },
    });
    await succeeded(stack.up());
    sandbox.setMember(paymentsId(sandbox), { username: ada }, ["GROUP_USER_ADMIN"]);
    sandbox.setMember(paymentsId(sandbox), { username: cleo }, reader);
    const preview = await succeeded(stack.preview());
    expect(operations(preview)).toEqual({ people: "update" });
    const refresh = await succeeded(stack.refresh({ previewOnly: true, diff: true }));
    const shown = [ada, cleo].filter((name) => new RegExp(`^\\s+[~+] ${name}`, "m").test(refresh.output));
    return { preview: changedPaths(preview, "people"), refresh: shown };
  },
});

/** A preview of what cannot be: the name is taken. */
knownDifference("read before writing in previews", {
  plugin: { previewSucceeds: false, upSucceeds: false },
  dynamic: { previewSucceeds: true, upSucceeds: false },
  play: async (provider) => {
    const { stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    const [preview, up] = [await stack.preview(), await stack.up()];
    return { previewSucceeds: preview.exitCode === 0, upSucceeds: up.exitCode === 0 };
  },
});

knownDifference("messages carry the resource's URN", {
  plugin: { warned: "payments" },
  dynamic: { warned: undefined },
  play: async (provider) => {
    const { stack } = await setUpStack({
      provider,
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["lower-case"] }),
    });
    const { diagnostics } = await succeeded(stack.up());
    const warning = diagnostics.find(({ message }) => message.includes("lower-case"));
    expect(warning).toBeDefined();
    return { warned: warning?.urn?.split("::").at(-1) };
  },
});

knownDifference("an accepted invitation in the outputs", {
  plugin: { afterUp: "active", afterRefresh: "active" },
  dynamic: { afterUp: "pending", afterRefresh: "active" },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: (service) => memberProgram({ projectId: paymentsId(service), username: ada, roles: reader }),
    });
    await succeeded(stack.up());
    sandbox.acceptInvitation(invitationOf(sandbox, ada).id);
    const status = async () => (await stack.resource("ada"))?.outputs?.status;
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    const afterUp = await status();
    await succeeded(stack.refresh());
    return { afterUp, afterRefresh: await status() };
  },
});

knownDifference("one person or project declared twice", {
  plugin: { personTwice: "declared by urn:", warnedOfProjectTwice: 1 },
  dynamic: { personTwice: undefined, warnedOfProjectTwice: 0 },
  play: async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: [{ name: "payments" }] } },
      program: () => ({}),
    });
    const twice = (type: string, properties: object): Program => ({
      resources: {
        first: { type, properties: { ...properties } },
        second: { type, properties: { ...properties }, options: { dependsOn: ["${first}"] } },
      },
    });
    const projectId = paymentsId(sandbox);
    await stack.setProgram(twice("ProjectMember", { projectId, username: ada, roles: reader }));
    const people = await stack.up();
    await stack.setProgram(twice("Project", { projectId }));
    const projects = await succeeded(stack.up());
    return {
      personTwice: /declared by urn:/.exec(messagesOf(people, "error"))?.[0],
      warnedOfProjectTwice: timesPrinted(projects, "is also declared by"),
    };
  },
});

knownDifference("`refreshBeforeUpdate: false`", {
  plugin: { preview: "same" },
  dynamic: { preview: "update" },
  play: async (provider) => {
    const { sandbox, stack } = await createPayments(
      { tags: ["PROD"] },
      { provider, config: { "opsmanager:refreshBeforeUpdate": false } },
    );
    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
    return { preview: operations(await succeeded(stack.preview())).payments };
  },
});

knownDifference("a changed `baseUrl`", {
  plugin: { warned: 1 },
  dynamic: { warned: 0 },
  play: async (provider) => {
    const { sandbox, stack } = await createPayments({}, { provider });
    const other = sandbox.baseUrl.replace("127.0.0.1", "localhost");
    await stack.setConfig({ "opsmanager:baseUrl": other });
    const up = await succeeded(stack.up());
    return { warned: timesPrinted(up, `baseUrl changes from ${sandbox.baseUrl} to ${other}`) };
  },
});
