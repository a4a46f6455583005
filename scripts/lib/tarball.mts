import { gzipSync } from "node:zlib";
import { Header } from "tar";

const blockSize = 512;
const operatingSystem = 9; // a byte of the gzip header, RFC 1952; 255 is "unknown"

/**
 * A `.tar.gz` that depends on nothing but its content: no owner, and a time that is always the same (tar knows no "none").
 * Of the package `tar` this takes the headers only; its `create` reads modes from files, and Windows has none to read.
 *
 * @param files in the order they get in the archive
 */
export function tarball(
  files: readonly { path: string; content: string | Buffer; executable?: boolean }[],
): Buffer {
  const entries = files.flatMap(({ path, content, executable }) => {
    const data = Buffer.from(content);
    const header = new Header({
      path,
      type: "File",
      mode: executable ? 0o755 : 0o644,
      size: data.length,
      uid: 0,
      gid: 0,
      mtime: new Date("2000-01-01T00:00:00Z"),
    });
    header.encode();
    return [header.block ?? Buffer.alloc(0), data, Buffer.alloc(-data.length & (blockSize - 1))];
  });
  const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * blockSize)]), { level: 9 });
  archive[operatingSystem] = 255;
  return archive;
}
