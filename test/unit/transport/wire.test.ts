import { describeRequest, errorCodeOf, retryAfter } from "../../../provider/transport/wire";
import { get, status } from "./fake-wire";

test.each([
  ["/api/public/v1.0/groups", "GET /api/public/v1.0/groups"],
  ["/groups?pageNum=1&name=a?b\n", "GET /groups?..."],
  ["/users/byName/ada@example.com", "GET /users/byName/..."],
  ["/users/byName/ada%2Fb/access?pretty=true", "GET /users/byName/.../access?..."],
])("the log describes %j without the values that a program may keep secret", (target, expected) => {
  expect(describeRequest(get(target))).toBe(expected);
});

test.each([
  [399, '{"errorCode":"A_CODE"}', undefined],
  [400, '{"errorCode":"A_CODE"}', "A_CODE"],
  [404, '{ "detail": "x", "errorCode" :  "GROUP_NOT_FOUND", "error": 404 }', "GROUP_NOT_FOUND"],
  [404, "<html>", undefined],
])("a response of status %d with %s has the error code %p", (code, body, expected) => {
  expect(errorCodeOf(status(code, body))).toBe(expected);
});

const date = "Sun, 01 Feb 2026 12:00:00 GMT";

test.each([
  ["in seconds", { "retry-after": " 30 " }, 30_000],
  ["as a date, by the clock of the service", { "retry-after": "Sun, 01 Feb 2026 12:00:07 GMT", date }, 7_000],
  ["as a date that has passed", { "retry-after": "Sun, 01 Feb 2026 11:59:00 GMT", date }, 0],
  ["by the first of two values", { "retry-after": ["2", "9"] }, 2_000],
  ["by no value", { "retry-after": " " }, undefined],
  ["by neither seconds nor a date", { "retry-after": "1.5 seconds" }, undefined],
  ["by no header", {}, undefined],
])("a service says when to repeat a request %s", (_, headers, expected) => {
  expect(retryAfter(status(503, "", headers))).toBe(expected);
});

test("a date to repeat a request counts by this machine's clock if the response has none", () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const wait = retryAfter(status(503, "", { "retry-after": inAnHour }));
  expect(wait).toBeGreaterThan(3_500_000);
  expect(wait).toBeLessThanOrEqual(3_600_000);
});
