/**
 * The environment of every test file. Jest evaluates modules again for each file, but this one only once per worker. So the resident
 * processes are kept here and handed to the files as a global. So is the current test, for which settings are drawn.
 *
 * Jest gives each file globals of its own. Here, all files of a worker have those of the process: `jest-runtime.cjs` loads packages once for
 * them, and an array of a package has to be an `Array` of the test.
 */
import vm from "node:vm";
import type { JestEnvironment, JestEnvironmentConfig } from "@jest/environment";
import { ModernFakeTimers } from "@jest/fake-timers";
import type { Circus } from "@jest/types";
import { ModuleMocker } from "jest-mock";
import { type CurrentTest, reportOfSettings } from "../drawn-settings";
import { Residents } from "./residents";

const residents = new Residents();

/** Jest compiles each module for the globals of its file. They are not these, but those of the process. */
const context = vm.createContext();
const { compileFunction } = vm;
vm.compileFunction = (code, params, options) => {
  const { parsingContext, ...others } = options ?? {};
  return compileFunction(code, params, parsingContext === context ? others : options);
};

export default class implements JestEnvironment {
  readonly global = Object.assign(globalThis, { residents }) as unknown as JestEnvironment["global"];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimersModern: ModernFakeTimers;
  readonly fakeTimers = null;
  readonly #symbolsBefore = new Set(Object.getOwnPropertySymbols(globalThis));

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions(): string[] {
    return ["node", "node-addons"];
  }

  getVmContext(): vm.Context {
    return context;
  }

  /** By test, and by the group of a `beforeAll`. */
  readonly #tests = new Map<Circus.TestEntry | Circus.DescribeBlock, CurrentTest>();

  handleTestEvent(event: Circus.Event): void {
    if (event.name === "test_start") this.#enter(event.test);
    else if (event.name === "hook_start" && event.hook.type === "beforeAll") this.#enter(event.hook.parent);
    else if (event.name === "test_done" && event.test.errors.length > 0) {
      const around = [event.test, ...groupsOf(event.test)].flatMap((entry) => this.#tests.get(entry) ?? []);
      const report = around.map(reportOfSettings).find((text) => text !== undefined);
      if (report !== undefined) event.test.errors.push({ message: report });
    }
  }

  #enter(entry: Circus.TestEntry | Circus.DescribeBlock): void {
    const titles = [entry, ...groupsOf(entry)]
      .map(({ name }) => name)
      .filter((name) => name !== "ROOT_DESCRIBE_BLOCK");
    const test = this.#tests.get(entry) ?? {
      title: titles.reverse().join(" "),
      kept: new Map(),
      drawn: undefined,
    };
    this.#tests.set(entry, test);
    Object.assign(this.global, { currentTest: test });
  }

  /** If Jest is killed, a worker would otherwise wait as long as its test waits. Between two files it ends by itself. */
  async setup(): Promise<void> {
    process.on("disconnect", exit);
  }

  /** Jest keeps what belongs to a file under symbols of its own, and each file adds others. Packages that stay loaded use names. */
  async teardown(): Promise<void> {
    process.off("disconnect", exit);
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (!this.#symbolsBefore.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
  }
}

function groupsOf({ parent }: Circus.TestEntry | Circus.DescribeBlock): Circus.DescribeBlock[] {
  return parent === undefined ? [] : [parent, ...groupsOf(parent)];
}

function exit(): never {
  process.exit(1);
}
