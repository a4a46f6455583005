/** Runs `opsmanager doctor` for a test, against the sandbox or any other server. */
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import type { CheckJson } from "../../../cli/doctor/results";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import type { CommandResult } from "../../support/command";
import { sandboxes } from "../sandbox/with-sandbox";
import { type CommandFolder, commandFolder, environmentOf } from "./command-folder";

type Environment = Readonly<Record<string, string>>;

export interface Diagnosis extends CommandResult {
  readonly findings: readonly CheckJson[];
  /** Findings of one check: `connection.certificate`. */
  of(check: string): readonly CheckJson[];
  /** Names of the checks that have this outcome. */
  checksThat(outcome: CheckJson["outcome"]): string[];
}

export interface Doctor {
  readonly folder: CommandFolder;
  sandbox(options?: SandboxOptions): Promise<Sandbox>;
  /** @returns the address of a server that responds as the test specifies */
  server(listener: RequestListener, tls?: TlsOptions): Promise<string>;
  /** Prints with these settings, in an environment in which only a stand-in for `pulumi` is found. */
  print(env: Environment, ...args: readonly string[]): Promise<CommandResult>;
  examine(env: Environment, ...args: readonly string[]): Promise<Diagnosis>;
}

export function settingsOf(
  service: Pick<Sandbox, "baseUrl" | "publicKey" | "privateKey" | "caCert">,
): Environment {
  const { caCert } = service;
  return { ...environmentOf(service), ...(caCert !== undefined && { OPSMANAGER_CA_CERT: caCert }) };
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
  const folder = commandFolder();
  const endings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });
  const print: Doctor["print"] = (env, ...args) => {
    folder.write({ pulumi: pulumiStandIn }, 0o755);
    return folder.run(["doctor", ...args], undefined, {
      env: { PATH: folder.path, HOME: folder.path, ...env },
    });
  };
  return {
    folder,
    sandbox: sandboxes(),
    async server(listener, tls) {
      const server = tls ? createTlsServer(tls, listener) : createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      endings.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      return `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    print,
    async examine(env, ...args) {
      const result = await print(env, "--json", ...args);
      const { checks: findings }: { checks: CheckJson[] } = JSON.parse(result.stdout);
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
