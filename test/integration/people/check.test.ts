/** What a ProjectMember cannot mean is an error before the first write, and a failure records nothing. */

import { invitationOf, membershipsIn } from "../../engine/support/people-program";
import { errorsOf, writes } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { grace } from "../../support/people";
import { ada, eve, owners, peopleWith, person, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

const joan = "joan@example.com";
const unknownId = "0123456789abcdef01234567";

/** Ada is a member, Joan is invited, and Eve and Grace have accounts. */
async function begin() {
  const people = { members: { [ada]: readers }, invited: { [joan]: readers }, accounts: [grace, eve] };
  const setup = await setUpPayments(people);
  const ids = {
    ada: setup.userId(ada),
    grace: setup.userId(grace),
    ofInvitation: invitationOf(setup.sandbox, joan).id,
  };
  return { ...setup, ids };
}

type Ids = Awaited<ReturnType<typeof begin>>["ids"];

interface Row {
  readonly title: string;
  readonly identity: (ids: Ids) => object;
  readonly message: RegExp;
}

const rows: readonly Row[] = [
  {
    title: "the username and the userId of two members",
    identity: ({ grace }) => ({ username: ada, userId: grace }),
    message:
      /username "ada@example.com" and userId [0-9a-f]{24} do not name the same person.*found (ada|grace)@example.com \(user [0-9a-f]{24}\)\. Remove one of them, or correct it\. Nothing was written/,
  },
  {
    title: "the userId of a member and another person's invitation",
    identity: (ids) => ({ userId: ids.ada, invitationId: ids.ofInvitation }),
    message: /invitationId [0-9a-f]{24} do not name the same person/,
  },
  {
    title: "a userId that does not exist",
    identity: () => ({ userId: unknownId }),
    message:
      /Looking up account 0123456789abcdef01234567 failed: 404 USER_NOT_FOUND.*Check username or userId/,
  },
  {
    title: "a userId without roles of a person outside the project",
    identity: ({ grace }) => ({ userId: grace, roles: undefined }),
    message:
      /grace@example\.com is not in project [0-9a-f]{24}, and a member without roles cannot be added. Set roles/,
  },
  {
    title: "an invitation that is not pending",
    identity: () => ({ invitationId: unknownId, roles: undefined }),
    message:
      /Invitation 0123456789abcdef01234567 to project [0-9a-f]{24} is not pending.*Set username or userId instead/,
  },
];

it.each(rows)(
  "a ProjectMember is rejected with the solution if it has $title",
  async ({ identity, message }) => {
    const { sandbox, stack, ids, upWith, previewWith } = await begin();
    const before = peopleWith({ [ada]: readers }, { [joan]: readers });
    const program = { ada: person(identity(ids)) };
    expect(await errorsOf(previewWith(program))).toMatch(message);
    expect(await errorsOf(upWith(program))).toMatch(message);
    expect(writes(sandbox)).toEqual([]);
    expect(membershipsIn(sandbox)).toEqual(before);
    expect(await stack.resource("ada")).toBeUndefined();
  },
);

it("an invited person stays recorded if an update adds the userId of another person", async () => {
  const { sandbox, stack, ids, upWith } = await begin();
  const program = { ada: person({ username: joan }) };
  await succeeded(upWith(program));
  const before = await stack.resource("ada");
  const other = { ada: person({ username: joan, userId: ids.grace, roles: owners }) };
  expect(await errorsOf(upWith(other))).toMatch(/do not name the same person.*Nothing was written/);
  expect(writes(sandbox)).toEqual([]);
  expect(await stack.resource("ada")).toMatchObject({ id: before?.id, outputs: { roles: readers } });
  expect((await succeeded(upWith(program))).changes).toEqual({ same: 1 });
});

it("a username beside a userId is an error if the account of the name cannot be determined", async () => {
  const { sandbox, stack, ids, upWith } = await begin();
  const fault = { status: 401, body: { error: 401, errorCode: "NOT_USER_ADMIN" } };
  sandbox.addFault({ method: "GET", pathPattern: "/users/[0-9a-f]{24}", times: 0, fault });
  const message = `username "${eve}" and userId ${ids.grace} cannot be verified to be the same person`;
  const program = { ada: person({ username: eve, userId: ids.grace }) };
  expect(await errorsOf(upWith(program))).toContain(message);
  expect(await errorsOf(stack.up())).toContain(message);
  expect(writes(sandbox)).toEqual([]);
});
