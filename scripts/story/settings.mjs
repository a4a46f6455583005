/** The provider's settings, as environment variables of a user. */

/** @param {import("./stage.mjs").Sandbox} service */
export function forService(service) {
  return {
    "opsmanager:baseUrl": service.baseUrl,
    "opsmanager:publicKey": service.publicKey,
    "opsmanager:privateKey": service.privateKey,
  };
}

/**
 * @param {import("./stage.mjs").Stage} stage
 * @param {Record<string, string>} values
 */
export async function configure(stage, values) {
  const secrets = [values["opsmanager:privateKey"] ?? ""];
  const args = Object.entries(values).flatMap(([name, value]) => [
    secrets.includes(value) ? "--secret" : "--plaintext",
    `${name}=${value}`,
  ]);
  await stage.pulumi(["config", "set-all", ...args], { secrets });
}
