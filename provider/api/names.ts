/** The names of projects, organizations and teams, so that messages need not name them by id alone. */
import { visibleText } from "../text/visible-text";

/** Not the mark of a notice, such as `[unreadable] [project 5f…]`, which `opsmanager drift` reads. */
const BY_ID_ALONE = /(?<!\[)\b(?:[Pp]roject|[Oo]rganization|[Tt]eam) ([0-9a-f]{24})\b(?! \(")/g;

export class ObjectNames {
  readonly #names = new Map<string, string>();
  readonly #hidden = new Set<string>();

  /** Remembers the name of an object that the service returned. */
  learn(entry: unknown): void {
    if (typeof entry !== "object" || entry === null || !("id" in entry) || !("name" in entry)) return;
    const { id, name } = entry;
    if (typeof id === "string" && typeof name === "string") this.#names.set(id, name);
  }

  /** Whether a response contained the object of this ID, with its name. */
  has(id: string): boolean {
    return this.#names.has(id);
  }

  /** These texts are secrets of one operation, and as names stay hidden in the messages of all others. */
  hide(secrets: readonly string[]): void {
    for (const secret of secrets) this.#hidden.add(secret);
  }

  /** `project 5f…a1` becomes `project 5f…a1 ("payments")`, if the name is known. */
  inText(text: string): string {
    return text.replace(BY_ID_ALONE, (alone: string, id: string) => {
      const name = this.#names.get(id);
      return name === undefined || this.#hidden.has(name) ? alone : `${alone} ("${visibleText(name)}")`;
    });
  }
}
