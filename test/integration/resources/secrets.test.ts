/**
 * What a program keeps secret is masked in all that a call says: its messages, its failure and the reasons of what it rejects. The
 * rows are the provider's registries of kinds, functions, components and settings. Each method is made to say all that it gets.
 */
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { z } from "zod";
import { components } from "../../../provider/component";
import { lookups } from "../../../provider/functions";
import { type Construct, createService } from "../../../provider/plugin/service";
import { resources } from "../../../provider/resources/all";
import type { Resource } from "../../../provider/resources/contract/resource";
import { secretNames } from "../../../provider/resources/contract/secret-texts";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { settingsInputs } from "../../../provider/settings/config";
import { PartialFailure, RefusedError } from "../../../provider/text/errors";
import { bothProviders } from "../../engine/support/project-program";
import { connectDynamic } from "../../proof/dynamic-connection";
import {
  type ProviderConnection,
  ProviderFailure,
  type Recorded,
  secretValue,
  type Values,
} from "../../proof/engine-model";
import { connectPlugin, pluginCalls } from "../../proof/plugin-connection";
import type { ProviderKind } from "../../support";

/** Nothing is sent: no service is there. */
const settings = {
  baseUrl: "http://127.0.0.1:1",
  publicKey: "abcdwxyz",
  privateKey: "f1f1f1f1",
  maxRetries: 0,
};

const ends: (() => unknown)[] = [];
const printed: string[] = [];
const onText = (_severity: string, text: string) => void printed.push(text);

afterEach(async () => {
  jest.restoreAllMocks();
  for (const end of ends.splice(0)) await end();
});

async function connect(provider: ProviderKind): Promise<ProviderConnection> {
  const connection = await (provider === "plugin" ? connectPlugin : connectDynamic)(settings, onText);
  ends.push(() => connection.close());
  return connection;
}

/** The plugin, with components that an engine can construct. */
function openPlugin(construct: Construct = () => Promise.reject(new TypeError("not called"))) {
  const service = createService("127.0.0.1:1", () => undefined, construct);
  ends.push(() => service.close());
  return pluginCalls(service, onText);
}

/** All that a call tells the user: what it prints, why it rejects inputs, and its failure. */
async function saidBy(call: () => Promise<unknown>): Promise<string> {
  printed.length = 0;
  const answer = await call().catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error;
    return [error.message, error.partial?.reasons];
  });
  return JSON.stringify([printed, answer instanceof proto.CheckResponse ? answer.getFailuresList() : answer]);
}

const toStruct = (values: object) => Struct.fromJavaScript(values as Record<string, JavaScriptValue>);

// ------------------------------------------------------------------------------------------------
// texts and errors

/** The text of a property in one part of a request, which occurs in no other text. */
const textIn = (part: string, name: string) => `<${name} of ${part}>`;

/** Each property with a text of its own. Those that are secret have the marks of the engine and of the dynamic provider. */
function valuesOf(
  part: string,
  names: readonly string[],
  secrets: readonly string[],
  maps: readonly string[] = [],
): Values {
  const entries = names.map((name) => {
    const text = textIn(part, name);
    const value = maps.includes(name) ? { [`key ${text}`]: [`entry ${text}`] } : [text];
    return [name, secrets.includes(name) ? secretValue(value) : value] as const;
  });
  return { ...Object.fromEntries(entries), __secrets: secrets };
}

/** How a method ends that says all that it gets. */
type Ending = (text: string) => unknown;

const failures: Readonly<Record<string, Ending>> = {
  "an error": (text) => {
    throw new RefusedError(text);
  },
  "a fault of the provider": (text) => {
    throw new TypeError(text);
  },
  "an unfinished operation": (text) => {
    throw new PartialFailure("5f", {}, [text, text]);
  },
};

const rejection: Ending = (text) => ({ inputs: {}, failures: [{ property: "", reason: text }] });

/** What may not be said, and what must be said nevertheless, else a message tells nothing. */
function faultsIn(said: string, secret: readonly string[], others: readonly string[]): string[] {
  return [
    ...secret.filter((text) => said.includes(text)).map((text) => `says ${text}`),
    ...others.filter((text) => !said.includes(text)).map((text) => `lacks ${text}`),
  ];
}

// ------------------------------------------------------------------------------------------------
// resources

type Part = "program" | "record";
type Method = "check" | "diff" | "create" | "read" | "update" | "delete";

interface ResourceCall {
  readonly gets: readonly Part[];
  call(connection: ProviderConnection, recorded: Recorded, inputs: Values): Promise<unknown>;
}

const methods: Readonly<Record<Method, ResourceCall>> = {
  check: {
    gets: ["program", "record"],
    call: (to, recorded, inputs) => to.check(recorded, recorded.inputs, inputs),
  },
  diff: { gets: ["program", "record"], call: (to, recorded, inputs) => to.diff(recorded, inputs) },
  create: { gets: ["program"], call: (to, recorded, inputs) => to.create(recorded, inputs, false) },
  read: { gets: ["record"], call: (to, recorded) => to.read(recorded) },
  update: { gets: ["program", "record"], call: (to, recorded, inputs) => to.update(recorded, inputs, false) },
  delete: { gets: ["record"], call: (to, recorded) => to.delete(recorded) },
};

interface Got {
  readonly inputs?: unknown;
  readonly state?: unknown;
  readonly oldInputs?: unknown;
  readonly context: { readonly log?: { warn(message: string): void } };
}

function makeTalkative(resource: Resource, method: Method, end: Ending): void {
  const say = ({ inputs, state, oldInputs, context }: Got) => {
    const text = JSON.stringify([inputs, state, oldInputs]);
    context.log?.warn(`Warning: ${text}`);
    return end(text) as never;
  };
  const isAtOnce = method === "check" || method === "diff";
  jest.spyOn(resource, method as "create").mockImplementation(isAtOnce ? say : async (got) => say(got));
}

describe.each(bothProviders)("in a resource of the %s provider", (provider) => {
  test.each(resources.map((resource) => [resource.name, resource] as const))("%s", async (type, resource) => {
    const connection = await connect(provider);
    const { maps } = resource;
    const inputs = Object.keys(resource.inputs.shape);
    const outputs = [...new Set([...inputs, ...Object.keys(resource.outputs.shape)])];
    const faults: string[] = [];
    const cells = (Object.entries(methods) as [Method, ResourceCall][]).flatMap(([method, { gets, call }]) =>
      Object.entries({ ...failures, ...(method === "check" && { "a rejection": rejection }) }).flatMap(
        ([how, end]) =>
          gets.flatMap((part) => inputs.map((secret) => ({ method, gets, call, how, end, part, secret }))),
      ),
    );
    for (const { method, gets, call, how, end, part, secret } of cells) {
      const marked = (own: Part) => (own === part ? [secret] : []);
      const inState = secretNames(resource, new Set(marked("record")));
      const declared = valuesOf("record", inputs, marked("record"), maps);
      const state = { ...valuesOf("state", outputs, [...inState], maps), __secrets: marked("record") };
      const recorded: Recorded = {
        ...{ name: "it", type: type as ResourceKind, id: "5f", initErrors: [], dependencies: [] },
        ...{ refreshBeforeUpdate: false, inputs: declared },
        // The dynamic provider's own record is a secret as a whole, also after a move to the plugin.
        outputs: { ...state, __declared: provider === "plugin" ? secretValue(declared) : declared },
      };
      makeTalkative(resource, method, end);
      const said = await saidBy(() =>
        call(connection, recorded, valuesOf("program", inputs, marked("program"), maps)),
      );
      const hidden = secretNames(resource, new Set([secret]));
      const secrets = [
        ...inputs.filter((name) => hidden.has(name)).map((name) => textIn(part, name)),
        ...(gets.includes("record") && method !== "check"
          ? [...inState].map((name) => textIn("state", name))
          : []),
      ];
      const others = inputs.filter((name) => !hidden.has(name));
      const shown = gets.flatMap((own) => others.map((name) => textIn(own, name)));
      const found = faultsIn(said, secrets, shown);
      faults.push(
        ...found.map((fault) => `${method} ends with ${how}, ${secret} of ${part} is secret: ${fault}`),
      );
    }
    expect(faults).toEqual([]);
  });
});

// ------------------------------------------------------------------------------------------------
// functions, lists, components and settings

/** A value that the shape of an argument takes, with a text of its own if it takes texts. */
function argumentFor(shape: z.ZodType, index: number): Values[string] {
  const id = `5f${String(index).padStart(22, "0")}`;
  const values = [id, `argument-${index}`, [`ARGUMENT-${index}`], true];
  return values.find((value) => shape.safeParse(value).success) ?? null;
}

function argumentsFor({ shape }: z.ZodObject): Values {
  const entries = Object.entries(shape).map(([name, type], index) => [
    name,
    argumentFor(type as z.ZodType, index),
  ]);
  return Object.fromEntries(entries);
}

const textsOf = (value: unknown) => [value].flat().filter((text) => typeof text === "string");

/** Calls with each of the arguments as the secret one, and each ending. */
async function faultsOf(
  args: Values,
  call: (given: Values, end: Ending) => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [how, end] of Object.entries(failures))
    for (const [secret, value] of Object.entries(args)) {
      const said = await saidBy(() => call({ ...args, [secret]: secretValue(value) }, end));
      const { [secret]: hidden, ...others } = args;
      const found = faultsIn(said, textsOf(hidden), Object.values(others).flatMap(textsOf));
      faults.push(...found.map((fault) => `${how}, ${secret} is secret: ${fault}`));
    }
  return faults;
}

describe.each(bothProviders)("in a function of the %s provider", (provider) => {
  test.each(lookups.map((lookup) => [lookup.name, lookup] as const))("%s", async (name, lookup) => {
    const connection = await connect(provider);
    const faults = await faultsOf(argumentsFor(lookup.inputs), (given, end) => {
      if (lookup.check) jest.spyOn(lookup, "check").mockReturnValue([]);
      jest.spyOn(lookup, "invoke").mockImplementation(async ({ args }) => end(JSON.stringify(args)) as never);
      return connection.invoke(name, given);
    });
    expect(faults).toEqual([]);
  });
});

const urn = "urn:pulumi:test::platform::pulumi:providers:opsmanager::default";
const configuration = new proto.ConfigureRequest().setUrn(urn).setArgs(toStruct(settings));

test.each(resources.map(({ name, listing }) => [name, listing] as const))(
  "in a list: %s",
  async (name, listing) => {
    const plugin = openPlugin();
    await plugin("configure", configuration);
    const faults = await faultsOf(argumentsFor(listing.inputs), (query, end) => {
      jest.spyOn(listing, "list").mockImplementation(async (given) => end(JSON.stringify(given)) as never);
      return plugin(
        "list",
        new proto.ListRequest().setToken(`opsmanager:index:${name}`).setQuery(toStruct(query)),
      );
    });
    expect(faults).toEqual([]);
  },
);

test.each(components.map(({ type, inputs }) => [type, inputs] as const))(
  "in a component: %s",
  async (type, inputs) => {
    let ending: Construct = () => Promise.reject(new TypeError("not called"));
    const plugin = openPlugin((...call) => ending(...call));
    await plugin("configure", configuration);
    const args = Object.fromEntries(
      Object.keys(inputs.shape).map((name) => [name, textIn("arguments", name)]),
    );
    const request = (given: Values) => new proto.ConstructRequest().setType(type).setInputs(toStruct(given));
    const faults = await faultsOf(args, (given, end) => {
      ending = async (_request, _address, values) => end(JSON.stringify(values)) as never;
      return plugin("construct", request(given));
    });
    const refused = await faultsOf(args, (given) => {
      ending = async (_request, _address, values) => ({ refused: ["Refused:", JSON.stringify(values)] });
      return plugin("construct", request(given));
    });
    expect([...faults, ...refused]).toEqual([]);
  },
);

test.each(Object.keys(settingsInputs.shape))(
  "in the settings of a provider: %s, where they are checked, compared and used",
  async (secret) => {
    const plugin = openPlugin();
    const texts = Object.fromEntries(
      Object.keys(settingsInputs.shape).map((name) => [name, textIn("settings", name)]),
    );
    const given = (values: Values) =>
      toStruct({ ...values, ...(secret in values && { [secret]: secretValue(values[secret] ?? null) }) });
    const faults: string[] = [];
    // Some are wrong, and one address leads nowhere.
    for (const values of [
      texts,
      { ...settings, [secret]: textIn("settings", secret), baseUrl: "http://127.0.0.1:2" },
    ])
      for (const [method, request] of [
        ["checkConfig", new proto.CheckRequest().setNews(given(values))],
        [
          "diffConfig",
          new proto.DiffRequest().setUrn(urn).setNews(given(values)).setOldInputs(toStruct(settings)),
        ],
        ["configure", new proto.ConfigureRequest().setUrn(urn).setArgs(given(values))],
      ] as const) {
        const said = await saidBy(() => plugin(method, request));
        faults.push(...faultsIn(said, [textIn("settings", secret)], []).map((fault) => `${method} ${fault}`));
      }
    expect(faults).toEqual([]);
  },
);
