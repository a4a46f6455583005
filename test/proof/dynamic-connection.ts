/** The dynamic provider in this process: the functions that Pulumi's host for dynamic providers calls, in the host's order. */
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../provider/dynamic/adapter";
import { connectWith, forget, readSettings } from "../../provider/dynamic/connection";
import { providerText } from "../../provider/dynamic/provider-text";
import { runLookup } from "../../provider/dynamic/run-lookup";
import {
  type Json,
  type ProviderConnection,
  ProviderFailure,
  type ResourceType,
  SECRET,
  SIGNATURE,
  secretValue,
  unwrapped,
  type Values,
} from "./engine-model";
import type { ProviderSettings, TextSink } from "./plugin-connection";

// Old states contain these names, so they never change.
const DECLARED = "__declared";
const IGNORE_CHANGES = "__ignoreChanges";
const SECRET_INPUTS = "__secrets";

interface HostFailure extends Error {
  readonly id?: string;
  readonly properties?: Values;
  readonly reasons?: readonly string[];
}

/** Connects a new host process, as each operation of the engine does. One at a time: the adapter has one connection. */
export function connectDynamic(settings: ProviderSettings, onText: TextSink): ProviderConnection {
  const stopObserving = observeLog(onText);
  const get = (key: string): string | undefined => {
    const value = settings[key.replace("opsmanager:", "")];
    return value === undefined ? undefined : String(value);
  };
  const stackConfig = readSettings(get);
  const configured = new Set<ResourceType>();
  const providerOf = (type: ResourceType) => {
    const found = provider(type);
    // The host configures each kind when it meets it first.
    if (!configured.has(type)) {
      configured.add(type);
      void found.configure?.({ config: { get } as unknown as pulumi.dynamic.Config });
    }
    return found;
  };
  const plain = (values: Values): Record<string, Json> => unwrapped(values) as Record<string, Json>;
  const failing = async <T>(action: Promise<T>): Promise<T> => {
    try {
      return await action;
    } catch (error) {
      const { id, properties, reasons, message } = error as HostFailure;
      if (id === undefined) throw new ProviderFailure("UNKNOWN", message);
      throw new ProviderFailure("UNKNOWN", message, {
        id,
        outputs: marked(properties ?? {}),
        reasons: reasons ?? [],
        refreshBeforeUpdate: false,
      });
    }
  };
  return {
    previews: false,
    async check({ type, options }, olds, news) {
      const secrets = secretNamesIn(news);
      const given = {
        ...plain(news),
        [IGNORE_CHANGES]: options?.ignoreChanges ?? plain(news)[IGNORE_CHANGES] ?? [],
        [SECRET_INPUTS]: secrets,
        __provider: providerText(type),
      };
      const result = await failing(Promise.resolve(providerOf(type).check?.(plain(olds), given)));
      const inputs = { ...(result?.inputs as Values), __provider: providerText(type) };
      return {
        inputs: marked(inputs, secrets),
        failures: (result?.failures ?? []).map(({ reason }) => reason),
      };
    },
    async diff({ id, type, outputs }, news) {
      const result = await failing(Promise.resolve(providerOf(type).diff?.(id, plain(outputs), plain(news))));
      const changes = result?.changes === undefined ? "unknown" : result.changes ? "some" : "none";
      const replaces = result?.replaces ?? [];
      const deleteBeforeReplace = result?.deleteBeforeReplace ?? false;
      return { changes, replaces, properties: replaces, deleteBeforeReplace };
    },
    async create({ type }, inputs) {
      const { id, outs } = await failing(Promise.resolve(providerOf(type).create(plain(inputs))));
      return { id, outputs: marked({ ...outs, ...hostKeys(inputs) }), refreshBeforeUpdate: false };
    },
    async read({ id, type, outputs, inputs }) {
      const result = await failing(Promise.resolve(providerOf(type).read?.(id, plain(outputs))));
      if (!result?.id) return undefined;
      return {
        id: result.id,
        outputs: marked({ ...(result.props as Values), ...hostKeys(outputs) }),
        inputs: marked({ ...(result.inputs as Values), ...hostKeys(inputs) }),
        refreshBeforeUpdate: false,
      };
    },
    async update({ id, type, outputs }, news) {
      const updating = providerOf(type).update?.(id, plain(outputs), plain(news));
      const result = await failing(Promise.resolve(updating));
      const outs = { ...(result?.outs as Values), ...hostKeys(news) };
      return { id, outputs: marked(outs), refreshBeforeUpdate: false };
    },
    async delete({ id, type, outputs }) {
      await failing(Promise.resolve(providerOf(type).delete?.(id, plain(outputs))));
    },
    // The program's own process carries out lookups, with the config of its stack.
    async invoke(name, args) {
      const config = Object.entries(settings).map(([key, value]) => [`opsmanager:${key}`, String(value)]);
      pulumi.runtime.setAllConfig(Object.fromEntries(config));
      return (await failing(runLookup(name, plain(args), secretNamesIn(args)))) as Values;
    },
    // The host gets no notice of an interruption.
    cancel: () => undefined,
    async close() {
      stopObserving();
      const connection = connectWith(stackConfig)();
      forget(connection);
      await connection.session.client.close();
    },
  };
}

const isSecret = (value: Json | undefined): boolean =>
  typeof value === "object" && value !== null && (value as Values)[SIGNATURE] === SECRET;

const secretNamesIn = (values: Values): string[] =>
  Object.keys(values).filter((name) => isSecret(values[name]));

const hostKeys = (values: Values): Values =>
  values.__provider === undefined ? {} : { __provider: values.__provider };

/** The engine marks outputs as secret that have the name of a secret input, and those that the class names. */
function marked(values: Values, secrets: readonly string[] = secretsIn(values)): Values {
  const names = new Set([...secrets, DECLARED, ...(secrets.includes("members") ? ["memberDetails"] : [])]);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, names.has(name) ? secretValue(value) : value]),
  );
}

function secretsIn(values: Values): readonly string[] {
  const names = unwrapped(values[SECRET_INPUTS] ?? []);
  return Array.isArray(names) ? (names as readonly string[]) : [];
}

/** Takes what the dynamic provider sends to Pulumi's log; without an engine the SDK would print it. */
function observeLog(onText: TextSink): () => void {
  const log = pulumi.log as { -readonly [Name in keyof typeof pulumi.log]: (typeof pulumi.log)[Name] };
  const { debug, info, warn, error } = log;
  const observed = (severity: string) => async (message: string) => onText(severity, message);
  log.debug = observed("debug");
  log.info = observed("info");
  log.warn = observed("warn");
  log.error = observed("error");
  return () => void Object.assign(log, { debug, info, warn, error });
}
