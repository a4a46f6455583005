import { type Sandbox, startSandbox } from "../../../sandbox";
import { keepDefault, type Program, succeeded } from "../../support";
import { errorsOf, messagesOf, projectNamed, projectProgram, writes } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

const others: Sandbox[] = [];

afterEach(async () => {
  await tearDownStacks();
  await Promise.all(others.splice(0).map((sandbox) => sandbox.close()));
});

const payments = ({ orgId }: { orgId: string }) =>
  projectProgram({ orgId, name: "payments", tags: ["PROD"] });

/** Another service that takes the same key pair and knows nothing of the first one's organizations. */
async function wrongService({ publicKey, privateKey }: Sandbox): Promise<Sandbox> {
  const roles = [{ roleName: "GLOBAL_OWNER" }];
  const sandbox = await startSandbox({ seed: { keys: [{ publicKey, privateKey, roles }] } });
  others.push(sandbox);
  return sandbox;
}

it("rotated keys of an explicit provider are refused with the command that takes the new ones, and it works", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up reads the project");
  const program = ({ baseUrl, publicKey, orgId }: Sandbox, privateKey: string): Program => ({
    resources: {
      service: {
        type: "Provider",
        properties: { baseUrl, publicKey, privateKey: { "fn::secret": privateKey } },
      },
      payments: {
        type: "Project",
        properties: { orgId, name: "payments", tags: ["PROD"] },
        options: { provider: "${service}" },
      },
    },
  });
  const { sandbox, stack } = await setUpStack({
    program: (service) => program(service, service.privateKey),
  });
  await stack.setConfig({ "opsmanager:privateKey": undefined, "opsmanager:publicKey": undefined });
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  sandbox.changeKey(sandbox.publicKey, { privateKey: "rotated-private-key" });
  sandbox.changeProject(id, { tags: ["URGENT"] });
  await stack.setProgram(program(sandbox, "rotated-private-key"));

  expect(await errorsOf(stack.up())).toContain("pulumi up --refresh --run-program");
  expect(await stack.resource("payments")).toMatchObject({ id });

  await succeeded(stack.up({ refresh: true, runProgram: true }));
  expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  await succeeded(stack.up({ expectNoChanges: true }));
});

describe("a wrong baseUrl in the stack's config", () => {
  // The engine continues refreshing with the wrong address, which is in the state now, so a plain up cannot put it right.
  it("changes nothing in either service, and is put right by the command that the error names", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview reads the project");
    const { sandbox, stack } = await setUpStack({ program: payments });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");
    sandbox.clearRequests();
    const wrong = await wrongService(sandbox);
    await stack.setConfig({ "opsmanager:baseUrl": wrong.baseUrl });
    expect(messagesOf(await stack.up(), "warning")).toContain("baseUrl changes from");
    const errors = await errorsOf(stack.preview());
    expect(errors).toContain(`Check baseUrl (${wrong.baseUrl})`);
    expect([...writes(wrong), ...writes(sandbox)]).toEqual([]);
    expect(await stack.resource("payments")).toMatchObject({ id });

    await stack.setConfig({ "opsmanager:baseUrl": sandbox.baseUrl });
    await succeeded(stack.up({ refresh: true, runProgram: true }));
    await succeeded(stack.refresh({ expectNoChanges: true }));
    expect(await stack.resource("payments")).toMatchObject({ id });
    expect(errors).toContain("pulumi up --refresh --run-program");
  });
});
