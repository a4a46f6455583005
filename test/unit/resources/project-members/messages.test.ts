/** What ProjectMembers announces and claims, from the plan or the state alone. */

import type { Identity, Membership } from "../../../../provider/access/person";
import { toProperties } from "../../../../provider/resources/contract/border";
import type { MemberDetail } from "../../../../provider/resources/contract/people-outputs";
import type { ProjectContext } from "../../../../provider/resources/contract/resource";
import { type Properties, UNKNOWN } from "../../../../provider/resources/contract/values";
import { claimAll, membersOf } from "../../../../provider/resources/people/member-claims";
import { projectMembers } from "../../../../provider/resources/project-members";
import { diff, unlisted } from "../../../../provider/resources/project-members/diff";
import { announce, unlistedInProject } from "../../../../provider/resources/project-members/messages";
import type { MemberPlan } from "../../../../provider/resources/project-members/plan";
import { Claims } from "../../../../provider/resources/session/claims";
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
    ...{ named: new Map(), isEnded: () => false },
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
    [
      "lets all owners go if a member becomes one",
      { raises: [{ membership: eve, roles: owners }], otherChanges: [demoted], removals: [ada] },
      [`eve@example.com in ${place}: roles GROUP_READ_ONLY become GROUP_OWNER.`, demotion, removal],
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
