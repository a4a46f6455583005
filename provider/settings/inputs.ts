/**
 * The provider's settings: their schema, and the check of their shape.
 *
 * The zod object is the one source of validation, of the package schema's provider block and of
 * the table in docs/settings.md.
 */
import { z } from "zod";
import { OBJECT_ID } from "../text/object-id";

declare module "zod" {
  interface GlobalMeta {
    /** The value is a secret: encrypted in state, masked in output. */
    secret?: boolean;
    /** The default, described for documents; the resources apply it. */
    defaultText?: string;
    /** Name of an object type in the SDKs. */
    typeName?: string;
  }
}

/**
 * Accepts text too. The engine passes every setting of a default provider as text, and others as
 * JSON text (Node SDK, gen.go).
 */
function fromText<T extends z.ZodType>(type: T) {
  const parsed = z.preprocess((value) => {
    if (typeof value !== "string") return value;
    if (value.trim() === "") return undefined;
    try {
      const read: unknown = JSON.parse(value);
      return typeof read === "object" ? value : read;
    } catch {
      return value;
    }
  }, type);
  return parsed.optional();
}
const trimmed = z.string("must be text").trim();
const textSetting = trimmed.optional();
/** A boolean, or its name as text; it may be absent. */
export const flag = fromText(z.boolean("must be true or false"));
const atLeast = (least: number) => z.int("must be a whole number").min(least, `must be ${least} or more`);
const wholeNumberSetting = (least: number) => fromText(atLeast(least));
/** Timers count in 32 bits of milliseconds; a longer time makes them end at once. */
const MOST_SECONDS = 86_400;
const secondsSetting = (least: number) =>
  fromText(atLeast(least).max(MOST_SECONDS, `must be ${MOST_SECONDS} or less`));

/** The values that apply if a setting is left out. */
export const standardSettings = {
  skipTlsVerification: false as boolean,
  requestTimeoutSeconds: 60 as number,
  maxRetries: 4 as number,
  maxConcurrentRequests: 16 as number,
  invitationsPerMinute: 10 as number,
  refreshBeforeUpdate: true as boolean,
  readCacheSeconds: 30 as number,
  maxRemovalsPerRun: 100 as number,
};

const standard = (name: keyof typeof standardSettings) => ({ defaultText: String(standardSettings[name]) });

export const settingsInputs = z.strictObject({
  baseUrl: textSetting.meta({
    description:
      "Address of Ops Manager or Cloud Manager: `https://host:port`, with or without `/api/public/v1.0`. `http://` is accepted for loopback addresses only, unless `allowInsecureHttp` is set.",
  }),
  publicKey: trimmed
    .regex(/^[!-~]*$/, "must not contain spaces or non-ASCII characters")
    .optional()
    .meta({
      description: "Public part of the API key pair. Both parts come from the same source.",
    }),
  privateKey: textSetting.meta({ secret: true, description: "Private part of the API key pair." }),
  clientId: trimmed
    .regex(/^[!-~]*$/, "must not contain spaces or non-ASCII characters")
    .optional()
    .meta({
      description:
        "ID of a service account of Cloud Manager, `mdb_sa_id_` and 24 hexadecimal digits. Set it in place of `publicKey` and `privateKey`. `clientId`, `clientSecret` and `tokenUrl` come from the same source.",
    }),
  clientSecret: textSetting.meta({ secret: true, description: "Secret of the service account." }),
  tokenUrl: textSetting.meta({
    defaultText: "Cloud Manager's `https://cloud.mongodb.com/api/oauth/token`, if `baseUrl` is its address",
    description:
      "Address that returns access tokens for the service account. It is needed only if `baseUrl` is not `https://cloud.mongodb.com`, such as for a gateway. `http://` is accepted as for `baseUrl`.",
  }),
  orgId: trimmed
    .toLowerCase()
    .regex(OBJECT_ID, "must be the id of an organization: 24 hexadecimal digits")
    .optional()
    .meta({
      description:
        "ID of an organization, 24 hexadecimal digits: the default of `orgId` for new resources and for functions. It does not apply where `projectId` is set. A resource that exists keeps its organization if this setting changes.",
    }),
  caCert: textSetting.meta({
    description:
      "Certificate of the authority that signed the service's certificate: PEM text, or the path of a PEM file, relative to the Pulumi program. Trusted besides the public authorities and the system's; may hold several.",
  }),
  clientCert: textSetting.meta({
    description:
      "Client certificate for mutual TLS, needed together with `clientKey`: PEM text, or the path of a PEM file. With several, the client's own comes first.",
  }),
  clientKey: textSetting.meta({
    secret: true,
    description: "Private key of `clientCert`: PEM text, or the path of a PEM file.",
  }),
  proxyUrl: textSetting.meta({
    secret: true,
    defaultText: "the environment's HTTPS_PROXY, unless NO_PROXY names the service",
    description:
      "HTTP proxy for the connection, with credentials if it requires them: `http://user:password@host:port`.",
  }),
  skipTlsVerification: flag.meta({
    ...standard("skipTlsVerification"),
    description: "Accept any certificate. For trials only, because the connection can be intercepted.",
  }),
  allowInsecureHttp: flag.meta({
    defaultText: "false",
    description: "Allow `http://` to hosts other than loopback.",
  }),
  requestTimeoutSeconds: secondsSetting(1).meta({
    ...standard("requestTimeoutSeconds"),
    description:
      "Seconds until a request without a complete response ends. A call with all its attempts and the waits between them may take twice as long.",
  }),
  maxRetries: wholeNumberSetting(0).meta({
    ...standard("maxRetries"),
    description: "Number of further attempts of a request that failed and is safe to repeat. `0` means none.",
  }),
  maxConcurrentRequests: wholeNumberSetting(1).meta({
    ...standard("maxConcurrentRequests"),
    description:
      "Largest number of calls under way at once. A call that waits before its next attempt counts; an invitation that waits for its turn does not.",
  }),
  requestsPerSecond: fromText(z.number("must be a number").positive("must be more than 0")).meta({
    defaultText: "no limit",
    description:
      "Largest number of calls of the API begun per second; a repeated attempt is not counted again.",
  }),
  invitationsPerMinute: wholeNumberSetting(1).meta({
    ...standard("invitationsPerMinute"),
    description:
      "Largest number of invitations sent in a minute, after the service has refused one because of its rate limit (INVITATIONS_RATE_LIMITED_IP). Until then there is no limit.",
  }),
  refreshBeforeUpdate: flag.meta({
    ...standard("refreshBeforeUpdate"),
    description:
      "Read every object before each `preview` and `up`, so that a preview shows drift and `up` corrects it without `--refresh`. This takes one request for each of the first projects of an organization and a few for all others, or one for each project if the service lists projects without tags. The people of a project take two or three requests. Even with `false`, a run reads pending invitations and whatever failed in the last run.",
  }),
  readCacheSeconds: secondsSetting(0).meta({
    ...standard("readCacheSeconds"),
    description:
      "How many seconds the reads of a refresh or a preview may share one read of a project, of its people, and of the list of an organization's projects. Writes never use shared reads. With `0`, only concurrent reads are shared.",
  }),
  maxRemovalsPerRun: wholeNumberSetting(0).meta({
    ...standard("maxRemovalsPerRun"),
    description:
      "Largest number of removals by all resources of one provider in one run. Each person (member or invited), team and API key counts once for each project, team and organization that they leave. Leaving an organization counts there and in each of its projects and teams, and a deleted `Team` counts each of its people. An API key does not count if another one with the same roles replaces it. Each explicit provider counts for itself. A preview does not count people, teams and keys that would be deleted with their resource. Beyond the limit, nothing is removed, and the error names this setting. `0` means none.",
  }),
});

export type SettingName = keyof z.output<typeof settingsInputs>;

export type SettingValues = Partial<Record<SettingName, unknown>>;

/** Reserved input keys of every provider resource (engine, providers/registry.go). */
const RESERVED = new Set(["version", "pluginDownloadURL", "__internal", "__defaults"]);

interface SettingFault {
  readonly property: string;
  readonly reason: string;
}

/**
 * Checks the shape of settings, for CheckConfig. The caller must omit values that are still
 * unknown to the engine.
 */
export function settingFaults(values: Readonly<Record<string, unknown>>): SettingFault[] {
  const parsed = settingsInputs.safeParse(withoutReserved(values));
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue): SettingFault[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ property: key, reason: `${key} is not a setting of this provider.` }))
      : [{ property: String(issue.path[0] ?? ""), reason: `${issue.path.join(".")} ${issue.message}.` }],
  );
}

export function withoutReserved(values: Readonly<Record<string, unknown>>): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !RESERVED.has(name)));
}

/**
 * Whether a value is set. Blank text, as from an empty environment variable, counts as not set.
 */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && (typeof value !== "string" || value.trim() !== "");
}
