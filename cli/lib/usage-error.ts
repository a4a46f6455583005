import { ConfigurationError } from "../../provider/text/errors";

/** The command line is invalid: the message names what to change in it. Nothing was read or written. */
export class UsageError extends ConfigurationError {}
