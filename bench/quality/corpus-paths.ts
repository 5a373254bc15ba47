// Finds the file that a text refers to. A mention in a reply counts only if it names a file of the corpus.
import { readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

export class CorpusPaths {
  readonly #folder: string;
  readonly #root: string;
  readonly #paths: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, string | undefined>();

  /** `folder` holds the corpus, in which `root` is indexed; `paths` are the indexed files, relative to `folder`. */
  constructor(folder: string, root: string, paths: readonly string[]) {
    this.#folder = resolve(folder);
    this.#root = root;
    this.#paths = new Set(paths);
    this.#byName = Map.groupBy(paths, baseName);
  }

  get size(): number {
    return this.#paths.size;
  }

  /**
   * The path relative to the root of the corpus. A mention may be absolute, relative to the indexed folder or the
   * corpus, or an ending that only one file has.
   */
  find(mention: string): string | undefined {
    if (this.#known.has(mention)) return this.#known.get(mention);
    const path = this.#find(mention);
    this.#known.set(mention, path);
    return path;
  }

  #find(mention: string): string | undefined {
    let path = decoded(
      mention
        .replace(/^file:\/\//, "")
        .replaceAll("\\", "/")
        .replaceAll(/\/+/g, "/"),
    );
    if (path.startsWith(`${this.#folder}/`)) path = path.slice(this.#folder.length + 1);
    path = path.replace(/^(?:\.\/)+/, "");
    const below = `${this.#root}/${path}`;
    if (this.#root !== "" && this.#paths.has(below)) return below;
    return this.#paths.has(path) ? path : this.#findByEnd(path.replace(/^\/+/, ""));
  }

  #findByEnd(path: string): string | undefined {
    const candidates = this.#byName.get(baseName(path)) ?? [];
    const longer = candidates.filter((one) => one === path || one.endsWith(`/${path}`));
    if (longer.length === 1) return longer[0];
    const shorter = candidates.filter(
      (one) => path.endsWith(`/${one}`) || this.#isBelow(one, path),
    );
    return shorter.length === 1 ? shorter[0] : undefined;
  }

  /** Whether a mention is the path relative to the indexed folder with a prefix, such as the folder's name. */
  #isBelow(path: string, mention: string): boolean {
    if (this.#root === "" || !path.startsWith(`${this.#root}/`)) return false;
    return mention.endsWith(`/${path.slice(this.#root.length + 1)}`);
  }
}

/** Reads the paths of a corpus, or of a folder of it. */
export function corpusPathsOf(folder: string, root: string): CorpusPaths {
  const base = join(folder, root);
  const paths = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  return new CorpusPaths(folder, root, paths);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function decoded(path: string): string {
  if (!/%[0-9a-f]{2}/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
