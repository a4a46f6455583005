import { foldName, type Membership } from "../../../../provider/access/person";
import { noOne } from "../../../../provider/resources/people/protect";
import {
  type MemberPlan,
  type PlanRequest,
  planMemberChanges,
} from "../../../../provider/resources/project-members/plan";
import { stateAfterWrite } from "../../../../provider/resources/project-members/state";
import { active, pending, projectId, randomly, renamed } from "../people/people";

const readers = ["GROUP_READ_ONLY"];
const owners = ["GROUP_OWNER"];

function planned(request: Partial<PlanRequest>): MemberPlan {
  return planMemberChanges({
    ...{ declared: {}, ended: [], memberships: [], recorded: [], ignoreUsers: [], removeUnlisted: false },
    declarerOf: noOne,
    ...request,
  });
}

/** A plan as texts, without empty lists: `{ addOrInvite: ["new@example.com: X"], raise: [...], change: [...], remove: [...] }`. */
function summaryOf({ additions, raises, otherChanges, removals }: MemberPlan) {
  const text = (name: string, roles: readonly string[]) => `${name}: ${roles.join(", ")}`;
  const parts = {
    addOrInvite: additions.map(({ username, roles }) => text(username, roles)),
    raise: raises.map(({ membership, roles }) => text(membership.username, roles)),
    change: otherChanges.map(({ membership, roles }) => text(membership.username, roles)),
    remove: removals.map((membership) => membership.username),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, entries]) => entries.length > 0));
}

test("a plan removes whose access has ended, also under a former name, and nobody else", () => {
  const declared = { "ada@example.com": owners };
  const ended = ["BOB@example.com", "gone@example.com"];
  const memberships = [active("ada", "GROUP_OWNER"), active("bob"), pending("eve")];
  const plan = planned({ declared, ended, memberships });
  expect(summaryOf(plan)).toEqual({ remove: ["bob@example.com"] });
  expect(plan.removals.every(plan.isEnded)).toBe(true);
  const [bob, eve] = [active("bob"), active("eve")];
  const { memberDetails: recorded } = stateAfterWrite({
    ...{ projectId, memberships: [bob], names: ["bob@example.com"], recorded: [], inputs: {} },
    origin: "created",
  });
  const robert = [renamed(bob, "robert@example.com"), renamed(eve, "bob@example.com")];
  const later = planned({ declared, ended, memberships: robert, recorded });
  expect(summaryOf(later)).toMatchObject({ remove: ["robert@example.com"] });
});

describe("for all declarations and members", () => {
  const names = ["ada", "bob", "cleo", "dan", "eve", "fay"];
  const roleNames = ["GROUP_OWNER", "GROUP_READ_ONLY", "GROUP_USER_ADMIN"];

  function randomSubsetOf<T>(entries: readonly T[], random: () => number): T[] {
    return entries.filter(() => random() < 0.5);
  }

  function rolesFor(random: () => number): string[] {
    const roles = randomSubsetOf(roleNames, random);
    return roles.length === 0 ? readers : roles;
  }

  /** A project with some people in it, and a program that declares some. */
  function situation(seed: number): PlanRequest {
    const random = randomly(seed);
    const memberships = randomSubsetOf(names, random).map((name) =>
      random() < 0.5 ? active(name, ...rolesFor(random)) : pending(name, ...rolesFor(random)),
    );
    const spelled = (name: string) => `${random() < 0.5 ? name.toUpperCase() : name}@example.com`;
    const declared = Object.fromEntries(
      randomSubsetOf(names, random).map((name) => [spelled(name), rolesFor(random)]),
    );
    const ignoreUsers = random() < 0.3 ? ["d*@example.com"] : [];
    const listed = Object.keys(declared).filter((name) => !/^d/i.test(name) || ignoreUsers.length === 0);
    return {
      ...{
        memberships,
        ended: [],
        ignoreUsers,
        recorded: [],
        removeUnlisted: random() < 0.7,
        declarerOf: noOne,
      },
      declared: Object.fromEntries(listed.map((name) => [name, declared[name] ?? []])),
    };
  }

  /** The result at the service: new users are invited, or added at once. */
  function carriedOut(plan: MemberPlan, memberships: readonly Membership[], invites: boolean): Membership[] {
    const changes = new Map(
      [...plan.raises, ...plan.otherChanges].map(({ membership, roles }) => [membership, roles]),
    );
    const remaining = memberships.filter((membership) => !plan.removals.includes(membership));
    const newcomers = plan.additions.map(({ username, roles }) => {
      const [name = ""] = username.split("@");
      return invites ? pending(name, ...roles) : active(name, ...roles);
    });
    return [...remaining.map((membership) => withRoles(membership, changes.get(membership))), ...newcomers];
  }

  function withRoles(membership: Membership, roles: readonly string[] = membership.roles): Membership {
    if (membership.status === "active") return { ...membership, roles };
    const [newest, ...others] = membership.invitations;
    return { ...membership, roles, invitations: [{ ...newest, roles }, ...others] };
  }

  const seeds = Array.from({ length: 500 }, (_, index) => index + 1);

  test("a plan that was carried out leaves nothing to plan", () => {
    let busy = 0;
    for (const seed of seeds) {
      const request = situation(seed);
      const plan = planMemberChanges(request);
      if (Object.keys(summaryOf(plan)).length > 0) busy += 1;
      for (const invites of [true, false]) {
        const memberships = carriedOut(plan, request.memberships, invites);
        expect([seed, summaryOf(planMemberChanges({ ...request, memberships }))]).toEqual([seed, {}]);
      }
    }
    expect(busy).toBeGreaterThan(seeds.length / 2);
  });

  test("the order in which people are declared or found changes nothing", () => {
    for (const seed of seeds.slice(0, 100)) {
      const request = situation(seed);
      const sorted = (plan: MemberPlan) =>
        Object.fromEntries(
          Object.entries(summaryOf(plan)).map(([part, entries]) => [part, [...entries].sort()]),
        );
      const expected = sorted(planMemberChanges(request));
      const declared = Object.fromEntries(Object.entries(request.declared).reverse());
      const memberships = [...request.memberships].reverse();
      expect([seed, sorted(planMemberChanges({ ...request, declared, memberships }))]).toEqual([
        seed,
        expected,
      ]);
    }
  });

  test("no declared or ignored member is removed, and no existing member is added again", () => {
    for (const seed of seeds) {
      const request = situation(seed);
      const plan = planMemberChanges(request);
      const kept = new Set(Object.keys(request.declared).map(foldName));
      const there = new Set(request.memberships.map((membership) => foldName(membership.username)));
      const removed = plan.removals.map(({ username }) => username);
      const isIgnored = (name: string) => request.ignoreUsers.length > 0 && /^d/i.test(name);
      const wronged = [
        ...removed.filter((name) => kept.has(foldName(name)) || isIgnored(name) || !request.removeUnlisted),
        ...plan.additions.map(({ username }) => username).filter((name) => there.has(foldName(name))),
        ...plan.raises.filter(({ membership, roles }) =>
          membership.roles.some((role) => !roles.includes(role)),
        ),
      ];
      expect([seed, wronged]).toEqual([seed, []]);
    }
  });
});
