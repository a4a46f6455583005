/** Keys behind a gateway that masks them in its own way: only the documented form shows the end of a key. */

import { upAgain } from "../../engine/support/people-program";
import { bothProviders, errorsOf, messagesOf } from "../../engine/support/project-program";
import { succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  admin,
  apiKey,
  keyWith,
  newKeys,
  orgId,
  ownKeyId,
  projectApiKey,
  projectId,
  setUpKeys,
  theirs,
  theNewKey,
} from "./keys";

afterEach(tearDownStacks);

/** What a gateway makes of a masked key: `********-****-****-0123456789ab`, or 28 times `*` and `ab12`. */
const masks: Readonly<Record<string, (masked: string) => string>> = {
  "another character and no end": (masked) => masked.replace(/[^-]/g, "x"),
  "another character and the end": (masked) => masked.replaceAll("*", "x"),
  "dots and no end": (masked) => masked.replace(/[^-]/g, "•"),
  "the documented character and no end": (masked) => masked.replace(/[^-]/g, "*"),
  "the documented character and a truncated end": (masked) => masked.slice(0, -2),
  "no mask but another text": (masked) => masked.replace(/[^-]/g, (_, index: number) => String(index % 7)),
  "an empty text": () => "",
};

const anotherEnd = {
  "the documented character and another end": (masked: string) => masked.replace(/[^-*]/g, "0"),
};

const masking = (mask: (masked: string) => string) => (body: string) =>
  body.replace(/("(?:privateKey|key)":\s*")(\*[^"]*)"/g, (_, name, masked) => `${name}${mask(masked)}"`);

const unchanged = { changes: { same: 2 }, writes: [] };

const declared = {
  ci: apiKey(),
  agents: { type: "AgentApiKey" as const, properties: { projectId, description: "agents" } },
};

type Setup = Awaited<ReturnType<typeof setUpKeys>>;

async function expectNoOtherKey({ sandbox, stack }: Setup, mask: (masked: string) => string) {
  const made = sandbox.state;
  await stack.rewriteResponses(masking(mask));
  expect(messagesOf(await succeeded(stack.refresh()), "warning")).toBe("");
  expect(await upAgain({ sandbox, stack })).toEqual(unchanged);
  expect(sandbox.state).toMatchObject({ keys: made.keys, projects: made.projects });
}

it.each(Object.entries({ ...masks, ...anotherEnd }))(
  "a gateway that masks keys with %s from the beginning makes no key another one",
  async (_, mask) => {
    const setup = await setUpKeys(declared);
    await setup.stack.rewriteResponses(masking(mask));
    await succeeded(setup.stack.up());
    await expectNoOtherKey(setup, mask);
    // A run without the gateway shows the right ends, and the next one does not.
    await setup.stack.rewriteResponses(String);
    await succeeded(setup.stack.refresh());
    await expectNoOtherKey(setup, mask);
  },
);

it.each(bothProviders)("a gateway that masks keys later makes no key another one (%s)", async (provider) => {
  const setup = await setUpKeys(declared, { provider });
  await succeeded(setup.stack.up());
  for (const mask of Object.values(masks)) await expectNoOtherKey(setup, mask);
});

it("a creation whose response masks the key is no success", async () => {
  const { stack } = await setUpKeys(declared);
  const shown = /("privateKey":\s*"|"key":\s*")([0-9a-f]{8}-[^"]*|[0-9a-f]{32,})"/;
  await stack.rewriteResponses((body) => body.replace(shown, `$1${"x".repeat(28)}ab12"`));
  const errors = await errorsOf(stack.up());
  for (const key of ["key", "private key"])
    expect(errors).toContain(`was created, but the response did not contain the ${key}`);
  expect(JSON.stringify(await stack.state())).not.toContain("xxxx");
});

describe("a gateway that masks public keys", () => {
  const mask = (body: string) => body.replace(/("publicKey":\s*")(\w{4})\w{4}"/g, '$1$2****"');

  it("changes neither what is recorded of a key nor which key a program means", async () => {
    const resources = { ci: apiKey(), theirs: projectApiKey({ publicKey: theirs.publicKey }) };
    const { sandbox, stack, declare } = await setUpKeys(resources);
    await succeeded(stack.up());
    const recorded = async () => (await stack.state()).resources.map(({ outputs }) => outputs?.publicKey);
    const before = await recorded();
    await stack.rewriteResponses(mask);
    await succeeded(stack.refresh());
    expect(await upAgain({ sandbox, stack })).toEqual(unchanged);
    const roles = ["ORG_READ_ONLY"];
    await declare({ ...resources, ci: apiKey({ roles }) });
    await succeeded(stack.up());
    expect(await recorded()).toEqual(before);
    expect(newKeys(sandbox)).toMatchObject([{ roles: [{ roleName: "ORG_READ_ONLY" }] }]);
  });

  it.each([
    { where: "everywhere", masks: mask, isMasked: true },
    {
      where: "in the response to the creation",
      masks: (body: string) => (/"privateKey":\s*"\w{8}-/.test(body) ? mask(body) : body),
      isMasked: false,
    },
  ])("$where: a new key has the one that a read shows, or a warning", async ({ masks, isMasked }) => {
    const { sandbox, stack } = await setUpKeys({ ci: apiKey() });
    await stack.rewriteResponses(masks);
    const up = await succeeded(stack.up());
    const { id, publicKey } = theNewKey(sandbox);
    const shown = isMasked ? `${publicKey.slice(0, 4)}****` : publicKey;
    const recorded = async () => (await stack.resource("ci"))?.outputs?.publicKey;
    expect(await recorded()).toBe(shown);
    expect(messagesOf(up, "warning")).toBe(
      isMasked
        ? `The output publicKey of API key ${id} of organization ${orgId} is "${shown}": something between the provider and the service masks it, so programs cannot authenticate with it. Run pulumi refresh without that gateway.`
        : "",
    );
    await stack.rewriteResponses(String);
    await succeeded(stack.refresh());
    expect(await recorded()).toBe(publicKey);
  });

  it("keeps the provider from deleting a key that may be its own", async () => {
    const { sandbox, stack } = await setUpKeys({});
    await stack.rewriteResponses(mask);
    await succeeded(stack.import("opsmanager:index:ApiKey", "own", `${orgId}/${ownKeyId}`));
    expect(await errorsOf(stack.destroy())).toContain(
      "was not deleted: responses mask its public key, so it may be the one with which the provider authenticates",
    );
    expect(keyWith(sandbox, admin.publicKey)).toBeDefined();
  });
});
