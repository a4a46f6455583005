/**
 * Runs a lookup in the program's own process. This module is loaded for the first lookup, because it
 * loads the resources and the HTTP client. A program without lookups needs neither.
 */
import * as pulumi from "@pulumi/pulumi";
import { CallSecrets } from "../api/call-secrets";
import { canonicalArguments, checkLookup, lookupNamed } from "../functions";
import { secretTexts } from "../resources/contract/secret-texts";
import { SharedCauses } from "../resources/session/shared-causes";
import { errorReport, KeyRefusedError, RefusedError, sharedCauseOf } from "../text/errors";
import { type Connection, connectWith, forget, readSettings } from "./connection";
import { type Plain, toPlain, visibleValues } from "./properties";

/**
 * @param secrets names of the arguments that hold a secret
 * @throws RunError, whose message alone is shown and is free of secrets
 */
export async function runLookup(name: string, args: Plain, secrets: readonly string[]): Promise<Plain> {
  const given = visibleValues(args);
  const call = new CallSecrets();
  call.add(secretTexts(given, new Set(secrets)));
  let connection: Connection | undefined;
  try {
    connection = connectWith(readSettings((key) => pulumi.runtime.getConfig(key)))();
    const { session } = connection;
    call.connect(session.client);
    const lookup = lookupNamed(name);
    const values = canonicalArguments(lookup, given, session);
    const failures = checkLookup(lookup, values);
    if (failures.length > 0) {
      throw new RefusedError(`${name}: ${failures.map(({ reason }) => reason).join(" ")}`);
    }
    return toPlain(
      await lookup.invoke({ args: values, context: { session, signal: new AbortController().signal } }),
    );
  } catch (error) {
    // Without the cause and its stack: their texts are not masked.
    const text = connection?.session.of(SharedCauses).reportLookup(error, name) ?? errorReport(error);
    if (connection && (error instanceof KeyRefusedError || sharedCauseOf(error))) forget(connection);
    throw new pulumi.RunError(call.redact(text));
  }
}
