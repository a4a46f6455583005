/** Starts one process of the row: `node start.mjs FILE.ts`. */
import { loadTypeScript } from "../../../scripts/lib/typescript.mts";

loadTypeScript(process.argv[2] ?? "");
