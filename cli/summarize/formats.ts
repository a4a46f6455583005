import { markdown } from "./markdown";
import { text } from "./text";
import type { Format } from "./words";

export const formats = { text, markdown } satisfies Readonly<Record<string, Format>>;
