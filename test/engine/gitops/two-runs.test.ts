/**
 * Two runs at once on a stack whose state is in files: the error of the second one, and the removal
 * of a lock that was left.
 */
import { succeeded } from "../../support";
import { holdResponsesOf } from "../support/held-responses";
import { setUpProjectFolder } from "../support/project-folder";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

it("the second one that writes is refused with the name of the first, reads continue, and cancel ends the lock of a run that died", async () => {
  const { sandbox, stack } = await setUpProjectFolder({
    provider: "plugin",
    files: ({ orgId }) => ({
      "payments.json": { orgId, name: "payments" },
      "billing.json": { orgId, name: "billing" },
    }),
  });
  const service = await holdResponsesOf(sandbox.baseUrl);
  await stack.setConfig({ "opsmanager:baseUrl": service.baseUrl });
  await succeeded(stack.up());

  const isHeld = service.hold("GET");
  const first = stack.start(["up", "--yes", "--skip-preview"]);
  await isHeld;
  service.stopHolding();

  const locked = new RegExp(
    [
      "the stack is currently locked by 1 lock\\(s\\)\\..* delete the lock file with `pulumi cancel`",
      `\\s+file://\\S+/locks/organization/\\w+/${stack.name}/\\S+\\.json\\S*: created by \\S+ \\(pid ${first.pid}\\) at `,
    ].join("[^\\n]*\\n"),
  );
  for (const second of [await stack.up(), await stack.refresh()]) {
    expect(second.exitCode).not.toBe(0);
    expect(second.output).toMatch(locked);
  }
  // A command that only reads takes no lock: the preview of a pull request, and the search for drift.
  expect((await succeeded(stack.preview())).output).not.toContain("locked");
  expect((await succeeded(stack.refresh({ previewOnly: true }))).output).not.toContain("locked");

  const endItsChildren = await first.killAlone();
  await first.finished;
  endItsChildren();
  expect((await stack.up()).output).toMatch(locked);
  await succeeded(stack.run("cancel", "--yes"));
  expect((await succeeded(stack.up())).changes).toEqual({ same: 3 });
  await service.close();
});
