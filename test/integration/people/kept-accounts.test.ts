/** A person who is recorded under one username and declared under another stays one person, and stays in the project. */

import { membershipsIn } from "../../engine/support/people-program";
import {
  bothProviders,
  emptyProgram,
  messagesOf,
  operations,
  projectNamed,
  writes,
} from "../../engine/support/project-program";
import { type ResourceDeclaration, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada, readers } from "../../support/people";

afterEach(tearDownStacks);

const renamed = "ada.lovelace@example.com";

/** Declares Ada in a project, by a resource of this type. */
function adaBy(type: "ProjectMember" | "ProjectMembers", projectId: string): ResourceDeclaration {
  return type === "ProjectMember"
    ? { type, properties: { projectId, username: ada, roles: readers } }
    : { type, properties: { projectId, members: { [ada]: readers }, onDestroy: "remove" } };
}

/** What changes in the program: the type before and after, and whether the resource gets another name or `--replace`. */
const changes = [
  { project: "replaced-member", from: "ProjectMember", to: "ProjectMember", replaces: true },
  { project: "renamed-member", from: "ProjectMember", to: "ProjectMember", replaces: false },
  { project: "replaced-members", from: "ProjectMembers", to: "ProjectMembers", replaces: true },
  { project: "renamed-members", from: "ProjectMembers", to: "ProjectMembers", replaces: false },
  { project: "member-to-members", from: "ProjectMember", to: "ProjectMembers", replaces: false },
  { project: "members-to-member", from: "ProjectMembers", to: "ProjectMember", replaces: false },
] as const;

/** Without `refreshBeforeUpdate`, only `--refresh` reads the accounts in the run that changes the resources. */
const runs = [
  { provider: "plugin", refreshBeforeUpdate: true, flags: {} },
  { provider: "plugin", refreshBeforeUpdate: false, flags: { refresh: true } },
  { provider: "dynamic", refreshBeforeUpdate: true, flags: {} },
] as const;

type Change = (typeof changes)[number];

const byProject = <Value>(value: (change: Change) => Value) =>
  Object.fromEntries(changes.map((change) => [change.project, value(change)]));

/** The resources that keep their name are replaced by `--replace`, the others have another name in the program. */
const nameAfter = ({ project, replaces }: Change) => (replaces ? project : `${project}-2`);

const expectedOperations = Object.fromEntries(
  changes.flatMap((change) =>
    change.replaces
      ? [[change.project, "replace"]]
      : [
          [change.project, "delete"],
          [nameAfter(change), "create"],
        ],
  ),
);

/** One project for each change; Ada is renamed after the first `up`, and a refresh has recorded that. */
async function setUpRenamedAccount({ provider, refreshBeforeUpdate }: (typeof runs)[number]) {
  const { sandbox, stack } = await setUpStack({
    provider,
    config: { "opsmanager:refreshBeforeUpdate": refreshBeforeUpdate },
    sandbox: {
      seed: { projects: changes.map(({ project }) => ({ name: project, members: { [ada]: readers } })) },
    },
    program: (service) => ({
      resources: byProject(({ project, from }) => adaBy(from, projectNamed(service, project).id)),
    }),
  });
  await succeeded(stack.up());
  sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
  await succeeded(stack.refresh());
  expect(writes(sandbox)).toEqual([]);
  const idOf = ({ project }: { project: string }) => projectNamed(sandbox, project).id;
  const writesTo = (project: string) =>
    writes(sandbox)
      .filter(({ path }) => path.includes(idOf({ project })))
      .map(({ method }) => method);
  return { sandbox, stack, idOf, writesTo };
}

describe.each(runs)(
  "an account that was renamed outside Pulumi ($provider, refreshBeforeUpdate $refreshBeforeUpdate)",
  (run) => {
    const { provider, flags } = run;
    // The dynamic provider's Create does not learn which resource it follows, so it invites the previous username.
    const recognizes = provider === "plugin";
    const people = { members: { [renamed]: readers }, invited: recognizes ? {} : { [ada]: readers } };

    it("keeps its membership when its resource is replaced, is renamed or changes its type", async () => {
      const { sandbox, stack, idOf, writesTo } = await setUpRenamedAccount(run);
      const peopleNow = () => byProject((change) => membershipsIn(sandbox, idOf(change)));
      const recorded = await stack.resource("replaced-member");

      await stack.setProgram({
        resources: Object.fromEntries(
          changes.map((change) => [nameAfter(change), adaBy(change.to, idOf(change))]),
        ),
      });
      const replaced = changes.filter(({ replaces }) => replaces);
      const resources = await Promise.all(replaced.map(({ project }) => stack.resource(project)));
      const up = await succeeded(
        stack.up({ ...flags, replace: resources.map((resource) => resource?.urn ?? "") }),
      );
      expect(operations(up)).toEqual(expectedOperations);
      expect(byProject(({ project }) => writesTo(project))).toEqual(
        byProject(() => (recognizes ? [] : ["POST"])),
      );
      expect(writes(sandbox)).toHaveLength(recognizes ? 0 : changes.length);
      expect(peopleNow()).toEqual(byProject(() => people));
      for (const project of ["replaced-member", "renamed-member"])
        expect(messagesOf(up)).toContain(`${renamed} in project ${idOf({ project })} was kept because`);
      expect(await stack.resource("replaced-member")).toMatchObject(
        recognizes
          ? { id: recorded?.id, outputs: { username: renamed, status: "active", origin: "adopted" } }
          : { outputs: { username: ada, status: "pending", origin: "created" } },
      );
      expect(await stack.resource("renamed-member-2")).toMatchObject({
        outputs: recognizes ? { username: renamed, status: "active" } : { username: ada, status: "pending" },
      });

      // A ProjectMembers that did not recognize the account warns of it as not listed, and leaves it in.
      const isUnlisted = ({ to }: Change) => to === "ProjectMembers" && !recognizes;
      const isWarnedOf = (change: Change) =>
        messagesOf(up, "warning").includes(
          `1 person in project ${idOf(change)} is not listed and not changed: ${renamed}.`,
        );
      expect(byProject(isWarnedOf)).toEqual(byProject(isUnlisted));
      expect(operations(await succeeded(stack.up()))).toEqual(
        Object.fromEntries(changes.map((change) => [nameAfter(change), "same"])),
      );
      expect(peopleNow()).toEqual(byProject(() => people));
    });
  },
);

// The dynamic provider may read the first account before or after it creates the other one. In one
// order, the other resource took over the first account, and no user was invited. With dependsOn
// the creation always comes second.
it.each(bothProviders)(
  "a new person who has received a renamed account's previous username is another person (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: {
        seed: { projects: ["at-once", "one-by-one"].map((name) => ({ name, members: { [ada]: readers } })) },
      },
      program: () => ({}),
    });
    const person = (project: string, username: string, dependsOn: readonly string[] = []) => ({
      type: "ProjectMember",
      properties: { projectId: projectNamed(sandbox, project).id, username, roles: readers },
      options: { dependsOn },
    });
    const first = (username: string) => ({
      first: person("at-once", username),
      "first-in-order": person("one-by-one", username),
    });
    await stack.setProgram({ resources: first(ada) });
    await succeeded(stack.up());
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: renamed });
    await stack.setProgram({ resources: first(renamed) });
    await succeeded(stack.up());

    await stack.setProgram({
      resources: {
        ...first(renamed),
        other: person("at-once", ada),
        "other-in-order": person("one-by-one", ada, ["${first-in-order}"]),
      },
    });
    await succeeded(stack.up());
    for (const project of ["at-once", "one-by-one"])
      expect({ project, ...membershipsIn(sandbox, projectNamed(sandbox, project).id) }).toEqual({
        project,
        members: { [renamed]: readers },
        invited: { [ada]: readers },
      });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 4 });
  },
);

// In a refresh the engine calls Diff too, also for resources that are no longer in the program.
it.each(bothProviders)(
  "a read of all resources before the program runs declares no member: a resource removed from the program is deleted (%s)",
  async (provider) => {
    const bob = "bob@example.com";
    const people = { [ada]: readers, [bob]: readers };
    const projects = ["one-first", "all-first", "one-next", "all-next"];
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed: { projects: projects.map((name) => ({ name, members: people })) } },
      program: () => ({}),
    });
    const idOf = (project: string) => projectNamed(sandbox, project).id;
    const both = (which: string) => ({
      [`one-${which}`]: {
        type: "ProjectMember",
        properties: { projectId: idOf(`one-${which}`), username: ada, roles: readers },
      },
      [`all-${which}`]: {
        type: "ProjectMembers",
        properties: { projectId: idOf(`all-${which}`), members: people, onDestroy: "remove" },
      },
    });
    const membersNow = () =>
      Object.fromEntries(projects.map((name) => [name, membershipsIn(sandbox, idOf(name)).members]));
    await stack.setProgram({ resources: { ...both("first"), ...both("next") } });
    await succeeded(stack.up());

    await stack.setProgram({ resources: both("next") });
    expect((await succeeded(stack.up({ refresh: true }))).changes).toEqual({ delete: 2, same: 2 });
    const remaining = { "one-first": { [bob]: readers }, "all-first": {} };
    expect(membersNow()).toEqual({ ...remaining, "one-next": people, "all-next": people });

    await stack.setProgram(emptyProgram);
    expect((await succeeded(stack.up())).changes).toEqual({ delete: 2 });
    expect(membersNow()).toEqual({ ...remaining, "one-next": { [bob]: readers }, "all-next": {} });
  },
);
