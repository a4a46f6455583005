import { lastDaysOf } from "../../../cli/lib/access/last-days";

const [projectId = "", orgId = "", keyId = ""] = ["01", "02", "03"].map(
  (end) => `5f00000000000000000000${end}`,
);
const resource = (
  kind: string,
  name: string,
  id: string,
  inputs: object,
  outputs: object = {},
  parents = "",
) => {
  const type = `opsmanager:index:${kind}`;
  return {
    ...{ urn: `urn:pulumi:prod::platform::${parents}${type}::${name}`, type, id, custom: true },
    ...{ inputs: { ...inputs }, outputs: { ...outputs } },
  };
};
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "" };

it("last days of all kinds are read from their resources, marked ones too, with the place by its name", () => {
  const days = lastDaysOf([
    resource(
      "ApiKey",
      "acme/ci",
      `${orgId}/${keyId}`,
      { description: "ci", until: "2030-03-31" },
      { keyId },
      "opsmanager:index:OrganizationFile$",
    ),
    resource(
      "OrganizationMember",
      "ada",
      `${orgId}/ada`,
      { username: "ada", until: "2030-01-31", ended: true },
      { endedAt: "2030-02-01T00:00:00Z" },
    ),
    resource("Project", "payments", projectId, {}, { name: "Payments" }),
    resource("ProjectMember", "bob", `${projectId}/bob`, { username: "bob", until: "2030-02-28" }),
    resource("ProjectMember", "carol", `${projectId}/carol`, { username: "carol" }),
    resource("ProjectMembers", "people", projectId, { until: { dan: "2030-05-31", eve: "2030-06-30" } }),
    resource("ProjectMembers", "hidden", projectId, { until: secret }),
    resource("ProjectTeam", "ops", `${projectId}/ops`, { teamName: "ops", until: "2030-02-28" }),
    // These roles end with the key.
    ...["2030-03-31", "2030-04-30", "2030-03-30"].map((until) =>
      resource(
        "ProjectApiKey",
        `key ${until}`,
        `${projectId}/${keyId}`,
        { publicKey: "abcdefgh", until },
        { keyId },
      ),
    ),
    resource("Team", "operators", `${orgId}/ops`, { until: { grace: "2030-02-28" } }, { name: "operators" }),
  ]);
  expect(days).toEqual([
    { place: "project Payments", username: "bob", until: "2030-02-28" },
    { place: "project Payments", username: "dan", until: "2030-05-31" },
    { place: "project Payments", username: "eve", until: "2030-06-30" },
    { place: "project Payments", name: "ops", until: "2030-02-28" },
    { place: "project Payments", name: "abcdefgh", until: "2030-03-30" },
    { place: "team operators", username: "grace", until: "2030-02-28" },
    { place: "organization acme", name: "ci", until: "2030-03-31" },
    { place: `organization ${orgId}`, username: "ada", until: "2030-01-31" },
  ]);
});
