import { ObservationLog } from "../../../../provider/resources/session/observations";
import { urnOf } from "../checker";

const urn = urnOf("Project", "payments");
const other = urnOf("Project", "ledger");
const project = (id: string, name: string) =>
  ({ kind: "Project", id, origin: "created", names: [{ orgId: "org", name }] }) as const;

test("a resource has the last object that it held, with every name under which this one was seen", () => {
  const log = new ObservationLog();
  log.record(urn, project("p1", "old"));
  log.record(urn, project("p1", "new"));
  expect(log.last(urn)).toEqual({
    ...project("p1", "old"),
    names: [
      { orgId: "org", name: "old" },
      { orgId: "org", name: "new" },
    ],
  });
  for (const name of ["old", "new"]) expect(log.projectUnder(urn, { orgId: "org", name })).toBe("p1");
  log.record(urn, project("p2", "newest"));
  expect(log.projectUnder(urn, { orgId: "org", name: "new" })).toBeUndefined();
  expect(log.projectUnder(urn, { orgId: "org", name: "newest" })).toBe("p2");
});

test("a project is known under a name only in its organization, and only to its resource", () => {
  const log = new ObservationLog();
  log.record(urn, project("p1", "payments"));
  expect(log.projectUnder(urn, { orgId: "other", name: "payments" })).toBeUndefined();
  expect(log.projectUnder(urn, { orgId: "org", name: "ledger" })).toBeUndefined();
  expect(log.projectUnder(other, { orgId: "org", name: "payments" })).toBeUndefined();
});

test("a project that was moved outside Pulumi is known in both organizations", () => {
  const log = new ObservationLog();
  log.record(urn, project("p1", "payments"));
  log.record(urn, { ...project("p1", "ledger"), names: [{ orgId: "other", name: "ledger" }] });
  for (const orgId of ["org", "other"])
    for (const name of ["payments", "ledger"]) expect(log.projectUnder(urn, { orgId, name })).toBe("p1");
});

test("the holder of an object is another resource that holds this kind of object by this id", () => {
  const log = new ObservationLog();
  log.record(urn, project("p1", "payments"));
  expect(log.otherResourceWith("Project", "p1", other)).toBe(urn);
  expect(log.otherResourceWith("Project", "p1", urn)).toBeUndefined();
  expect(log.otherResourceWith("Project", "p2", other)).toBeUndefined();
  expect(log.otherResourceWith("ApiKey", "p1", other)).toBeUndefined();
});

test("the origin is that of the resource that holds the project itself", () => {
  const log = new ObservationLog();
  log.record(other, { kind: "ApiKey", id: "p1", origin: "imported", names: [] });
  expect(log.originOf("p1")).toBeUndefined();
  log.record(urn, project("p1", "payments"));
  expect([log.originOf("p1"), log.originOf("p2")]).toEqual(["created", undefined]);
  expect(log.all()).toHaveLength(2);
  log.forget();
  expect([log.all(), log.last(urn)]).toEqual([[], undefined]);
});
