/** undici alone, the HTTP client below the provider's own: the same request, and the service requires no credentials. */
import { Pool } from "undici";
import { serveLoad } from "../load";

serveLoad(({ address, atOnce }) => {
  const { origin, pathname } = new URL(address);
  const pool = new Pool(origin, { connections: atOnce });
  const headers = { accept: "application/json", "user-agent": "undici", "accept-encoding": "gzip" };
  return {
    read: async () => (await pool.request({ path: pathname, method: "GET", headers })).body.json(),
    close: () => pool.close(),
  };
});
