/** npm's `urllib`, the HTTP client of the Egg framework. */
import { serveLoad } from "../load";
import { requirePeer } from "../peers";

interface Urllib {
  HttpClient: new () => {
    request(address: string, options: { digestAuth: string; dataType: "json" }): Promise<{ data: unknown }>;
  };
}
const { HttpClient } = requirePeer<Urllib>("urllib");

serveLoad(({ address, publicKey, privateKey }) => {
  const client = new HttpClient();
  const options = { digestAuth: `${publicKey}:${privateKey}`, dataType: "json" } as const;
  return { read: async () => (await client.request(address, options)).data };
});
