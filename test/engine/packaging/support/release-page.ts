import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { makeCertificate } from "../../../../sandbox/certificate";
import type { Stack } from "../../../support";

/** One release of the repository, as GitHub's API and its download addresses offer it. */
export interface ReleasePage {
  /** Part of the API over HTTPS: `127.0.0.1:port`. */
  readonly apiHost: string;
  /** The certificate authority of the API, in PEM. */
  readonly authority: string;
  /** The same files over HTTP, as a mirror inside a company has them; `${VERSION}` is the engine's. */
  readonly mirror: string;
  /** Path of each request, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** @param files paths of the release's assets */
export async function startReleasePage(
  repository: string,
  version: string,
  files: readonly string[],
): Promise<ReleasePage> {
  const requests: string[] = [];
  const api = `/repos/${repository}/releases`;
  const downloads = `/${repository}/releases/download`;
  const respond = async (request: IncomingMessage, response: ServerResponse, origin: string) => {
    const path = request.url ?? "";
    requests.push(path);
    const file = files.find((candidate) =>
      [`${api}/assets/`, `${downloads}/v${version}/`].some((below) => path === below + basename(candidate)),
    );
    if (file !== undefined) return response.end(await readFile(file));
    if (path === `${api}/latest` || path === `${api}/tags/v${version}`) {
      const assets = files.map((asset) => ({
        name: basename(asset),
        url: `${origin}${api}/assets/${basename(asset)}`,
      }));
      response.setHeader("Content-Type", "application/json");
      return response.end(JSON.stringify({ tag_name: `v${version}`, assets }));
    }
    return response.writeHead(404).end();
  };

  const authority = makeCertificate({ subject: "release page authority", isAuthority: true });
  const { certificate, privateKey } = makeCertificate({
    subject: "release page",
    names: ["127.0.0.1"],
    issuer: authority,
  });
  const secure = createSecureServer({ cert: certificate, key: privateKey }, (request, response) =>
    respond(request, response, `https://${request.headers.host}`),
  );
  const plain = createServer((request, response) =>
    respond(request, response, `http://${request.headers.host}`),
  );
  const hosts = await Promise.all(
    [secure, plain].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  return {
    apiHost: hosts[0] ?? "",
    authority: authority.certificate,
    mirror: `http://${hosts[1]}${downloads}/v\${VERSION}`,
    requests,
    close: async () => {
      for (const server of [secure, plain]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/**
 * Permits the stack to download plugins, with the release page as api.github.com.
 *
 * @param folder where the certificate authority of the page is written
 */
export async function useReleasePage(
  page: ReleasePage,
  stack: Stack,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const authority = join(folder, "authority.pem");
  await writeFile(authority, page.authority);
  stack.setEnv({
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
    PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api\\.github\\.com/(?P<path>.+)$=github://${page.apiHost}/\${path}`,
    SSL_CERT_FILE: authority,
    ...env,
  });
}
