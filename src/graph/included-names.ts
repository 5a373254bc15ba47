// What names mean that a file of C sees through what it includes.

import { BoundedCache } from "./bounded-cache.ts";
import {
  isOuter,
  OUTSIDE,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { canUse } from "./name-rules.ts";
import {
  asNamespace,
  isVisibleOutside,
  isHeader,
  uniqueDefinition,
} from "./visible-definitions.ts";

/** Headers of one file that are followed: more than most see. */
const MAX_HEADERS = 400;
/** Files whose headers are kept in memory. */
const MAX_CACHED_HEADER_SETS = 400;

interface HeaderSources {
  readonly file: (path: string) => Promise<ScopedFile | undefined>;
  /** The header that an import means. */
  readonly header: (file: ScopedFile, module: string) => string | undefined;
  readonly definitions: (name: string) => Promise<readonly SymbolRef[]>;
}

export class IncludedNames {
  readonly #sources: HeaderSources;
  readonly #headers = new BoundedCache<Promise<ReadonlySet<string>>>(MAX_CACHED_HEADER_SETS);

  constructor(sources: HeaderSources) {
    this.#sources = sources;
  }

  /** Of the definitions of a name those in the headers that the file sees, or else the only one there is. */
  async among(file: ScopedFile, all: readonly SymbolRef[]): Promise<Entity | undefined> {
    const others = all.filter(({ facts }) => facts.kind !== "module");
    const [only] = others;
    if (only === undefined) return OUTSIDE;
    if (others.length === 1 && (isHeader(only) || isVisibleOutside(only)))
      return symbolsEntity(others);
    const headers = await this.#headers.get(file.path, () => this.#headersOf(file));
    const visible = others.filter((ref) => headers.has(ref.file.path));
    return symbolsEntity(visible) ?? uniqueDefinition(others);
  }

  /** A name in a namespace: first of the files that have something in that namespace. */
  async inNamespace(file: ScopedFile, path: string, name: string): Promise<Entity | undefined> {
    // Projects only specialize what is there.
    if (path === "std") return OUTSIDE;
    const all = (await this.#sources.definitions(name)).filter(
      (ref) => isOuter(ref) && canUse(file.language, ref.file.language),
    );
    const namespace = asNamespace(file, symbolsEntity(all));
    if (namespace !== undefined) return { kind: "namespace", file, name: `${path}.${name}` };
    const last = path.slice(path.lastIndexOf(".") + 1);
    const inside = all.filter((ref) =>
      symbolsIn(ref.file, last).some(({ facts }) => facts.kind === "module"),
    );
    return this.among(file, inside.length === 0 ? all : inside);
  }

  /** The headers that the file includes, those that they include, and so on, the nearest first. */
  async #headersOf(start: ScopedFile): Promise<ReadonlySet<string>> {
    const { header, file } = this.#sources;
    const visited = new Set<string>([start.path]);
    const queue: ScopedFile[] = [start];
    for (const one of queue) {
      for (const { isWildcard, module } of one.imports) {
        const path = isWildcard ? header(one, module) : undefined;
        if (path === undefined || visited.has(path) || visited.size > MAX_HEADERS) continue;
        visited.add(path);
        // oxlint-disable-next-line no-await-in-loop -- level after level
        const next = await file(path);
        if (next !== undefined) queue.push(next);
      }
    }
    visited.delete(start.path);
    return visited;
  }
}
