import type { Route } from "../router";
import { invitationRoutes } from "./invitations";
import { organizationRoutes } from "./organizations";
import { projectRoutes } from "./projects";
import { rootRoutes } from "./root";
import { userRoutes } from "./users";

/** THE list of operations. */
export const routes: readonly Route[] = [
  ...rootRoutes,
  ...projectRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...organizationRoutes,
];
