import { list } from "tar";

export interface ArchivedFile {
  readonly text: string;
  readonly mode: number;
}

/** The files of a `.tar.gz`, by path, in the order in which they are in it. */
export async function filesOf(archive: string): Promise<Map<string, ArchivedFile>> {
  const files = new Map<string, ArchivedFile>();
  await list({
    file: archive,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on("data", (chunk) => chunks.push(chunk));
      entry.on("end", () =>
        files.set(entry.path, { text: Buffer.concat(chunks).toString(), mode: entry.mode ?? 0 }),
      );
    },
  });
  return files;
}
