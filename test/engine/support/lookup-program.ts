/** Helpers for tests of lookups: a program with one lookup, and its result. */
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type Program, type ProviderKind, type Run, succeeded } from "../../support";
import type { Stack } from "../../support/model-stack";
import { writes } from "./project-program";
import { connection } from "./stack-setup";

type Arguments = Readonly<Record<string, unknown>>;
/** Ids are made by the sandbox, so the arguments are written once it runs. */
export type ArgumentsFor = (sandbox: Sandbox) => Arguments;

/** A program with the one lookup `found`, which is an output as well. */
export function lookupProgram(name: string, args: Arguments): Program {
  return { lookups: { found: { function: name, arguments: args } }, outputs: { found: "${found}" } };
}

/** What lookups need of a stack. */
interface LookupStack extends Pick<Stack, "setProgram" | "setConfig" | "outputs"> {
  up(): Promise<Pick<Run, "exitCode" | "output" | "diagnostics">>;
}

type SetUp<AnyStack extends LookupStack> = (options: {
  readonly provider: ProviderKind;
  readonly sandbox: SandboxOptions;
  readonly program: (sandbox: Sandbox) => Program;
}) => Promise<{ readonly sandbox: Sandbox; readonly stack: AnyStack }>;

/** The lookups of a test with one provider. */
export function lookupsOf<AnyStack extends LookupStack>(setUp: SetUp<AnyStack>, provider: ProviderKind) {
  /** A lookup that may fail. */
  async function lookUp(name: string, args: ArgumentsFor, sandbox: SandboxOptions = {}) {
    const program = (service: Sandbox) => lookupProgram(name, args(service));
    const setup = await setUp({ provider, sandbox, program });
    return { ...setup, run: await setup.stack.up() };
  }

  /** A stack without a lookup. */
  function setUpEmptyStack(sandbox: SandboxOptions) {
    return setUp({ provider, sandbox, program: () => ({}) });
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
