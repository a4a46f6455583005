/** Helpers for tests of lookups: a program with one lookup, and its result. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type Program, type ProviderKind, succeeded } from "../../support";
import { writes } from "./project-program";
import { connection, setUpStack } from "./stack-setup";

type Arguments = Readonly<Record<string, unknown>>;
/** Ids are made by the sandbox, so the arguments are written once it runs. */
export type ArgumentsFor = (sandbox: Sandbox) => Arguments;

/** A program with the one lookup `found`, which is an output as well. */
export function lookupProgram(name: string, args: Arguments): Program {
  return { lookups: { found: { function: name, arguments: args } }, outputs: { found: "${found}" } };
}

/** The lookups of a test with one provider. */
export function lookupsThrough(provider: ProviderKind) {
  /** A lookup that may fail. */
  async function lookUp(name: string, args: ArgumentsFor, sandbox: SandboxOptions = {}) {
    const program = (service: Sandbox) => lookupProgram(name, args(service));
    const setup = await setUpStack({ provider, sandbox, program });
    return { ...setup, run: await setup.stack.up() };
  }

  /** A stack without a lookup. */
  function setUpEmptyStack(sandbox: SandboxOptions) {
    return setUpStack({ provider, sandbox, program: () => ({}) });
  }

  /** A lookup that has to succeed, after changes outside Pulumi; it writes nothing. */
  async function responseOf(
    name: string,
    args: ArgumentsFor,
    sandboxOptions: SandboxOptions,
    change: (sandbox: Sandbox) => void = () => {},
  ) {
    const { stack, sandbox } = await setUpEmptyStack(sandboxOptions);
    change(sandbox);
    await stack.setProgram(lookupProgram(name, args(sandbox)));
    await succeeded(stack.up());
    expect(writes(sandbox)).toEqual([]);
    const { found } = await stack.outputs();
    return { sandbox, stack, found: found as Arguments };
  }

  /** A lookup with a key that has these roles alone. */
  async function lookUpAs(
    name: string,
    args: ArgumentsFor,
    sandboxOptions: SandboxOptions,
    roles: (sandbox: Sandbox) => { roleName: string; groupId?: string; orgId?: string }[],
  ) {
    const { stack, sandbox } = await setUpEmptyStack(sandboxOptions);
    const { publicKey, privateKey } = sandbox.addKey({ roles: roles(sandbox) });
    await stack.setConfig(connection({ baseUrl: sandbox.baseUrl, publicKey, privateKey }));
    await stack.setProgram(lookupProgram(name, args(sandbox)));
    return { sandbox, stack, publicKey, privateKey, run: await stack.up() };
  }

  return { lookUp, setUpEmptyStack, responseOf, lookUpAs };
}
