/** The resident command line (`test/engine/resident-command-line`): one process that runs many `pulumi` commands in turn. */
import type { ProcessOptions, ProcessResult } from "../child-process";
import { JsonProcess } from "./json-process";

export class CommandLine {
  /** How many commands it has run. Each leaves some memory and goroutines behind. */
  runs = 0;
  readonly process: JsonProcess;

  /** @param executable the built `resident-command-line` */
  constructor(executable: string) {
    this.process = new JsonProcess("The resident command line", executable, [], { GOGC: "400" });
  }

  run(args: readonly string[], { cwd, env }: ProcessOptions): Promise<ProcessResult> {
    this.runs += 1;
    return this.process.request({ arguments: args, environment: env, workingDirectory: cwd });
  }
}
