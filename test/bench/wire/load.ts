/** The same load for every client that runs in Node.js. */
import { type Load, type Opening, type Outcome, responseLines } from "./protocol";

export interface Client {
  /** Reads the project once: its JSON, parsed. */
  read(): Promise<unknown>;
  close?(): Promise<unknown>;
}

export function serveLoad(open: (opening: Opening) => Client): void {
  let client: Client | undefined;
  let opening: Opening | undefined;
  responseLines({
    open: async (next: Opening) => {
      await client?.close?.();
      opening = next;
      client = open(next);
      return {};
    },
    run: async ({ calls }: Load) => {
      if (!client || !opening) throw new Error("There is no client yet.");
      return measure(client, opening, calls);
    },
  });
}

async function measure(client: Client, { projectId, atOnce }: Opening, calls: number): Promise<Outcome> {
  const took: number[] = [];
  let [begun, failed] = [0, 0];
  const work = async () => {
    while (begun < calls) {
      begun += 1;
      const start = performance.now();
      const right = await client.read().then(isProject(projectId), () => false);
      took.push(performance.now() - start);
      if (!right) failed += 1;
    }
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  took.sort((one, other) => one - other);
  const quantile = (share: number) => took[Math.ceil(share * took.length) - 1] ?? Number.NaN;
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    p50Milliseconds: quantile(0.5),
    p99Milliseconds: quantile(0.99),
    failed,
  };
}

function isProject(id: string) {
  return (response: unknown) =>
    typeof response === "object" && response !== null && "id" in response && response.id === id;
}
