/** Who is measured. */
import { messageOf } from "../../../scripts/lib/script.mjs";
import { LineProcess } from "./line-process";
import { buildGoClient, installPeers } from "./peers";

export interface Contestant {
  readonly name: string;
  /** Signs nothing, and reads the project where the service requires no credentials. */
  readonly isOpen?: boolean;
  /** Takes part only while one nonce lasts. */
  readonly needsOneNonce?: boolean;
  /** @throws where it cannot be had on this machine */
  start(): Promise<LineProcess>;
}

export const ours: Contestant = {
  name: "pulumi-opsmanager",
  start: async () => LineProcess.ofTypeScript("clients/ours.ts"),
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

/**
 * `urllib` beside `digest-fetch`, because it is npm's most used HTTP client of those that speak Digest themselves and
 * still get releases; it runs on undici, as the provider's client does.
 */
export const peers: readonly Contestant[] = [
  npmPeer("digest-fetch 3.1.1", "clients/digest-fetch.ts"),
  npmPeer("urllib 4.9.1", "clients/urllib.ts"),
  {
    name: "Go mongodb-forks/digest 1.1.0",
    start: async () => new LineProcess(await buildGoClient(), []),
  },
];

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
