import { access } from "node:fs/promises";

/** Whether a file or a folder with this path exists and is visible to this process. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
