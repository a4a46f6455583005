import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exercise } from "./our-client";
import { Missing, type Peer } from "./peer";
import { freePort, responses, run, start } from "./processes";

const realm = "MMS Public API";
const keys = { publicKey: "demo", privateKey: "secret" };
const modules = [
  "/usr/lib/apache2/modules",
  "/usr/lib64/httpd/modules",
  "/usr/libexec/apache2",
  "/opt/homebrew/lib/httpd/modules",
];

/**
 * In seconds. mod_auth_digest names the next nonce half a minute before one ends (NEXTNONCE_DELTA): with 20 in every response. With 0
 * each nonce is good for one request.
 */
const variants = [
  { lifetime: 300, name: "rspauth" },
  { lifetime: 20, name: "nextnonce in every response" },
  { lifetime: 0, name: "each nonce once", usesOfNonce: 1 },
];

export const apache: Peer = {
  name: "Apache mod_auth_digest",
  async run() {
    const command = await installed();
    const folder = modules.find((path) => existsSync(join(path, "mod_auth_digest.so")));
    if (folder === undefined) throw new Missing("needs mod_auth_digest of Apache httpd");
    const serverRoot = await mkdtemp(join(tmpdir(), "digest-interop-"));
    try {
      const findings = [];
      for (const { lifetime, ...variant } of variants) {
        const port = await freePort();
        await writeFile(join(serverRoot, "httpd.conf"), configuration(serverRoot, folder, port, lifetime));
        const secret = createHash("md5")
          .update(`${keys.publicKey}:${realm}:${keys.privateKey}`)
          .digest("hex");
        await writeFile(join(serverRoot, "users"), `${keys.publicKey}:${realm}:${secret}\n`);
        await writeFile(join(serverRoot, "groups"), "{}");
        const origin = `http://127.0.0.1:${port}`;
        const args = ["-X", "-d", serverRoot, "-f", join(serverRoot, "httpd.conf")];
        const server = await start(command, args, () => responses(`${origin}/groups`));
        try {
          findings.push(...(await exercise({ origin, target: "/groups?tag=A%20B", keys, ...variant })));
        } finally {
          await server.stop();
        }
      }
      return findings;
    } finally {
      await rm(serverRoot, { recursive: true, force: true });
    }
  },
};

async function installed(): Promise<string> {
  for (const command of ["apache2", "/usr/sbin/apache2", "httpd", "/usr/sbin/httpd"]) {
    if (await run(command, ["-v"]).catch(() => undefined)) return command;
  }
  throw new Missing("needs Apache httpd, such as Debian's package apache2-bin");
}

function configuration(serverRoot: string, folder: string, port: number, lifetime: number): string {
  const load = ["mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_digest", "unixd"];
  // One process, so that all threads share the secret with which nonces are made.
  return `${load
    .filter((name) => existsSync(join(folder, `mod_${name}.so`)))
    .map((name) => `LoadModule ${name}_module ${join(folder, `mod_${name}.so`)}`)
    .join("\n")}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${join(serverRoot, "pid")}
ErrorLog ${join(serverRoot, "errors")}
DefaultRuntimeDir ${serverRoot}
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
MaxKeepAliveRequests 0
DocumentRoot ${serverRoot}
<Directory />
  AuthType Digest
  AuthName "${realm}"
  AuthDigestProvider file
  AuthUserFile ${join(serverRoot, "users")}
  AuthDigestNonceLifetime ${lifetime}
  Require valid-user
</Directory>
`;
}
