/** Clients that others wrote against the sandbox: they find its mistakes, as servers find the provider's. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox";
import { type Finding, Missing, type Peer } from "./peer";
import { need, run } from "./processes";
import { python } from "./python-environment";

/** Reads an address so often, and returns the statuses it saw. */
type Read = (sandbox: Sandbox, address: string, times: number) => Promise<readonly number[]>;

const CALLS = 3;

/** Each Digest challenge of the sandbox that the client supports. */
async function readWithEveryDigest(
  digests: Readonly<Record<string, SandboxOptions>>,
  read: Read,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, options] of Object.entries(digests)) {
    const sandbox = await startSandbox(options);
    try {
      const address = `${sandbox.baseUrl}/api/public/v1.0/groups?pageNum=1&tag=A%20B`;
      const statuses = await read(sandbox, address, CALLS);
      const agrees = statuses.length === CALLS && statuses.every((status) => status === 200);
      const outcome = `${sandbox.requests.length} requests for ${CALLS} calls${agrees ? "" : `, statuses ${statuses.join(" ")}`}`;
      findings.push({ what, outcome, agrees });
    } finally {
      await sandbox.close();
    }
  }
  return findings;
}

const numbers = (printed: string) => printed.trim().split(/\s+/).map(Number);

const keysOf = ({ publicKey, privateKey }: Sandbox) => ({ PUBLIC_KEY: publicKey, PRIVATE_KEY: privateKey });

const plain: Readonly<Record<string, SandboxOptions>> = {
  'as seen live, qop="auth"': {},
  "with opaque": { opaque: true },
};
const withoutQop: Readonly<Record<string, SandboxOptions>> = {
  "as documented, op, taken for RFC 2069": { challenge: "op", opAccepts: "rfc2069" },
  "RFC 2069": { challenge: "none" },
};
const sha256: Readonly<Record<string, SandboxOptions>> = { "SHA-256": { digestAlgorithm: "SHA-256" } };

export const curl: Peer = {
  name: "curl --digest",
  async run() {
    await need("curl", ["--version"], "needs curl on PATH");
    const digests = {
      ...plain,
      ...withoutQop,
      ...sha256,
      "MD5-sess": { digestAlgorithm: "MD5-sess" },
      "SHA-256-sess": { digestAlgorithm: "SHA-256-sess" },
      userhash: { userNames: "userhash", digestAlgorithm: "SHA-256" },
    } as const;
    return readWithEveryDigest(digests, async ({ publicKey, privateKey }, address, times) => {
      const addresses = Array.from({ length: times }, () => address);
      const quiet = ["-s", "--noproxy", "*", "--max-time", "20", "-w", "\n%{http_code}\n"];
      const keys = ["--digest", "-u", `${publicKey}:${privateKey}`];
      const printed = await run("curl", [...quiet, ...keys, ...addresses]);
      return [...printed.matchAll(/^(\d{3})$/gm)].map(([status]) => Number(status));
    });
  },
};

export const requests: Peer = {
  name: "Python requests",
  async run(surroundings) {
    const interpreter = await python(surroundings);
    const digests = { ...plain, ...withoutQop, ...sha256 };
    return readWithEveryDigest(digests, async (sandbox, address, times) => {
      const script = join(__dirname, "python", "read.py");
      return numbers(await run(interpreter, [script, address, String(times)], keysOf(sandbox)));
    });
  },
};

/** The client of MongoDB's own tools. It speaks MD5 with qop alone. */
export const goDigest: Peer = {
  name: "Go mongodb-forks/digest",
  async run({ cache, print }) {
    await need("go", ["version"], "needs Go on PATH");
    mkdirSync(cache, { recursive: true });
    const program = join(cache, process.platform === "win32" ? "go-client.exe" : "go-client");
    print("go: building the client");
    await run("go", ["build", "-o", program, "."], {}, join(__dirname, "go-client")).catch((error: Error) => {
      throw new Missing(
        `needs the Go module github.com/mongodb-forks/digest: ${error.message.split("\n")[1] ?? ""}`,
      );
    });
    return readWithEveryDigest(plain, async (sandbox, address, times) =>
      numbers(await run(program, [address, String(times)], keysOf(sandbox))),
    );
  },
};
