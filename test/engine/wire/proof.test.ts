/** A service whose responses do not prove that it knows the key: a warning, and no write fails of it. */
import { succeeded } from "../../support";
import { bothProviders, messagesOf, projectsProgram, timesPrinted } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it.each(bothProviders)(
  "a wrong rspauth is one warning, and every write continues (%s provider)",
  async (provider) => {
    const names = ["payments", "orders", "ledger"];
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { authenticationInfo: "wrong-rspauth" },
      program: ({ orgId }) =>
        projectsProgram(
          Object.fromEntries(names.map((name) => [name, { properties: { orgId, name, tags: ["PROD"] } }])),
        ),
    });
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ create: 3 });
    const made = sandbox.state.projects.map(({ name, tags }) => ({ name, tags }));
    expect(made).toEqual(expect.arrayContaining(names.map((name) => ({ name, tags: ["PROD"] }))));
    expect(timesPrinted(up, "A response's rspauth is wrong")).toBe(1);
    expect(messagesOf(up, "warning")).toContain(`${sandbox.baseUrl}: A response's rspauth is wrong`);
  },
);
