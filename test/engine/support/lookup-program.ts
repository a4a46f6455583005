/** Small words for tests of lookups: a program that has nothing else, and what came of it. Plugin door only. */
import type { Sandbox, SandboxOptions } from "../../sandbox";
import { type Program, succeeded } from "../../support";
import { connection, createEstate } from "./estate";
import { writes } from "./project-program";

type Arguments = Readonly<Record<string, unknown>>;
/** Ids are made by the sandbox, so the arguments are written once it runs. */
export type ArgumentsFor = (sandbox: Sandbox) => Arguments;

/** A program with the one lookup `found`, which is an output as well. */
export function lookupProgram(name: string, args: Arguments): Program {
  return { lookups: { found: { function: name, arguments: args } }, outputs: { found: "${found}" } };
}

/** A lookup that may fail. */
export async function lookUp(name: string, args: ArgumentsFor, sandbox: SandboxOptions = {}) {
  const estate = await createEstate({ sandbox, program: (service) => lookupProgram(name, args(service)) });
  return { ...estate, run: await estate.stack.up() };
}

/** A lookup that has to succeed, after some changes by hand; it writes nothing. */
export async function answerOf(
  name: string,
  args: ArgumentsFor,
  sandboxOptions: SandboxOptions,
  byHand: (sandbox: Sandbox) => void = () => {},
) {
  const { stack, sandbox } = await createEstate({ sandbox: sandboxOptions, program: () => ({}) });
  byHand(sandbox);
  await stack.setProgram(lookupProgram(name, args(sandbox)));
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  const { found } = await stack.outputs();
  return { sandbox, stack, found: found as Arguments };
}

/** A lookup with a key that has these roles alone. */
export async function lookUpAs(
  name: string,
  args: ArgumentsFor,
  sandboxOptions: SandboxOptions,
  roles: (sandbox: Sandbox) => { roleName: string; groupId?: string; orgId?: string }[],
) {
  const { stack, sandbox } = await createEstate({ sandbox: sandboxOptions, program: () => ({}) });
  const { publicKey, privateKey } = sandbox.addKey({ roles: roles(sandbox) });
  await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
  await stack.setProgram(lookupProgram(name, args(sandbox)));
  return { sandbox, stack, publicKey, privateKey, run: await stack.up() };
}
