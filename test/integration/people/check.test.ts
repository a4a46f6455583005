/**
 * Check of ProjectMember and ProjectMembers: reports every fault of a program at once, before
 * anything is sent.
 */

import { memberProgram, membersOf, membersProgram, paymentsId } from "../../engine/support/people-program";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";
import { ada } from "../../support/people";

afterEach(tearDownStacks);

const roles = ["GROUP_READ_ONLY"];
const seed = { projects: [{ name: "payments" }] };

/** Faults of several properties at the same time. Each rule: `test/unit/resources`. */
const faultyMember = {
  projectId: "not-an-id",
  username: " ada\u0007@example.com ",
  roles: ["GROUP_OWNER", "GROUP_OWNER", " GROUP_READ_ONLY"],
};
const faultsOfMember = [
  "projectId must be the id of a project: 24 hexadecimal digits",
  "username must not hold hidden characters: U+0007 at position 5",
  "username must not begin or end with blanks",
  'roles contains "GROUP_OWNER" more than once',
  'roles contains " GROUP_READ_ONLY", which is not a role of a project. Did you mean GROUP_READ_ONLY?',
];

const faultyMembers = {
  projectId: "not-an-id",
  members: {
    "ADA@example.com": roles,
    [ada]: ["GROUP_OWNER", "GROUP_OWNER"],
    "grace@example.com": null,
    "robot-7@example.com": ["GROUP_OWNER "],
  },
  ignoreUsers: ["ROBOT-*"],
  maxRemovals: -1,
};
const faultsOfMembers = [
  "projectId must be the id of a project: 24 hexadecimal digits",
  `members["${ada}"] contains "GROUP_OWNER" more than once`,
  `members names one person more than once: "ADA@example.com" and "${ada}" are the same name`,
  'members["grace@example.com"] must not be empty: a person without a role is not in the project',
  'members["robot-7@example.com"] matches ignoreUsers',
  'members["robot-7@example.com"] contains "GROUP_OWNER ", which is not a role of a project. Did you mean GROUP_OWNER?',
  "maxRemovals must be 0 or more",
];

describe("a program with several faults", () => {
  it.each([
    {
      resource: "ProjectMember",
      provider: "plugin",
      program: memberProgram(faultyMember),
      faults: faultsOfMember,
    },
    ...bothProviders.map((provider) => ({
      resource: "ProjectMembers",
      provider,
      program: membersProgram(faultyMembers),
      faults: faultsOfMembers,
    })),
  ] as const)(
    "is rejected with all faults of $resource in one run, each once, and nothing is sent ($provider)",
    async ({ provider, program, faults }) => {
      const { sandbox, stack } = await setUpStack({ provider, program: () => program });
      const errors = await errorsOf(stack.preview());
      const text = errors;
      expect(faults.filter((fault) => text.split(fault).length !== 2)).toEqual([]);
      expect((await stack.up()).exitCode).not.toBe(0);
      expect(sandbox.requests).toEqual([]);
      expect([await stack.resource("ada"), await stack.resource("people")]).toEqual([undefined, undefined]);
    },
  );
});

describe.each(bothProviders)("a role that is not known to this version (%s)", (provider) => {
  it("is sent unchanged, with one warning for all members", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: (service) => {
        const person = (username: string) => ({
          type: "ProjectMember",
          properties: { projectId: paymentsId(service), username, roles: ["GROUP_GARDENER"] },
        });
        return { resources: { ada: person(ada), grace: person("grace@example.com") } };
      },
    });
    const up = await stack.up({ parallel: 1 });
    expect(timesPrinted(up, 'Role "GROUP_GARDENER" is not a project role that this version knows')).toBe(1);
    // Ops Manager rejects the role too, and its response decides.
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      /Inviting .*@example.com .* failed: 400 INVALID_ENUM_VALUE.*This version of the service has no role of that name/,
    );
    expect(writes(sandbox)[0]).toMatchObject({ body: { roles: ["GROUP_GARDENER"] } });
    expect(await stack.resource("ada")).toBeUndefined();
  });
});

describe.each(bothProviders)("values that are unknown before the first up (%s)", (provider) => {
  const origin = (service: { orgId: string }) => ({
    type: "Project",
    properties: { orgId: service.orgId, name: "origin", tags: ["GROUP_OWNER"] },
  });
  const people = (type: string, properties: object) => ({
    type,
    properties: { projectId: "${origin.projectId}", ...properties },
  });

  // The outputs of the project stand for texts that are unknown until the project exists.
  it("are no fault in a preview: one role, all roles, or the username", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: (service) => ({
        resources: {
          origin: origin(service),
          oneRole: people("ProjectMember", { username: ada, roles: ["${origin.projectId}"] }),
          allRoles: people("ProjectMember", { username: "grace@example.com", roles: "${origin.tags}" }),
          username: people("ProjectMember", { username: "${origin.name}@example.com", roles }),
          oneRoleOfAMember: people("ProjectMembers", { members: { [ada]: ["${origin.projectId}"] } }),
          allRolesOfAMember: people("ProjectMembers", { members: { [ada]: "${origin.tags}" } }),
        },
      }),
    });
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ create: 6 });
    expect(writes(sandbox)).toEqual([]);
  });

  it("are sent once they are known", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: (service) => ({
        resources: {
          origin: origin(service),
          people: people("ProjectMembers", {
            members: { [ada]: "${origin.tags}", "owner@example.com": ["GROUP_OWNER"] },
          }),
        },
      }),
    });
    await succeeded(stack.up());
    expect(sandbox.state.invitations).toMatchObject([{ username: ada, roles: ["GROUP_OWNER"] }]);
    expect((await succeeded(stack.up())).changes).toEqual({ same: 2 });
    expect(membersOf(sandbox, sandbox.state.projects[0]?.id)).toEqual({
      "owner@example.com": ["GROUP_OWNER"],
    });
  });
});
