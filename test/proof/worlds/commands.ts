/** The commands of `opsmanager` in a world: they run in this process, with a `pulumi` that prints what the engine's model says. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { CliCommand } from "../../../cli/lib/command";

interface Stack {
  /** Of a preview, one a line. */
  readonly events: string;
  /** The resources of its state. */
  readonly resources: readonly unknown[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a command has printed. */
export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class Commands {
  private constructor(
    private readonly root: string,
    private readonly env: Stack["env"],
  ) {}

  /** @returns what `use` returns; the folders are gone then */
  static async with<T>(
    { events, resources, env }: Stack,
    use: (commands: Commands) => Promise<T>,
  ): Promise<T> {
    const root = await mkdtemp(join(tmpdir(), "opsmanager-world-"));
    const commands = new Commands(root, env);
    try {
      await Promise.all(["stack", "apart"].map((folder) => mkdir(join(root, folder))));
      await Promise.all([
        writeFile(join(root, "stack", "Pulumi.yaml"), "name: platform\nruntime: yaml\n"),
        writeFile(join(root, "stack", "events.jsonl"), events),
        writeFile(
          join(root, "stack", "export.json"),
          JSON.stringify({ version: 3, deployment: { resources } }),
        ),
      ]);
      return await use(commands);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }

  /** Where no stack is. */
  get apart(): string {
    return join(this.root, "apart");
  }

  /** For the stack of the world. */
  ofStack(command: CliCommand, options: object, args: readonly string[] = []): Promise<Printed> {
    return this.#run(command, options, args, "stack");
  }

  withoutStack(command: CliCommand, options: object, args: readonly string[] = []): Promise<Printed> {
    return this.#run(command, options, args, "apart");
  }

  async #run(
    command: CliCommand,
    options: object,
    args: readonly string[],
    folder: "stack" | "apart",
  ): Promise<Printed> {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    const terminal = {
      stdout: (text: string) => void stdout.push(text),
      stderr: (text: string) => void stderr.push(text),
      isWatched: false,
      hasColors: false,
      columns: 100,
      env: { ...this.env, PATH: [join(__dirname, "bin"), process.env.PATH].join(delimiter) },
      cwd: join(this.root, folder),
      stop: new AbortController().signal,
    };
    const exitCode = await command.run({ options: { ...options }, args, terminal });
    return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
  }
}
