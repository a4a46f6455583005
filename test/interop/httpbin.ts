import { exercise } from "./our-client";
import type { Peer } from "./peer";
import { freePort, responses, start } from "./processes";
import { python } from "./python-environment";

const keys = { publicKey: "demo", privateKey: "secret" };

export const httpbin: Peer = {
  name: "httpbin",
  async run(surroundings) {
    const interpreter = await python(surroundings);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const args = ["-m", "httpbin.core", "--port", String(port), "--host", "127.0.0.1"];
    const server = await start(interpreter, args, () => responses(`${origin}/status/204`));
    try {
      const findings = [];
      const digests = [
        ["auth", "MD5"],
        ["auth", "SHA-256"],
        ["auth", "SHA-512"],
        ["none", "MD5"],
      ] as const;
      for (const [qop, algorithm] of digests) {
        // Without a query: httpbin 0.10.4 returns 500 to every client that signs one.
        const target = `/digest-auth/${qop}/${keys.publicKey}/${keys.privateKey}/${algorithm}`;
        const name = qop === "auth" ? algorithm : "RFC 2069";
        findings.push(...(await exercise({ origin, target, keys, name })));
      }
      return findings;
    } finally {
      await server.stop();
    }
  },
};
