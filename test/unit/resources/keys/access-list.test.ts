import {
  accessListFault,
  entryOf,
  normalEntry,
  toRequest,
} from "../../../../provider/resources/keys/api-key-access-list";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7/32", "192.0.2.7"],
  ["192.0.2.0/24", "192.0.2.0/24"],
  ["192.0.2.7/24", "192.0.2.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0:0::1", "2001:db8::1"],
  ["2001:db8::1/128", "2001:db8::1"],
  ["2001:db8::1/32", "2001:db8::/32"],
  // A block of an IPv6 address with the bits of a complete IPv4 address.
  ["2001:db8::/32", "2001:db8::/32"],
  ["no address", "no address"],
])("the entry %s of an access list has the form %s", (text, form) => {
  expect(normalEntry(text)).toBe(form);
  expect(normalEntry(form)).toBe(form);
});

const notAnAddress = "must be an IPv4 or IPv6 address, or a block such as 192.0.2.0/24";

test.each([
  ["10", notAnAddress],
  ["0x7f.1", notAnAddress],
  ["fe80::1%eth0", notAnAddress],
  ["192.0.2.0/33", notAnAddress],
  ["2001:db8::/129", notAnAddress],
  ["192.0.2.0/24/24", notAnAddress],
  ["192.0.2.0/", notAnAddress],
  ["/24", notAnAddress],
  [
    "2001:DB8::1/32",
    "must be one address or the beginning of a block: write 2001:db8::1 for the address alone, or 2001:db8::/32 for the block",
  ],
  ["192.0.2.7", undefined],
  ["192.0.2.7/32", undefined],
  ["192.0.2.0/24", undefined],
  ["2001:db8::1/128", undefined],
  ["2001:DB8:0::/32", undefined],
])("the entry %s of an access list has the fault %j", (text, fault) => {
  expect(accessListFault(text)).toBe(fault);
});

test.each([
  [{ cidrBlock: "192.0.2.7/32", ipAddress: "192.0.2.7" }, "192.0.2.7"],
  [{ cidrBlock: "192.0.2.0/24", ipAddress: "192.0.2.1" }, "192.0.2.0/24"],
  [{ ipAddress: "2001:DB8::1" }, "2001:db8::1"],
  [{}, undefined],
])("the entry %j of a response is %j", (response, entry) => {
  expect(entryOf(response)).toBe(entry);
});

test("a request has an address and a block by their own names", () => {
  expect(["192.0.2.7", "2001:db8::/32"].map(toRequest)).toEqual([
    { ipAddress: "192.0.2.7" },
    { cidrBlock: "2001:db8::/32" },
  ]);
});
