/**
 * Deletions that Ops Manager refuses. Versions differ in status and code for an object that no longer
 * exists, and some refuse a deletion that they have done. So the result depends on whether the
 * membership still exists.
 */
import type { Sandbox } from "../../../sandbox";
import { invitationOf, membershipsIn } from "../../engine/support/people-program";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { type ProviderKind, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { ada, bob, eve, peopleWith, person, projectId, readers, setUpPayments } from "./payments";

afterEach(tearDownStacks);

/** Ada, who is a member, and Bob and Eve, who are invited. */
const declared = {
  ada: person({ username: ada }),
  bob: person({ username: bob }),
  eve: person({ username: eve }),
};
const everyone = peopleWith({ [ada]: readers }, { [bob]: readers, [eve]: readers });

/** A stack of three people, and the paths of their removals. */
async function threePeople(config = {}, provider: ProviderKind = "plugin") {
  const setup = await setUpPayments({ provider, members: { [ada]: readers }, config });
  const { sandbox } = setup;
  await succeeded(setup.upWith(declared));
  const removals = {
    ada: `/users/${setup.userId(ada)}$`,
    bob: `/invites/${invitationOf(sandbox, bob).id}$`,
    eve: `/invites/${invitationOf(sandbox, eve).id}$`,
  };
  return { ...setup, removals };
}

type Refusal = readonly [status: number, errorCode: string | undefined];

function refuse(sandbox: Sandbox, pathPattern: string, response: Refusal, afterWrite: boolean): void {
  const [status, errorCode] = response;
  const body = { error: status, reason: "Refused", detail: "The test refuses it.", errorCode };
  sandbox.addFault({ method: "DELETE", pathPattern, fault: { status, body, afterWrite } });
}

const refusals: readonly Refusal[] = [
  [400, undefined],
  [404, "USER_NOT_IN_GROUP"],
  [409, "IN_USE"],
];
// Either provider uses the same resources, so one refusal proves that it reaches them in the
// dynamic provider.
const rows = bothProviders.flatMap((provider) =>
  refusals
    .filter(([, errorCode]) => provider === "plugin" || errorCode === "USER_NOT_IN_GROUP")
    .map(([status, errorCode]) => ({ status, errorCode, provider, code: errorCode ?? "without a code" })),
);

describe("a deletion that is refused", () => {
  it.each(rows)(
    "with $status $code keeps members who are still there in the state, and is no failure for members who are not ($provider)",
    async ({ status, errorCode, provider }) => {
      const { sandbox, stack, removals, upWith } = await threePeople({}, provider);
      const response: Refusal = [status, errorCode];
      const cause = [status, errorCode, "The test refuses it"].filter(Boolean).join(" ");
      for (const [name, action] of [
        ["ada", `Removing ${ada} from`],
        ["bob", `Taking back the invitation of ${bob} to`],
      ] as const) {
        refuse(sandbox, removals[name], response, false);
        const { [name]: _, ...others } = declared;
        expect(await errorsOf(upWith(others))).toContain(`${action} project ${projectId} failed: ${cause}`);
        expect(membershipsIn(sandbox)).toEqual(everyone);
        expect(await stack.resource(name)).toMatchObject({ outputs: { roles: readers } });
      }

      // Done and refused all the same; and refused because it was accepted between the read and the deletion.
      refuse(sandbox, removals.ada, response, true);
      refuse(sandbox, removals.bob, response, true);
      refuse(sandbox, removals.eve, response, false);
      await stack.before("DELETE", new RegExp(removals.eve), () =>
        sandbox.acceptInvitation(invitationOf(sandbox, eve).id),
      );
      sandbox.clearRequests();
      expect((await succeeded(stack.destroy())).changes).toEqual({ delete: 3 });
      expect(membershipsIn(sandbox)).toEqual(peopleWith({}));
      const { id } = sandbox.user({ username: eve }) ?? {};
      expect(writes(sandbox).map(({ path }) => path)).toContain(`/groups/${projectId}/users/${id}`);
      expect((await stack.state()).resources).toEqual([]);
    },
  );

  it("is reported with its reason if the read after it fails too, and the state is left unchanged", async () => {
    const { sandbox, stack, upWith, outputsOf } = await threePeople({ "opsmanager:maxRetries": 0 });
    refuse(sandbox, "/users/", [409, "IN_USE"], false);
    await stack.before("DELETE", /users/, () =>
      sandbox.addFault({ method: "GET", pathPattern: "/users", times: 0, fault: { status: 500 } }),
    );
    sandbox.clearRequests();
    const { ada: _, ...others } = declared;
    expect(await errorsOf(upWith(others))).toContain("409 IN_USE The test refuses it");
    expect(sandbox.requests.map(({ method, status }) => `${method} ${status}`)).toContain("GET 500");
    expect(membershipsIn(sandbox)).toEqual(everyone);
    expect(await outputsOf("ada")).toMatchObject({ status: "active", roles: readers });
  });
});
