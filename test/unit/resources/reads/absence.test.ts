/** What an older state cannot prove. The stories of deleted projects: `test/integration/project/deleted.test.ts`. */
import type { Context } from "../../../../provider/resources/contract/resource";
import { absenceOfProject } from "../../../../provider/resources/reads/absence";
import { ApiError } from "../../../../provider/text/errors";
import { newSession } from "../checker";

const notFound = new ApiError("Reading project p1 failed: 404.", {
  status: 404,
  errorCode: "GROUP_NOT_FOUND",
  detail: "No such group.",
});

const session = newSession({}, { origin: "https://om.example.com" });
const context = { session, urn: "urn:pulumi:payments" } as Context;

test("a project that is not found stays in the state if no organization is recorded, with what to check and to do", async () => {
  const failure = absenceOfProject(notFound, { projectId: "p1" }, context);
  await expect(failure).rejects.toMatchObject({
    message:
      "Project p1 stays in the state: it seems to be deleted, but the record names no organization. (Reading project p1 failed: 404.) Check baseUrl (https://om.example.com): it may be the address of another service. After correcting it, run: pulumi up --refresh --run-program. If you know that the project or its organization was deleted, run: pulumi state delete 'urn:pulumi:payments'.",
    status: 404,
    errorCode: "GROUP_NOT_FOUND",
    detail: "No such group.",
  });
});
