/** The JSON Schema of the report, for whoever reads what `--format json` writes. */
import { z } from "zod";
import { driftReport } from "./report";

const TITLE = "What opsmanager drift found";

/** The format gets more fields in time, and a reader with an older schema has to go on: more properties are allowed. */
export function driftReportJsonSchema(): object {
  const schema = z.toJSONSchema(driftReport, {
    io: "output",
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  return { title: TITLE, ...schema };
}
