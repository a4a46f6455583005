/** What ProjectMembers announces, limits and claims, from the plan or the state alone. */

import type { Identity, Membership } from "../../../../provider/access/person";
import { toProperties } from "../../../../provider/resources/contract/border";
import type { ProjectContext } from "../../../../provider/resources/contract/resource";
import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { Refusal } from "../../../../provider/resources/evidence/refusal";
import { claimAll, membersOf } from "../../../../provider/resources/people/member-claims";
import type { MemberDetail } from "../../../../provider/resources/people/outputs";
import { refusalOf } from "../../../../provider/resources/people/protect";
import { projectMembers } from "../../../../provider/resources/project-members";
import { diff, unlisted } from "../../../../provider/resources/project-members/diff";
import { requireMemberList } from "../../../../provider/resources/project-members/memberships";
import {
  announce,
  limitsOfDestroy,
  limitsOfUpdate,
  unlistedInProject,
} from "../../../../provider/resources/project-members/messages";
import type { MemberPlan } from "../../../../provider/resources/project-members/plan";
import { Claims } from "../../../../provider/resources/session/claims";
import { ApiError } from "../../../../provider/text/errors";
import { newSession, urnOf } from "../checker";
import { active, pending, projectId } from "../people/people";

const readers = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];
const urn = urnOf("ProjectMembers", "people");
const place = `project ${projectId}`;

function operation(maxRemovalsPerRun = 100) {
  const messages: string[] = [];
  const context: ProjectContext = {
    session: newSession({ maxRemovalsPerRun }),
    ...{ urn, projectId, signal: new AbortController().signal },
    log: {
      info: (message) => void messages.push(message),
      warn: (message) => void messages.push(`warning: ${message}`),
    },
  };
  return { context, messages };
}

describe("previews", () => {
  const [ada, bob, eve] = [active("ada", "GROUP_OWNER"), active("bob", "GROUP_OWNER"), active("eve")];
  const nothing: MemberPlan = {
    ...{ additions: [], raises: [], otherChanges: [], removals: [], staying: [], retained: [], twice: [] },
    named: new Map(),
  };

  function announced(
    plan: Partial<MemberPlan>,
    memberships: readonly Membership[] = [ada, bob, eve],
  ): string[] {
    const { context, messages } = operation();
    announce({ ...nothing, ...plan, memberships, contradicted: undefined }, undefined, context);
    return messages;
  }

  const lastOwner = `No direct owner would be left in ${place}: ada@example.com, bob@example.com would be removed or lose GROUP_OWNER.`;
  const demoted = { membership: bob, roles: readers };
  const demotion = `bob@example.com in ${place}: roles GROUP_OWNER become GROUP_READ_ONLY.`;
  const removal = `ada@example.com (GROUP_OWNER) will be removed from ${place}.`;

  test.each<[string, Partial<MemberPlan>, string[]]>([
    ["without changes announces nothing", {}, []],
    [
      "names changed roles, and removals of members and invitations",
      {
        raises: [{ membership: eve, roles: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"] }],
        otherChanges: [demoted],
        removals: [eve, pending("zoe")],
      },
      [
        `eve@example.com in ${place}: roles GROUP_READ_ONLY become GROUP_READ_ONLY, GROUP_USER_ADMIN.`,
        demotion,
        `eve@example.com (GROUP_READ_ONLY) will be removed from ${place}.`,
        `The invitation of zoe@example.com to ${place} will be deleted.`,
      ],
    ],
    [
      "lets all owners go if a member becomes one",
      { raises: [{ membership: eve, roles: owners }], otherChanges: [demoted], removals: [ada] },
      [`eve@example.com in ${place}: roles GROUP_READ_ONLY become GROUP_OWNER.`, demotion, removal],
    ],
    [
      "warns if the next owners may only be invited",
      {
        otherChanges: [demoted],
        removals: [ada],
        additions: [
          { username: "zoe", roles: owners },
          { username: "joe", roles: readers },
        ],
      },
      [
        demotion,
        removal,
        `warning: ${lastOwner} zoe will be owner at once only if the service adds them without an invitation. If it invites them, the last direct owner is not removed until they accept.`,
      ],
    ],
    [
      "needs no owner who stays if an owner only gets more roles",
      { otherChanges: [{ membership: bob, roles: ["GROUP_OWNER"] }], removals: [ada] },
      [`bob@example.com in ${place}: roles GROUP_OWNER become GROUP_OWNER.`, removal],
    ],
  ])("a preview %s", (_, plan, expected) => {
    expect(announced(plan)).toEqual(expected);
  });

  test("a preview needs no owner in a project without one", () => {
    expect(announced({ removals: [eve] }, [eve, pending("zoe", "GROUP_OWNER")])).toHaveLength(1);
  });

  test.each<[string, Partial<MemberPlan>]>([
    ["no one becomes an owner", { additions: [{ username: "joe", roles: readers }] }],
    ["only an invited person becomes one", { raises: [{ membership: pending("zoe"), roles: owners }] }],
  ])("a preview is refused if all owners go and %s", (_, plan) => {
    expect(() => announced({ ...plan, removals: [ada, bob] })).toThrow(
      `${lastOwner} Give GROUP_OWNER to another member of the project. Nothing was written.`,
    );
  });

  test("a preview is refused with the reason for which the update would remove no one", () => {
    const { context, messages } = operation();
    const planned = { ...nothing, memberships: [ada], contradicted: undefined };
    expect(() => announce(planned, "Too many.", context)).toThrow(/^Too many\.$/);
    expect(messages).toEqual([]);
  });

  test("a preview of a list of which a part is not known yet has no ID and its predictable outputs", async () => {
    const inputs: Properties = { projectId, members: { "ada@example.com": UNKNOWN }, maxRemovals: 7 };
    const { id, state } = await projectMembers.create({
      inputs,
      preview: true,
      context: operation().context,
    });
    expect(id).toBe("");
    expect(state).toEqual({
      ...inputs,
      ...{ orgId: UNKNOWN, origin: "created", memberDetails: UNKNOWN, onDestroy: "release" },
      ...{ ignoreUsers: [], removeUnlisted: false },
    });
  });
});

test("people who are not listed are named with what to do, and with their rights to own the project", () => {
  const next =
    "To manage them, list them in members. To exclude them, add them to ignoreUsers. To remove them, set removeUnlisted to true.";
  expect(unlistedInProject(projectId, [])).toBeUndefined();
  expect(unlistedInProject(projectId, [active("ada")])).toBe(
    `1 person in ${place} is not listed and not changed: ada@example.com. ${next}`,
  );
  const others = [
    active("ada"),
    active("bob", "GROUP_OWNER", "GROUP_READ_ONLY"),
    active("eve", "GROUP_USER_ADMIN", "GROUP_OF_A_LATER_VERSION"),
  ];
  expect(unlistedInProject(projectId, others)).toBe(
    `3 people in ${place} are not listed and not changed: ada@example.com, bob@example.com (GROUP_OWNER), eve@example.com (GROUP_USER_ADMIN, GROUP_OF_A_LATER_VERSION). ${next}`,
  );
});

test("a service without a list of people is refused, and any other error is that error", () => {
  const notOffered = new Refusal(new ApiError("404", { status: 404 }));
  const unreadable = new Refusal(new ApiError("403", { status: 403 }));
  const requiring = (members: Refusal | []) => () =>
    requireMemberList(projectId, { members, invitations: [] }, false);
  expect(requiring([])).not.toThrow();
  expect(requiring(unreadable)).toThrow(/^403$/);
  expect(requiring(notOffered)).toThrow(
    `ProjectMembers of ${place} cannot be managed: this service does not offer listing its people (GET /groups/{id}/users), so the provider cannot determine its members. Use ProjectMember with userId or invitationId.`,
  );
});

describe("limits", () => {
  const [one, two] = [[active("ada")], [active("ada"), pending("bob")]];
  const members = { "eve@example.com": readers };
  const budget = (count: string, most: number, next: number) =>
    `this run would make ${count} (each person, team or API key counts once in each place), more than the setting maxRemovalsPerRun (${most}) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun ${next}. If the run has more removals, set it to their number.`;
  const tooMany = (who: string, most: number, names: string, count: number) =>
    `${who} would be removed from ${place}, more than maxRemovals (${most}), so no one is removed: ${names}. Set maxRemovals to ${count}`;
  const both = "ada@example.com, bob@example.com";

  test.each<[string, readonly Membership[], number, object, string | undefined, string | undefined]>([
    ["up to both limits are allowed", two, 2, { maxRemovals: 2 }, undefined, undefined],
    [
      "of one person beyond maxRemovals are refused",
      one,
      100,
      { maxRemovals: 0 },
      `${tooMany("1 person", 0, "ada@example.com", 1)} if that is intended, or add them to members or ignoreUsers.`,
      `${tooMany("1 person", 0, "ada@example.com", 1)}, or onDestroy to "release", run pulumi up, and destroy again.`,
    ],
    [
      "of people beyond maxRemovals are refused",
      two,
      100,
      { maxRemovals: 1 },
      `${tooMany("2 people", 1, both, 2)} if that is intended, or add them to members or ignoreUsers.`,
      `${tooMany("2 people", 1, both, 2)}, or onDestroy to "release", run pulumi up, and destroy again.`,
    ],
    [
      "of one person beyond maxRemovalsPerRun are refused",
      one,
      0,
      {},
      `No one was removed from ${place} (ada@example.com): ${budget("1 removal", 0, 1)}`,
      `No one was removed from ${place} (ada@example.com): ${budget("1 removal", 0, 1)}`,
    ],
    [
      "of people beyond maxRemovalsPerRun are refused",
      two,
      1,
      {},
      `No one was removed from ${place} (${both}): ${budget("2 removals", 1, 2)}`,
      `No one was removed from ${place} (${both}): ${budget("2 removals", 1, 2)}`,
    ],
  ])("removals %s", (_, leaving, perRun, inputs, ofUpdate, ofDestroy) => {
    const { context } = operation(perRun);
    expect(refusalOf(leaving, limitsOfUpdate({ projectId, members, ...inputs }, context))).toBe(ofUpdate);
    expect(refusalOf(leaving, limitsOfDestroy(inputs, operation(perRun).context))).toBe(ofDestroy);
  });

  test("removals of an update are refused for an empty list, those of a destroy are not", () => {
    const { context } = operation();
    expect(refusalOf(one, limitsOfUpdate({ projectId, members: {} }, context))).toBe(
      "members is empty, so no one is removed: a list that failed to load would remove everyone. List at least one person, or remove the resource from the program.",
    );
    expect(refusalOf(one, limitsOfDestroy({ members: {} }, context))).toBeUndefined();
  });
});

describe("comparisons", () => {
  const detail = { status: "active", roles: readers, declared: true, ignored: false } as const;
  const details: MemberDetail[] = [
    { ...detail, username: "ada@example.com", userId: "user-ada", invitationId: "invite-ada" },
    { ...detail, username: "bob.l@example.com", userId: "user-bob", declaredAs: "bob@example.com" },
    { ...detail, username: "eve@example.com", userId: "user-eve" },
    { ...detail, username: "zoe@example.com", userId: "user-zoe", declared: false },
    { ...detail, username: "svc@example.com", userId: "user-svc", declared: false, ignored: true },
  ];
  const recorded = {
    ...{ projectId, members: {}, memberDetails: details, origin: "created", onDestroy: "release" },
    ...{ ignoreUsers: [], maxRemovals: 5, removeUnlisted: false },
  };
  const members = { "ADA@example.com": readers, "bob@example.com": readers, "zoe@example.com": readers };

  /** A comparison in an up, in which Check has claimed everyone before; in a refresh, it has not. */
  function compare(inputs: object, { isRefresh = false, ignoreChanges = [] as string[] } = {}) {
    const { context } = operation();
    if (!isRefresh) claimAll(context);
    const request = {
      ...{ id: projectId, state: toProperties(recorded), oldInputs: {}, ignoreChanges, context },
      inputs: { projectId, members, ...inputs } as Properties,
    };
    diff(request);
    const claims = context.session.of(Claims);
    const isClaimed = (who: Identity) => claims.declarerOf(membersOf(projectId, who)) === urn;
    return { isClaimed, unlisted: unlisted(request) };
  }

  test("a comparison with the program claims the recorded identities of the declared people who are listed", () => {
    const { isClaimed } = compare({});
    const claimed: Identity[] = [
      { userId: "user-ada" },
      { invitationId: "invite-ada" },
      { username: "ada@example.com" },
      { userId: "user-bob" },
    ];
    const others: Identity[] = [
      { username: "bob.l@example.com" },
      { username: "bob@example.com" },
      { userId: "user-eve" },
      { userId: "user-zoe" },
    ];
    expect(claimed.map(isClaimed)).toEqual([true, true, true, true]);
    expect(others.map(isClaimed)).toEqual([false, false, false, false]);
  });

  test.each<[string, object, { isRefresh?: boolean }]>([
    ["before any Check claims no one", {}, { isRefresh: true }],
    ["with another project claims no one", { projectId: "5f00000000000000000000a2" }, {}],
    ["with a list that is not known yet claims no one", { members: UNKNOWN }, {}],
  ])("a comparison %s", (_, inputs, options) => {
    const { isClaimed } = compare(inputs, options);
    expect([{ userId: "user-ada" }, { userId: "user-bob" }].map(isClaimed)).toEqual([false, false]);
  });

  test("a comparison with the program names the people whom the program does not list, unless they were declared or are ignored", () => {
    const listed = { members: { "ada@example.com": readers } };
    const text = (people: string) => expect.stringContaining(`${people}. To manage them`);
    expect(compare(listed).unlisted).toEqual(
      text(
        "2 people in project 5f00000000000000000000a1 are not listed and not changed: zoe@example.com, svc@example.com",
      ),
    );
    expect(compare({ ...listed, ignoreUsers: ["SVC@*"] }).unlisted).toEqual(
      text("1 person in project 5f00000000000000000000a1 is not listed and not changed: zoe@example.com"),
    );
    expect(compare({ ignoreUsers: ["svc@*"] }).unlisted).toBeUndefined();
  });

  test.each<[string, object, { isRefresh?: boolean; ignoreChanges?: string[] }]>([
    ["a refresh", {}, { isRefresh: true }],
    ["another project", { projectId: "5f00000000000000000000a2" }, {}],
    ["a list that is not known yet", { members: UNKNOWN }, {}],
    ["patterns that are not known yet", { ignoreUsers: UNKNOWN }, {}],
    ["removeUnlisted that is not known yet", { removeUnlisted: UNKNOWN }, {}],
    ["removeUnlisted", { removeUnlisted: true }, {}],
    ["ignoreChanges for members", {}, { ignoreChanges: ["members"] }],
  ])("a comparison names no unlisted people with %s", (_, inputs, options) => {
    expect(compare(inputs, options).unlisted).toBeUndefined();
    expect(compare({}).unlisted).toBeDefined();
  });
});
