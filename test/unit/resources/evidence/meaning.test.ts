import {
  isLastOwnerRefusal,
  isOperationNotOffered,
  meaningOf,
} from "../../../../provider/resources/evidence/meaning";
import { ApiError, KeyRefusedError, UnexpectedResponseError } from "../../../../provider/text/errors";

const response = (status: number, errorCode?: string) => new ApiError("failed", { status, errorCode });

test.each([
  [404, "RESOURCE_NOT_FOUND"],
  [404, undefined],
  [405, undefined],
  [501, undefined],
])(
  "%d %s means that the operation is not offered, never that the object was deleted",
  (status, errorCode) => {
    expect(isOperationNotOffered(response(status, errorCode))).toBe(true);
    expect(meaningOf(response(status, errorCode))).toBe("missing-operation");
  },
);

test.each([
  "GROUP_NOT_FOUND",
  "INVALID_GROUP_ID",
  "USER_NOT_FOUND",
  "INVALID_USER_ID",
  "USERNAME_NOT_FOUND",
  "USER_NOT_IN_GROUP",
  "TEAM_NOT_FOUND",
  "TEAM_NOT_IN_ORG",
  "TEAM_NOT_IN_GROUP",
  "INVALID_TEAM_ID",
])("404 %s means that the object was deleted, and no other status does", (errorCode) => {
  expect(meaningOf(response(404, errorCode))).toBe("deleted");
  expect(meaningOf(response(400, errorCode))).toBe("failure");
  expect(meaningOf(response(403, errorCode))).toBe("unreadable");
});

test.each([
  ["an unknown path with another status", response(400, "RESOURCE_NOT_FOUND"), "failure"],
  ["a project that does not exist", response(404, "GROUP_NOT_FOUND"), "deleted"],
  ["an upgrade, which is a 405", response(405, "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES"), "failure"],
  ["an unknown code of a 404", response(404, "SOMETHING_NOT_FOUND"), "failure"],
  ["an error of the service", response(500), "failure"],
  ["a missing role", response(401, "USER_UNAUTHORIZED"), "unreadable"],
  ["a project that is deleted or hidden", response(401, "NOT_IN_GROUP"), "deleted-or-hidden"],
  ["a refused key", new KeyRefusedError("failed", { status: 401 }), "failure"],
  ["a web page of an unknown server", new UnexpectedResponseError("a web page"), "failure"],
])("%s does not mean that the operation is not offered", (_, error, meaning) => {
  expect(isOperationNotOffered(error)).toBe(false);
  expect(meaningOf(error)).toBe(meaning);
});

test.each([
  ["CANNOT_DELETE_LAST_OWNER", true],
  ["CANNOT_DELETE_LAST_ADMIN", true],
  ["CANNOT_DEMOTE_LAST_OWNER", true],
  ["IN_USE", false],
])("%s protects the last owner: %p", (errorCode, isLastOwner) => {
  expect(isLastOwnerRefusal(response(403, errorCode))).toBe(isLastOwner);
});
