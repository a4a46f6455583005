/** The handlers of Project against the embedded service, without an engine. */
import { createClient } from "../../../provider/api/client";
import { resolveSettings } from "../../../provider/config";
import { project } from "../../../provider/resources/project";
import type { Context, CreateResult } from "../../../provider/resources/resource";
import { Session } from "../../../provider/resources/session";
import type { Properties } from "../../../provider/resources/values";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

export interface Run {
  readonly sandbox: Sandbox;
  readonly context: Context;
  readonly infos: string[];
  readonly warnings: string[];
  create(inputs: Properties): Promise<CreateResult>;
  /** What a preview of `create` returns. */
  preview(inputs: Properties): Promise<CreateResult>;
  update(
    created: CreateResult,
    oldInputs: Properties,
    inputs: Properties,
    options?: { readonly preview?: boolean; readonly ignoreChanges?: readonly string[] },
  ): Promise<Properties>;
  /** Destroys what `create` returned, in an operation of its own. */
  destroy(created: CreateResult, inputs: Properties): Promise<void>;
}

/** Starts services for one test, and ends them after it. */
export function runs(): (
  options?: SandboxOptions,
  settings?: Readonly<Record<string, unknown>>,
) => Promise<Run> {
  const endings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  return async (options, settings) => {
    const sandbox = await startSandbox(options);
    endings.push(() => sandbox.close());
    const { baseUrl, publicKey, privateKey } = sandbox;
    const resolved = resolveSettings({
      args: { baseUrl, publicKey, privateKey, maxRetries: 0, ...settings },
      env: {},
      isDefaultProvider: false,
      directory: __dirname,
    });
    const client = createClient(resolved, () => undefined);
    endings.push(() => client.close());
    const infos: string[] = [];
    const warnings: string[] = [];
    const context: Context = {
      session: new Session(client, resolved),
      urn: "urn:pulumi:dev::proj::opsmanager:index:Project::payments",
      log: { info: (message) => infos.push(message), warn: (message) => warnings.push(message) },
      signal: new AbortController().signal,
    };
    return {
      sandbox,
      context,
      infos,
      warnings,
      preview: (inputs) => project.create({ inputs, preview: true, context }),
      update: ({ id, state }, oldInputs, inputs, { preview = false, ignoreChanges = [] } = {}) =>
        project.update({ id, state, oldInputs, inputs, preview, ignoreChanges, context }),
      create: (inputs) => project.create({ inputs, preview: false, context }),
      async destroy({ id, state }, inputs) {
        context.session.forget();
        await project.delete({ id, state, oldInputs: inputs, context });
      },
    };
  };
}
