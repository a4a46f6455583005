import { keepDefault, succeeded } from "../../support";
import { jsonSteps } from "../support/mechanics";
import { paymentsOn } from "../support/payments";
import { changedPaths, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const { createPayments } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

// The dynamic provider reports a difference without its properties.
const ignoringProviders = [
  { provider: "plugin", shown: { name: "update" } },
  { provider: "dynamic", shown: {} },
] as const;

describe.each(ignoringProviders)("ignoreChanges ($provider)", ({ provider, shown }) => {
  // Trap 2 with 1b of the engine's rules: a refresh calls Diff with the raw values and the list of ignoreChanges.
  it("hides drift of a property and of a path inside one from up and refresh, and corrects the others", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const options = { ignoreChanges: ["tags", "ldapGroupMappings[0].ldapGroups"] };
    const audit = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=audit"] };
    const { sandbox, stack, id } = await createPayments(
      {
        tags: ["PROD"],
        ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform"] }, audit],
      },
      { provider, sandbox: { ldap: true }, options },
    );
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
    const byHand = { roleName: "GROUP_OWNER", ldapGroups: ["cn=by-hand"] };
    sandbox.changeProject(id, { tags: ["BY-HAND"], ldapGroupMappings: [byHand, audit] });
    sandbox.clearRequests();
    expect((await succeeded(stack.up({ expectNoChanges: true }))).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
    await succeeded(stack.refresh({ previewOnly: true, expectNoChanges: true }));

    sandbox.changeProject(id, { name: "by-hand" });
    const refresh = await stack.refresh({ previewOnly: true, expectNoChanges: true, json: true });
    expect(refresh.exitCode).toBe(7);
    const named = Object.keys(jsonSteps(refresh, "payments")[0]?.detailedDiff ?? {});
    // The engine's own comparison of the dynamic provider's inputs also names hidden ones.
    expect(named.filter((property) => !property.startsWith("__"))).toEqual(["name"]);
    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview)).toEqual(shown);
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { name: "payments" } }]);
    expect(sandbox.project(id)).toMatchObject({ name: "payments", tags: ["BY-HAND"] });

    const unlisted = { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=unlisted"] };
    sandbox.changeProject(id, { ldapGroupMappings: [byHand, unlisted] });
    await succeeded(stack.up());
    expect(sandbox.project(id)).toMatchObject({ tags: ["BY-HAND"], ldapGroupMappings: [byHand, audit] });
  });
});
