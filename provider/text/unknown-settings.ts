/**
 * How a provider whose settings depend on what the run makes says in a preview that the engine will not configure it: a debug
 * message about it, as with `told-access.ts`. The events hide a secret setting, known or not.
 */
export const UNKNOWN_SETTINGS = "[unknown settings]";
