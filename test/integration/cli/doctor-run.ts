/** Runs `opsmanager doctor` for a test, against the sandbox or any other server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import type { CheckJson } from "../../../cli/doctor/results";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";
import { runCommand } from "../../support/command";

type Environment = Readonly<Record<string, string>>;

export interface Diagnosis {
  readonly exitCode: number;
  readonly findings: readonly CheckJson[];
  readonly stdout: string;
  readonly stderr: string;
  /** Findings of one check: `connection.certificate`. */
  of(check: string): readonly CheckJson[];
  /** Names of the checks that have this outcome. */
  checksThat(outcome: CheckJson["outcome"]): string[];
}

export interface Doctor {
  sandbox(options?: SandboxOptions): Promise<Sandbox>;
  /** @returns the address of a server that responds as the test specifies */
  server(listener: RequestListener, tls?: TlsOptions): Promise<string>;
  /** Variables with which only a stand-in for `pulumi` is found. */
  readonly environment: { readonly PATH: string; readonly HOME: string };
  /** Runs with these settings in that environment. */
  examine(env: Environment, ...args: readonly string[]): Promise<Diagnosis>;
}

export function settingsOf(
  service: Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey" | "caCert">,
): Environment {
  return {
    OPSMANAGER_BASE_URL: service.baseUrl,
    OPSMANAGER_PUBLIC_KEY: service.publicKey,
    OPSMANAGER_PRIVATE_KEY: service.privateKey,
    ...(service.caCert === undefined ? {} : { OPSMANAGER_CA_CERT: service.caCert }),
  };
}

/** What a check found: `warning: Tags are hidden. Give the key a role.` */
export const textOf = ({ outcome, says, advice = "" }: CheckJson) => `${outcome}: ${says} ${advice}`;

/** Prints what `doctor` reads from `pulumi`: starting the real one twice takes longer than all other checks. */
const pulumiStandIn = `#!/bin/sh
case "$1" in
  version) echo v3.227.0 ;;
  plugin) echo "[]" ;;
esac
`;

/** What a test starts ends with it. */
export function doctorTests(): Doctor {
  const endings: (() => Promise<unknown>)[] = [];
  const home = mkdtempSync(join(tmpdir(), "opsmanager-doctor-"));
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pulumi"), pulumiStandIn, { mode: 0o755 });
  const environment = { PATH: bin, HOME: home };
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return {
    async sandbox(options) {
      const sandbox = await startSandbox(options);
      endings.push(() => sandbox.close());
      return sandbox;
    },
    async server(listener, tls) {
      const server = tls ? createTlsServer(tls, listener) : createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      endings.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      return `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    environment,
    async examine(env, ...args) {
      const surroundings = { cwd: home, env: { ...environment, ...env } };
      const result = await runCommand(["doctor", "--json", ...args], surroundings);
      const findings = (JSON.parse(result.stdout) as { checks: CheckJson[] }).checks;
      return {
        ...result,
        findings,
        of: (check) => findings.filter((finding) => finding.check === check),
        checksThat: (wanted) =>
          findings.filter(({ outcome }) => outcome === wanted).map(({ check }) => check),
      };
    },
  };
}
