/**
 * The environment of every test file. Jest evaluates modules again for each file, but this one only once per worker. So the resident
 * processes are kept here and handed to the files as a global. So is the current test, for which settings are drawn.
 */
import type { Circus } from "@jest/types";
import { TestEnvironment } from "jest-environment-node";
import { type CurrentTest, reportOfSettings } from "../drawn-settings";
import { Residents } from "./residents";

const residents = new Residents();

export default class extends TestEnvironment {
  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    super(...parameters);
    Object.assign(this.global, { residents });
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
  override async setup(): Promise<void> {
    await super.setup();
    process.on("disconnect", exit);
  }

  override async teardown(): Promise<void> {
    process.off("disconnect", exit);
    await super.teardown();
  }
}

function groupsOf({ parent }: Circus.TestEntry | Circus.DescribeBlock): Circus.DescribeBlock[] {
  return parent === undefined ? [] : [parent, ...groupsOf(parent)];
}

function exit(): never {
  process.exit(1);
}
