import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { makeCertificate } from "../../../../sandbox/certificate";
import type { Stack } from "../../../support";

/** One release of the repository with one file, as GitHub's API offers it, and below `/mirror` as a company has it. */
export interface ReleasePage {
  readonly origin: string;
  /** Path of each request, in order. */
  readonly requests: readonly string[];
  /** Permits the stack to download plugins, with this page as api.github.com. */
  use(stack: Stack): Promise<void>;
  close(): Promise<void>;
}

export async function startReleasePage(
  repository: string,
  version: string,
  archive: string,
): Promise<ReleasePage> {
  const requests: string[] = [];
  const releases = `/repos/${repository}/releases`;
  const name = basename(archive);
  const asset = `${releases}/assets/${name}`;
  const respond = async ({ url = "", headers }: IncomingMessage, response: ServerResponse) => {
    requests.push(url);
    if ([asset, `/mirror/v${version}/${name}`].includes(url)) return response.end(await readFile(archive));
    if (![`${releases}/latest`, `${releases}/tags/v${version}`].includes(url))
      return response.writeHead(404).end();
    response.setHeader("Content-Type", "application/json");
    const assets = [{ name, url: `https://${headers.host}${asset}` }];
    return response.end(JSON.stringify({ tag_name: `v${version}`, assets }));
  };
  const issuer = makeCertificate({ subject: "release page authority", isAuthority: true });
  const { certificate, privateKey } = makeCertificate({
    subject: "release page",
    names: ["127.0.0.1"],
    issuer,
  });
  const server = createServer({ cert: certificate, key: privateKey }, respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `https://${host}`,
    requests,
    use: async (stack) => {
      const authority = join(stack.paths.root, "authority.pem");
      await writeFile(authority, issuer.certificate);
      stack.setEnv({
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
        PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api\\.github\\.com/(?P<path>.+)$=github://${host}/\${path}`,
        SSL_CERT_FILE: authority,
      });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
