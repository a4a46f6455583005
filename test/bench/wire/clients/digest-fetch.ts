/** npm's `digest-fetch`, with the `fetch` of Node.js. */
import { serveLoad } from "../load";
import { requirePeer } from "../peers";

interface DigestFetch {
  default: new (user: string, password: string) => { fetch(address: string): Promise<Response> };
}
const { default: DigestClient } = requirePeer<DigestFetch>("digest-fetch");

serveLoad(({ address, publicKey, privateKey }) => {
  const client = new DigestClient(publicKey, privateKey);
  return { read: async () => (await client.fetch(address)).json() };
});
