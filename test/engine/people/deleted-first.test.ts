/** With `deleteBeforeReplace`, Delete runs before Create. No person or team stays that no resource records. */
import type { Program } from "../../support";
import { succeeded } from "../../support";
import { readers } from "../../support/people";
import { memberProgram, membershipsIn, paymentsId } from "../support/people-program";
import { emptyProgram, messagesOf, projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";
import { ada, grace, orgId, startTeams, teamsOf } from "../teams/support";

afterEach(tearDownStacks);

const options = { deleteBeforeReplace: true };

describe("a replacement that deletes first and then fails", () => {
  it("leaves no person whom the next commit removes", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: readers } }] } },
      program: (service) =>
        memberProgram({ projectId: paymentsId(service), username: ada, roles: readers }, options),
    });
    await succeeded(stack.up());
    sandbox.addFault({ method: "POST", pathPattern: "/(users|invites)$", fault: { status: 400 } });
    expect((await stack.up({ replace: (await stack.resource("ada"))?.urn })).exitCode).not.toBe(0);
    await stack.setProgram(emptyProgram);
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual({ members: {}, invited: {} });
  });

  it("leaves no team that this stack created", async () => {
    const program = (usernames: readonly string[]): Program => ({
      resources: {
        operators: { type: "Team", properties: { orgId, name: "operators", usernames }, options },
      },
    });
    const { sandbox, stack } = await startTeams("plugin", () => program([ada]));
    await succeeded(stack.up());
    await stack.setProgram(program([ada, "eve@example.com"]));
    const failed = await stack.up({ replace: (await stack.resource("operators"))?.urn });
    expect(messagesOf(failed, "error")).toContain("has no account with the name eve@example.com");
    await stack.setProgram(emptyProgram);
    await succeeded(stack.up());
    expect(teamsOf(sandbox)).toEqual({});
  });
});

describe("a replacement that deletes first", () => {
  it("deletes and creates a created project, and releases and finds an adopted one", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "legacy" }] } },
      program: (service) => ({
        resources: {
          payments: { type: "Project", properties: { orgId: service.orgId, name: "payments" }, options },
          legacy: { type: "Project", properties: { projectId: projectNamed(service, "legacy").id }, options },
        },
      }),
    });
    await succeeded(stack.up());
    const before = ["payments", "legacy"].map((name) => projectNamed(sandbox, name).id);
    const urns = await Promise.all(["payments", "legacy"].map((name) => stack.resource(name)));
    await succeeded(stack.up({ replace: urns.map((resource) => resource?.urn ?? "") }));
    expect(projectNamed(sandbox, "legacy").id).toBe(before[1]);
    expect(projectNamed(sandbox, "payments").id).not.toBe(before[0]);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { origin: "created" } });
    expect(await stack.resource("legacy")).toMatchObject({ outputs: { origin: "adopted" } });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
  });

  it("creates a team again with the accounts that it had, also if one was renamed", async () => {
    const team = { orgId, name: "operators", usernames: [ada, grace] };
    const { sandbox, stack } = await startTeams("plugin", () => ({
      resources: { operators: { type: "Team", properties: team, options } },
    }));
    await succeeded(stack.up());
    sandbox.changeUser(sandbox.user({ username: ada })?.id ?? "", { username: "ada.l@example.com" });
    await succeeded(stack.up({ replace: (await stack.resource("operators"))?.urn }));
    expect(teamsOf(sandbox)).toEqual({ operators: ["ada.l@example.com", grace] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  });

  it("removes a person whom another resource declares only after that one", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", members: { [ada]: readers, [grace]: readers } }] } },
      program: () => ({}),
    });
    const projectId = paymentsId(sandbox);
    const person = (username: string) => ({
      type: "ProjectMember",
      properties: { projectId, username, roles: readers },
      options,
    });
    await stack.setProgram({ resources: { one: person(ada) } });
    await succeeded(stack.up());
    await stack.setProgram({ resources: { other: person(ada), one: person(grace) } });
    await succeeded(stack.up());
    expect(membershipsIn(sandbox)).toEqual({ members: { [ada]: readers, [grace]: readers }, invited: {} });
  });
});
