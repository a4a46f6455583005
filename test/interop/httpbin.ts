import { exercise } from "./our-client";
import type { Peer } from "./peer";
import { answers, freePort, start } from "./processes";
import { python } from "./python-environment";

const keys = { publicKey: "demo", privateKey: "secret" };

export const httpbin: Peer = {
  name: "httpbin",
  async run(surroundings) {
    const interpreter = await python(surroundings);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const args = ["-m", "httpbin.core", "--port", String(port), "--host", "127.0.0.1"];
    const server = await start(interpreter, args, () => answers(`${origin}/status/204`));
    try {
      const findings = [];
      for (const algorithm of ["MD5", "SHA-256", "SHA-512"]) {
        const target = `/digest-auth/auth/${keys.publicKey}/${keys.privateKey}/${algorithm}?tag=A%20B`;
        findings.push(...(await exercise({ origin, target, keys, name: algorithm })));
      }
      return findings;
    } finally {
      await server.stop();
    }
  },
};
