/** Starts one process of the row: `node start.mjs FILE.ts`. */
import { loadTypeScript } from "../../../scripts/lib/typescript.mjs";

loadTypeScript(process.argv[2] ?? "");
