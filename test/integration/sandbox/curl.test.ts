/** Any HTTP client must be able to use the sandbox. curl has its own Digest, written by people who never saw ours. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { itIf } from "../../support/skip";
import { apiPath } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();
const run = promisify(execFile);
const itWithCurl = itIf(spawnSync("curl", ["--version"]).status === 0, "curl on PATH");

for (const [challenge, form] of [
  ["qop", "qop"],
  ["op", "rfc2069"],
  ["none", "rfc2069"],
] as const) {
  itWithCurl(`curl --digest answers the challenge ${challenge} in the form ${form}`, async () => {
    const sandbox = await start({ challenge });
    const curl = async (method: string, path: string, body?: object) => {
      const quiet = ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}"];
      const user = ["--digest", "--user", `${sandbox.publicKey}:${sandbox.privateKey}`];
      const data = ["--header", "Content-Type: application/json", "--data", JSON.stringify(body)];
      const request = ["--request", method, ...(body ? data : []), sandbox.baseUrl + apiPath(path)];
      return (await run("curl", [...quiet, ...user, ...request])).stdout;
    };
    expect(await curl("POST", "/groups", { name: "a & b", orgId: sandbox.orgId })).toBe("201");
    expect(await curl("GET", "/groups/byName/a%20%26%20b?envelope=true")).toBe("200");
    expect(await curl("DELETE", `/groups/${sandbox.state.projects[0]?.id}`)).toBe("200");
    expect(sandbox.requests.at(-1)?.digest?.form).toBe(form);
  });
}
