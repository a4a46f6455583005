/** A person who is recorded under one username and declared under another stays one person, and stays in the project. */
import { membershipsIn } from "../../engine/support/people-program";
import { bothProviders, messagesOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, allMembers, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const lovelace = "ada.lovelace@example.com";

/** Ada, declared by a resource of this type. */
const adaBy = {
  ProjectMember: () => person({ username: ada }),
  ProjectMembers: () => allMembers({ [ada]: readers }, { onDestroy: "remove" }),
};

const changes = [
  { change: "is replaced", from: "ProjectMember", to: "ProjectMember", after: "before" },
  { change: "has another name in the program", from: "ProjectMembers", to: "ProjectMembers", after: "after" },
  { change: "becomes a ProjectMembers", from: "ProjectMember", to: "ProjectMembers", after: "after" },
  { change: "becomes a ProjectMember", from: "ProjectMembers", to: "ProjectMember", after: "after" },
] as const;

const runs = [
  { provider: "plugin", refreshBeforeUpdate: true, flags: {} },
  // Then only `--refresh` reads the accounts in the run that changes the resources.
  { provider: "plugin", refreshBeforeUpdate: false, flags: { refresh: true } },
  // This provider's Create does not learn which resource it follows, so it invites the previous username.
  { provider: "dynamic", refreshBeforeUpdate: true, flags: {} },
] as const;

it.each(runs.flatMap((run) => changes.map((change) => ({ ...run, ...change }))))(
  "an account that was renamed stays if its $from $change ($provider, refreshBeforeUpdate: $refreshBeforeUpdate)",
  async ({ provider, refreshBeforeUpdate, flags, from, to, after }) => {
    const recognizes = provider === "plugin";
    const config = { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate };
    const setup = await setUpPayments({ provider, config, members: { [ada]: readers } });
    const { sandbox, stack, userId, upWith } = setup;
    await succeeded(upWith({ before: adaBy[from]() }));
    const recorded = await stack.resource("before");
    sandbox.changeUser(userId(ada), { username: lovelace });
    await succeeded(stack.refresh());

    await stack.setProgram({ resources: { [after]: adaBy[to]() } });
    const replace = after === "before" ? [recorded?.urn ?? ""] : [];
    const up = await succeeded(stack.up({ ...flags, replace }));
    expect(writes(sandbox).map(({ method }) => method)).toEqual(recognizes ? [] : ["POST"]);
    const people = peopleWith({ [lovelace]: readers }, recognizes ? {} : { [ada]: readers });
    expect(membershipsIn(sandbox)).toEqual(people);
    if (from === "ProjectMember")
      expect(messagesOf(up)).toContain(`${lovelace} in project ${projectId} was kept because`);
    const isUnlisted = to === "ProjectMembers" && !recognizes;
    const unlisted = `1 person in project ${projectId} is not listed and not changed: ${lovelace}.`;
    expect(messagesOf(up, "warning").includes(unlisted)).toBe(isUnlisted);
    if (to === "ProjectMember")
      expect((await stack.resource(after))?.outputs).toMatchObject(
        recognizes ? { username: lovelace, status: "active" } : { username: ada, status: "pending" },
      );
    if (recognizes && after === "before")
      expect(await stack.resource(after)).toMatchObject({ id: recorded?.id, outputs: { origin: "adopted" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(membershipsIn(sandbox)).toEqual(people);
  },
);

// The dynamic provider may read the first account before or after it creates the other one. In one
// order, the other resource took over the first account, and no user was invited. With dependsOn
// the creation always comes second.
it.each(
  bothProviders.flatMap((provider) => [[], ["${first}"]].map((dependsOn) => ({ provider, dependsOn }))),
)(
  "a new person who has received a renamed account's previous username is another person ($provider, dependsOn: $dependsOn)",
  async ({ provider, dependsOn }) => {
    const { sandbox, stack, userId, upWith } = await setUpPayments({ provider, members: { [ada]: readers } });
    await succeeded(upWith({ first: person({ username: ada }) }));
    sandbox.changeUser(userId(ada), { username: lovelace });
    const first = person({ username: lovelace });
    await succeeded(upWith({ first }));
    await succeeded(upWith({ first, other: person({ username: ada }, { dependsOn }) }));
    expect(membershipsIn(sandbox)).toEqual(peopleWith({ [lovelace]: readers }, { [ada]: readers }));
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  },
);
