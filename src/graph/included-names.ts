// Resolves the names that a C file sees through its includes.

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

/** Maximum headers to follow per file. Most files include fewer. */
const MAX_HEADERS = 400;
/** Maximum number of files whose headers are cached. */
const MAX_CACHED_HEADER_SETS = 400;

/** What `IncludedNames` reads. */
interface HeaderSources {
  readonly file: (path: string) => Promise<ScopedFile | undefined>;
  /** Returns the path of the header that an include refers to. */
  readonly header: (file: ScopedFile, module: string) => string | undefined;
  readonly definitions: (name: string) => Promise<readonly SymbolRef[]>;
}

/** Resolves names through includes. Caches the headers of files. */
export class IncludedNames {
  readonly #sources: HeaderSources;
  readonly #headers = new BoundedCache<Promise<ReadonlySet<string>>>(MAX_CACHED_HEADER_SETS);

  constructor(sources: HeaderSources) {
    this.#sources = sources;
  }

  /** Of the definitions of a name, returns those in headers that the file includes, or else the only one. */
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

  /** Returns the type definitions in headers that give a structure its own name, in the file that defines it. */
  async typedefsOf({ file, facts }: SymbolRef): Promise<readonly SymbolRef[]> {
    const all = await this.#sources.definitions(facts.name);
    const others = all.filter(
      (ref) =>
        ref.file.path !== file.path &&
        ref.facts.kind === "type" &&
        ref.file.types[ref.number] === `@${facts.name}` &&
        canUse(ref.file.language, "c"),
    );
    if (others.length === 0) return others;
    const headers = await this.#headers.get(file.path, () => this.#headersOf(file));
    return others.filter((ref) => headers.has(ref.file.path));
  }

  /** Resolves a name in a namespace. Files that define something in that namespace take precedence. */
  async inNamespace(file: ScopedFile, path: string, name: string): Promise<Entity | undefined> {
    // Projects only add specializations to `std`.
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

  /** Returns the paths of the headers that the file includes, directly and indirectly, closest first. */
  async #headersOf(start: ScopedFile): Promise<ReadonlySet<string>> {
    const { header, file } = this.#sources;
    const visited = new Set<string>([start.path]);
    const queue: ScopedFile[] = [start];
    for (const one of queue) {
      for (const { isWildcard, module } of one.imports) {
        const path = isWildcard ? header(one, module) : undefined;
        if (path === undefined || visited.has(path) || visited.size > MAX_HEADERS) continue;
        visited.add(path);
        // oxlint-disable-next-line no-await-in-loop -- breadth first
        const next = await file(path);
        if (next !== undefined) queue.push(next);
      }
    }
    visited.delete(start.path);
    return visited;
  }
}
