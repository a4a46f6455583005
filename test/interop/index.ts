import { apache } from "./apache";
import { httpbin } from "./httpbin";
import { jetty } from "./jetty";
import { curl, goDigest, requests } from "./other-clients";
import { opsmanager, pyomsdk } from "./other-libraries";
import type { Peer } from "./peer";

export { Missing } from "./peer";

/** Servers for the provider's client, then clients for the sandbox. */
export const peers: readonly Peer[] = [jetty, apache, httpbin, curl, requests, goDigest, pyomsdk, opsmanager];
