/** The people of the stories, and the roles that they have most often. */
export const ada = "ada@example.com";
export const ben = "ben@example.com";
export const bob = "bob@example.com";
export const cleo = "cleo@example.com";
export const eve = "eve@example.com";
export const grace = "grace@example.com";
export const linus = "linus@example.com";
export const olga = "olga@example.com";
export const owner = "owner@example.com";
export const stranger = "stranger@example.com";

export const readers = ["GROUP_READ_ONLY"];
export const owners = ["GROUP_OWNER"];
export const admins = ["GROUP_USER_ADMIN"];
