// What the index has of files and names, as the graph needs it; kept in memory for one generation.

import type { IndexReader } from "../index/port.ts";
import type { Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { scopedFile, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";

/** Files and names that are kept in memory: some 20 MB of a big project. */
export const MAX_CACHED_FILES = 4000;
/** Definitions of one name that are looked at. */
const MAX_DEFINITIONS_PER_NAME = 300;

type UsesByOwner = ReadonlyMap<number, readonly Use[]>;

export class IndexedSymbols {
  readonly #reader: IndexReader;
  readonly #files = new BoundedCache<Promise<ScopedFile | undefined>>(MAX_CACHED_FILES);
  readonly #definitionsCache = new BoundedCache<Promise<readonly SymbolRef[]>>(MAX_CACHED_FILES);
  readonly #inheritsCache = new BoundedCache<Promise<UsesByOwner>>(MAX_CACHED_FILES);

  constructor(reader: IndexReader) {
    this.#reader = reader;
  }

  file(path: string): Promise<ScopedFile | undefined> {
    return this.#files.get(path, async () => {
      const scope = await this.#reader.scopeOf(path);
      return scope && scopedFile(scope);
    });
  }

  /** Definitions of a name in this very case, wherever they are. */
  definitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#definitionsCache.get(name, () => this.#definitions(name));
  }

  async #definitions(name: string): Promise<readonly SymbolRef[]> {
    const hits = await this.#reader.symbolsNamed(name, MAX_DEFINITIONS_PER_NAME);
    const found: SymbolRef[] = [];
    for (const hit of hits) {
      if (hit.name !== name) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly in memory already
      const file = await this.file(hit.path);
      const same = file && symbolsIn(file, hit.qualifiedName);
      const ref = same?.find(({ facts }) => facts.startLine === hit.startLine);
      if (ref !== undefined) found.push(ref);
    }
    return found;
  }

  /** The uses in a file that name a supertype, by the number of the type that inherits. */
  inheritsOf(path: string): Promise<UsesByOwner> {
    return this.#inheritsCache.get(path, async () => {
      const { uses } = await this.#reader.referencesOf(path);
      const inheriting = uses.filter(({ role }) => role === "inherit");
      return Map.groupBy(inheriting, ({ owner }) => owner);
    });
  }
}
