/** The report as it is, for programs; its JSON Schema is published with the package. */
import { driftReport } from "../report";
import type { Format } from "./format";

export const json: Format = (report) => `${JSON.stringify(driftReport.parse(report), null, 2)}\n`;
