/** The life of a project as `pulumi` shows it. What is sent and recorded: test/integration/project. */
import { keepDefault, succeeded } from "../../support";
import { differences } from "../support/differences";
import { digestOf, jsonSteps } from "../support/mechanics";
import {
  bothProviders,
  changedPaths,
  projectNamed,
  projectProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const mappings = [
  { roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] },
  { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=ops", "cn=audit"] },
];
const inAnotherOrder = mappings
  .map(({ roleName, ldapGroups }) => ({ ldapGroups: [...ldapGroups].reverse(), roleName }))
  .reverse();
const sorted = mappings.map(({ roleName, ldapGroups }) => ({ roleName, ldapGroups: [...ldapGroups].sort() }));

it.each(bothProviders)(
  "a project is created, left alone in any order of its lists, shown and corrected after changes outside Pulumi, and created again (%s)",
  async (provider) => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({ orgId, name: "payments", tags: ["PROD", "EU"], ldapGroupMappings: mappings }),
    });
    const { orgId } = sandbox;
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    const { id } = projectNamed(sandbox, "payments");
    const declared = { name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: sorted };
    expect(writes(sandbox)).toEqual([
      { method: "POST", path: "/groups", body: { orgId, name: "payments" } },
      { method: "PATCH", path: `/groups/${id}`, body: { tags: declared.tags, ldapGroupMappings: sorted } },
    ]);
    const recorded = await stack.resource("payments");
    expect(recorded).toMatchObject({ id, outputs: { orgId, ...declared, origin: "created" } });

    // Trap 14: on "same" the engine stores the new checked inputs, so two orders of one set have to be checked to one form.
    sandbox.clearRequests();
    sandbox.changeProject(id, { tags: ["PROD", "EU"], ldapGroupMappings: inAnotherOrder });
    await stack.setProgram(
      projectProgram({
        ldapGroupMappings: inAnotherOrder,
        tags: ["EU", "PROD"],
        name: "payments",
        orgId: orgId.toUpperCase(),
      }),
    );
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect((await stack.resource("payments"))?.inputs).toEqual(recorded?.inputs);
    const shown = () => stack.refresh({ previewOnly: true, expectNoChanges: true, json: true });
    expect(digestOf(await succeeded(shown())).changeSummary).toEqual({ same: 2 });

    const drifted = { name: "by-hand", tags: ["EU", "URGENT"], ldapGroupMappings: sorted.slice(1) };
    sandbox.changeProject(id, drifted);
    const preview = await stack.preview({ diff: true, expectNoChanges: true });
    expect(preview).toMatchObject({ exitCode: 7, changes: { update: 1 } });
    const { shownPaths, shownText } = differences[provider];
    const changed = { name: "update", "tags[1]": "update", "ldapGroupMappings[0]": "add" };
    expect(changedPaths(preview)).toEqual(shownPaths(changed));
    expect(preview.output).toContain(shownText('"by-hand" => "payments"'));
    expect(preview.output).toContain(shownText('"URGENT" => "PROD"'));

    // Trap 2: a refresh shows what our Diff of the live inputs against the recorded ones returns, with the sides exchanged.
    const refreshed = await shown();
    expect(refreshed.exitCode).toBe(7);
    const [step] = jsonSteps(refreshed, "payments");
    expect(step).toMatchObject({
      op: "update",
      oldState: { inputs: { tags: declared.tags } },
      newState: { inputs: { tags: drifted.tags } },
    });
    expect(step?.detailedDiff).toMatchObject({ "tags[1]": { kind: "update" } });
    expect((await stack.resource("payments"))?.inputs).toEqual(recorded?.inputs);

    expect((await succeeded(stack.refresh())).changes).toEqual({ update: 1 });
    expect(await stack.resource("payments")).toMatchObject({ inputs: { tags: drifted.tags } });
    expect(writes(sandbox)).toEqual([]);
    expect((await succeeded(stack.up())).changes).toEqual({ update: 1 });
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: declared }]);

    // Trap 1: a deleted project is an empty id and no properties at all.
    sandbox.removeProject(id);
    expect((await succeeded(stack.refresh())).changes).toEqual({ delete: 1 });
    expect(await stack.resource("payments")).toBeUndefined();
    expect((await succeeded(stack.up())).changes).toEqual({ create: 1 });
    expect(projectNamed(sandbox, "payments").id).not.toBe(id);

    sandbox.removeProject(projectNamed(sandbox, "payments").id);
    await succeeded(stack.destroy());
    expect((await stack.state()).resources).toEqual([]);
  },
);
