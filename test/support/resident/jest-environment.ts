/**
 * The environment of every test file. Jest evaluates modules again for each file, but this one only once per worker. So the resident
 * processes are kept here and handed to the files as a global.
 */
import { TestEnvironment } from "jest-environment-node";
import { Residents } from "./residents";

const residents = new Residents();

export default class extends TestEnvironment {
  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    super(...parameters);
    Object.assign(this.global, { residents });
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

function exit(): never {
  process.exit(1);
}
