/** TLS as a user sees it: the errors about missing settings, and that their values stay secret. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, secret, succeeded } from "../../support";
import { stateText } from "../support/mechanics";
import { bothProviders, errorsOf, projectProgram, projectsNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const traces = ({ stdout, stderr, events }: Run) => `${stdout}\n${stderr}\n${JSON.stringify(events)}`;

it.each(bothProviders)(
  "an error names each missing setting for a service of a private authority that requires a client certificate, and works with them (%s provider)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      plugin: "started", // a relative path begins at the program, where the engine starts the plugin
      sandbox: { tls: "mutual" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments" }),
    });
    const { caCert = "", clientCert = "", clientKey = "" } = sandbox;
    expect(await errorsOf(stack.up())).toMatch(
      /No trusted connection to https:\/\/127\.0\.0\.1:\d+: .*Set caCert to the certificate of the authority/,
    );

    await writeFile(join(stack.paths.program, "authority.pem"), caCert);
    await stack.setConfig({ "opsmanager:caCert": "authority.pem" });
    expect(await errorsOf(stack.up())).toContain(
      "The service requires a client certificate. Set clientCert and clientKey.",
    );
    expect(sandbox.requests).toEqual([]);

    await stack.setConfig({ "opsmanager:clientCert": clientCert, "opsmanager:clientKey": secret(clientKey) });
    const up = await succeeded(stack.up());
    expect(projectsNamed(sandbox, "payments")).toHaveLength(1);
    const [keyLine = ""] = clientKey.split("\n").slice(1);
    expect(keyLine.length).toBeGreaterThan(40);
    for (const text of [traces(up), await stateText(stack)]) expect(text.includes(keyLine)).toBe(false);
  },
);
