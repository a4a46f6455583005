import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { exercise } from "./our-client";
import { Missing, type Peer } from "./peer";
import { need, run, start } from "./processes";

const source = join(__dirname, "jetty");
const keys = { publicKey: "demo", privateKey: 'se"cret' };

/** The service stands on Jetty, and its challenge has the form of Jetty's. Some nonces wear out, as its own do by age. */
export const jetty: Peer = {
  name: "Jetty DigestAuthenticator",
  async run({ cache, print }) {
    await need("javac", ["--release", "17", "--version"], "needs a JDK 17 or newer on PATH");
    await need("mvn", ["-version"], "needs Maven on PATH");
    const folder = join(cache, "jetty-12.0.16");
    const [jars, classes] = [join(folder, "jars"), join(folder, "classes")];
    if (!existsSync(join(folder, "complete"))) {
      print("jetty: fetching it with Maven, about half a minute the first time");
      const pom = join(source, "pom.xml");
      const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${jars}`];
      await run("mvn", ["-q", "-B", "-f", pom, ...goal]).catch(() => {
        throw new Missing("needs Jetty from Maven Central, which cannot be reached");
      });
      writeFileSync(join(folder, "complete"), "");
    }
    await run("javac", ["-cp", join(jars, "*"), "-d", classes, join(source, "DigestService.java")]);
    const findings = [];
    for (const usesOfNonce of [1_000_000, 20, 2]) {
      const path = [join(jars, "*"), classes].join(delimiter);
      const env = { PUBLIC_KEY: keys.publicKey, PRIVATE_KEY: keys.privateKey };
      const args = ["-cp", path, "DigestService", String(usesOfNonce)];
      const server = await start("java", args, (printed) => /^\d+\s*$/m.test(printed), env);
      try {
        const origin = `http://127.0.0.1:${/^\d+/m.exec(server.printed)?.[0]}`;
        const limited = usesOfNonce < 1000 ? { usesOfNonce, name: `nonces good ${usesOfNonce} times` } : {};
        findings.push(...(await exercise({ origin, target: "/groups?tag=A%20B&n=1", keys, ...limited })));
      } finally {
        await server.stop();
      }
    }
    return findings;
  },
};
