import type { Context } from "../../../../provider/resources/contract/resource";
import { absenceOfProject, isProjectDeleted } from "../../../../provider/resources/reads/absence";
import { ApiError, UnexpectedResponseError } from "../../../../provider/text/errors";
import { newSession } from "../checker";

const project = { projectId: "p1", orgId: "o1" };
const notFound = new ApiError("Reading project p1 failed: 404.", {
  status: 404,
  errorCode: "GROUP_NOT_FOUND",
  detail: "No such group.",
});

/** @param list what the organization responds, from the first to the last read */
function contextOf(...list: (readonly string[] | Error)[]): Context {
  const client = {
    origin: "https://om.example.com",
    list: async () => {
      const response = list.length > 1 ? list.shift() : list[0];
      if (response instanceof Error) throw response;
      return (response ?? []).map((id) => ({ id }));
    },
  };
  const { signal } = new AbortController();
  return { session: newSession({}, client), urn: "urn:pulumi:payments", signal } as unknown as Context;
}

describe("a project that is not found", () => {
  test("is deleted only if the list of its organization lacks it", async () => {
    expect(await absenceOfProject(notFound, project, contextOf(["p2"]))).toBe("deleted");
    expect(await absenceOfProject(notFound, project, contextOf(["p1"]))).toBe("unreadable");
  });

  test.each([
    [401, "NOT_IN_GROUP", "deleted"],
    [403, "NOT_ALLOWED", "unreadable"],
    [404, undefined, "missing-operation"],
  ])("by %d %s counts as %s", async (status, errorCode, absence) => {
    const error = new ApiError("No.", { status, errorCode });
    expect(await absenceOfProject(error, project, contextOf([]))).toBe(absence);
  });

  test.each([
    ["a fault of the provider", new Error("a fault")],
    ["an error of the service", new ApiError("500", { status: 500, errorCode: "UNEXPECTED_ERROR" })],
    ["a response that is not understood", new UnexpectedResponseError("no JSON")],
  ])("is not meant by %s, which is thrown", async (_, error) => {
    await expect(absenceOfProject(error, project, contextOf([]))).rejects.toBe(error);
  });

  test("stays in the state if no organization is recorded, with what to check and to do", async () => {
    const failure = absenceOfProject(notFound, { projectId: "p1" }, contextOf([]));
    await expect(failure).rejects.toMatchObject({
      message:
        "Project p1 seems to be deleted, but the record names no organization, so the state keeps it. (Reading project p1 failed: 404.) Check baseUrl (https://om.example.com): it may be the address of another service. After correcting it, run: pulumi up --refresh --run-program. If you know that the project or its organization was deleted, run: pulumi state delete 'urn:pulumi:payments'.",
      status: 404,
      errorCode: "GROUP_NOT_FOUND",
      detail: "No such group.",
    });
  });

  test("stays in the state if its organization does not respond either, with that response", async () => {
    const refused = new ApiError("Listing the projects failed: 404.", {
      status: 404,
      errorCode: "ORG_NOT_FOUND",
    });
    const failure = absenceOfProject(notFound, project, contextOf(refused));
    await expect(failure).rejects.toThrow(
      "but its organization o1 does not respond either, so the state keeps it. (Listing the projects failed: 404.)",
    );
    const lost = new Error("The connection was reset.");
    await expect(absenceOfProject(notFound, project, contextOf(lost))).rejects.toBe(lost);
  });
});

describe("a rejected removal means that the project was deleted", () => {
  test("by a list that is read after the rejection", async () => {
    const context = contextOf(["p1"], ["p1"], []);
    await absenceOfProject(notFound, project, context);
    expect(await isProjectDeleted(notFound, project, context)).toBe(false);
    expect(await isProjectDeleted(notFound, project, context)).toBe(true);
  });

  test("never by what cannot be read", async () => {
    expect(await isProjectDeleted(notFound, project, contextOf(new Error("reset")))).toBe(false);
    expect(await isProjectDeleted(new Error("reset"), project, contextOf([]))).toBe(false);
  });
});
