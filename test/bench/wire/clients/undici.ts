/** undici alone, which signs nothing: the HTTP client below the provider's own. */
import { Pool } from "undici";
import { serveLoad } from "../load";

serveLoad(({ address, atOnce }) => {
  const { origin, pathname } = new URL(address);
  const pool = new Pool(origin, { connections: atOnce });
  return {
    read: async () => (await pool.request({ path: pathname, method: "GET" })).body.json(),
    close: () => pool.close(),
  };
});
