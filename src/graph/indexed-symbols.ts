// The symbols of files and names, read from the index and cached. One instance per index generation.

import type { IndexReader } from "../index/port.ts";
import type { Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { scopedFile, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";

/** Maximum cached files, and maximum cached names: about 20 MB for a large project. */
export const MAX_CACHED_FILES = 4000;
/** Maximum definitions to read per name. */
const MAX_DEFINITIONS_PER_NAME = 300;

type UsesByOwner = ReadonlyMap<number, readonly Use[]>;

/** Reads and caches files and definitions of one index generation. */
export class IndexedSymbols {
  readonly #reader: IndexReader;
  readonly #files = new BoundedCache<Promise<ScopedFile | undefined>>(MAX_CACHED_FILES);
  readonly #definitionsCache = new BoundedCache<Promise<readonly SymbolRef[]>>(MAX_CACHED_FILES);
  readonly #inheritsCache = new BoundedCache<Promise<UsesByOwner>>(MAX_CACHED_FILES);

  constructor(reader: IndexReader) {
    this.#reader = reader;
  }

  /** Returns the scope of a file, or undefined if the index does not have the file. */
  file(path: string): Promise<ScopedFile | undefined> {
    return this.#files.get(path, async () => {
      const scope = await this.#reader.scopeOf(path);
      return scope && scopedFile(scope);
    });
  }

  /** Returns all definitions of a name, case-sensitive. */
  definitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#definitionsCache.get(name, () => this.#definitions(name));
  }

  async #definitions(name: string): Promise<readonly SymbolRef[]> {
    const hits = await this.#reader.symbolsNamed(name, MAX_DEFINITIONS_PER_NAME);
    const found: SymbolRef[] = [];
    for (const hit of hits) {
      if (hit.name !== name) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await this.file(hit.path);
      const same = file && symbolsIn(file, hit.qualifiedName);
      const ref = same?.find(({ facts }) => facts.startLine === hit.startLine);
      if (ref !== undefined) found.push(ref);
    }
    return found;
  }

  /** Returns the uses of supertypes in a file, by the symbol number of the type that inherits. */
  inheritsOf(path: string): Promise<UsesByOwner> {
    return this.#inheritsCache.get(path, async () =>
      Map.groupBy(await this.#reader.inheritsOf(path), ({ owner }) => owner),
    );
  }
}
