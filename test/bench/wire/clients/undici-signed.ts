/**
 * undici and a signature, without any other layer: no limits, no repeated attempts, no time limit, no check of the response's
 * shape. No client that signs can be faster.
 */
import { Pool } from "undici";
import { chooseChallenge, headerValues, Nonce } from "../../../../provider/transport";
import { serveLoad } from "../load";

serveLoad(({ address, publicKey, privateKey, atOnce }) => {
  const { origin, pathname: target } = new URL(address);
  const pool = new Pool(origin, { connections: atOnce });
  const headers = { accept: "application/json", "user-agent": "undici", "accept-encoding": "gzip" };
  const get = (more: Readonly<Record<string, string>>) =>
    pool.request({ path: target, method: "GET", headers: { ...headers, ...more } });
  let signedIn: Promise<Nonce> | undefined;
  const signIn = async () => {
    const response = await get({});
    await response.body.dump();
    const challenge = chooseChallenge(headerValues(response, "www-authenticate"));
    if (!challenge) throw new Error("The service sent no challenge.");
    return new Nonce(challenge, { publicKey, privateKey });
  };
  return {
    read: async () => {
      signedIn ??= signIn();
      const signed = (await signedIn).sign({ method: "GET", target, headers: {} }, true);
      const { statusCode, headers: answered, body } = await get(signed.request.headers);
      signed.infoOf({ status: statusCode, headers: answered, body: "" });
      return body.json();
    },
    close: () => pool.close(),
  };
});
