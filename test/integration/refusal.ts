/** The fault of the sandbox that rejects a request with this code. */
export function refusal(status: number, errorCode: string) {
  return { status, body: { error: status, reason: "Refused", errorCode, detail: "Not now." } };
}
