interface Person {
  readonly username: string;
  readonly roles: string[];
}

export const people: Person[] = [
  { username: "ada@example.com", roles: ["GROUP_OWNER"] },
  { username: "bob@example.com", roles: ["GROUP_READ_ONLY", "GROUP_DATA_ACCESS_READ_ONLY"] },
  { username: "eve@example.com", roles: ["GROUP_READ_ONLY", "GROUP_MONITORING_ADMIN"] },
];
