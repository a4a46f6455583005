/** Who is measured. */
import { join } from "node:path";
import { messageOf } from "../../../scripts/lib/script.mjs";
import { LineProcess } from "./line-process";
import { buildGoClient, findCurl, installPeers, installPython } from "./peers";

export interface Contestant {
  readonly name: string;
  /** Signs nothing, and reads the project where the service requires no credentials. */
  readonly isOpen?: boolean;
  /** Takes part only while one nonce lasts: it cannot renew one, or takes minutes for the calls of several. */
  readonly needsOneNonce?: boolean;
  /** @throws where it cannot be had on this machine */
  start(): Promise<LineProcess>;
}

export const ours: Contestant = {
  name: "pulumi-opsmanager",
  start: async () => LineProcess.ofTypeScript("clients/ours.ts"),
};

/** It renews no nonce, so it takes part where none ends. */
export const withToken: Contestant = {
  name: "pulumi-opsmanager, with an access token",
  needsOneNonce: true,
  start: async () => LineProcess.ofTypeScript("clients/ours-with-token.ts"),
};

export const floor: Contestant = {
  name: "undici, without authentication",
  isOpen: true,
  needsOneNonce: true,
  start: async () => LineProcess.ofTypeScript("clients/undici.ts"),
};

export const signedFloor: Contestant = {
  name: "undici and a signature, nothing else",
  needsOneNonce: true,
  start: async () => LineProcess.ofTypeScript("clients/undici-signed.ts"),
};

/** The peer that uses the least processor time and sends one request per call. */
export const leanestPeer = "Go icholy/digest 1.2.0";

/**
 * `urllib` beside `digest-fetch`, because it is npm's most used HTTP client of those that speak Digest themselves and
 * still get releases; it runs on undici, as the provider's client does.
 */
export const peers: readonly Contestant[] = [
  npmPeer("digest-fetch 3.1.1", "clients/digest-fetch.ts"),
  npmPeer("urllib 4.9.1", "clients/urllib.ts"),
  goPeer(leanestPeer, "icholy"),
  goPeer("Go mongodb-forks/digest 1.1.0", "mongodb-forks"),
  {
    name: "Python httpx 0.28.1",
    needsOneNonce: true,
    start: async () => new LineProcess(await installPython(), inPython("httpx_client.py")),
  },
  {
    name: "curl, one process for each run",
    needsOneNonce: true,
    start: async () => new LineProcess(await findCurl(), inPython("curl_client.py")),
  },
];

function goPeer(name: string, module: string): Contestant {
  return { name, start: async () => new LineProcess(await buildGoClient(), [module]) };
}

/** The arguments of an interpreter that leaves no compiled files in the repository. */
function inPython(file: string): string[] {
  return ["-B", join(__dirname, "python", file)];
}

function npmPeer(name: string, file: string): Contestant {
  const start = async () => {
    await installPeers();
    return LineProcess.ofTypeScript(file);
  };
  return { name, start };
}

export interface Entry extends Contestant {
  readonly process: LineProcess;
}

/** @param skipped takes the reason where one is not to be had here */
export async function startAll(
  contestants: readonly Contestant[],
  skipped: (name: string, why: string) => void,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const contestant of contestants) {
    try {
      entries.push({ ...contestant, process: await contestant.start() });
    } catch (error) {
      skipped(contestant.name, messageOf(error));
    }
  }
  return entries;
}
