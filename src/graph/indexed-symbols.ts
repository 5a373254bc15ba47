// The symbols of files and names, read from the index and cached. One instance per index generation.

import { ignoresCase } from "../base/ignores-case.ts";
import type { NamedSymbol } from "../index/port.ts";
import type { Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { ownerName, scopedFile, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";
import type { GraphReader } from "./graph-ports.ts";
import { canUse } from "./name-rules.ts";

/** Maximum cached files, and maximum cached names: about 20 MB for a large project. */
export const MAX_CACHED_FILES = 4000;
/** Maximum definitions to read per name. */
const MAX_DEFINITIONS_PER_NAME = 300;

/** Maximum names whose definitions are cached as the index has them: about a megabyte. */
const MAX_CACHED_HITS = 1000;

/** To look up the files that define a type takes as long as to read the definitions of this many files. */
const FILES_PER_OWNER = 20;

const C_SOURCE = /\.c$/;

type FindFile = (path: string) => Promise<ScopedFile | undefined> | undefined;

/** Where a name is that of a type or of its members. */
interface InnerPlaces {
  /** The files, in languages related to C. */
  readonly paths: Set<string>;
  /** The types that have such members. */
  readonly owners: ReadonlySet<string>;
  /** Whether `paths` also has the files that define types of those names. */
  isNear: boolean;
}

type UsesByOwner = ReadonlyMap<number, readonly Use[]>;

/** Reads and caches files and definitions of one index generation. */
export class IndexedSymbols {
  readonly #reader: GraphReader;
  readonly #elsewhere: FindFile;
  readonly #files = new BoundedCache<Promise<ScopedFile | undefined>>(MAX_CACHED_FILES);
  readonly #definitionsCache = new BoundedCache<Promise<readonly SymbolRef[]>>(MAX_CACHED_FILES);
  readonly #hitsCache = new BoundedCache<Promise<readonly NamedSymbol[]>>(MAX_CACHED_HITS);
  /** The files with definitions of those names of which all are known. */
  readonly #definingPaths = new BoundedCache<ReadonlySet<string>>(MAX_CACHED_HITS);
  /** Where those names may be those of types or of their members. */
  readonly #innerPlaces = new BoundedCache<InnerPlaces>(MAX_CACHED_HITS);
  readonly #inheritsCache = new BoundedCache<Promise<UsesByOwner>>(MAX_CACHED_FILES);

  /** `elsewhere`: finds the files of other projects. */
  constructor(reader: GraphReader, elsewhere: FindFile = () => undefined) {
    this.#reader = reader;
    this.#elsewhere = elsewhere;
  }

  /** Returns the scope of a file, or undefined if the index does not have the file. */
  file(path: string): Promise<ScopedFile | undefined> {
    const other = this.#elsewhere(path);
    if (other !== undefined) return other;
    return this.#files.get(path, async () => {
      const scope = await this.#reader.scopeOf(path);
      return scope && scopedFile(scope);
    });
  }

  /** Returns all definitions of a name, case-sensitive. */
  definitions(name: string): Promise<readonly SymbolRef[]> {
    return this.#definitionsCache.get(name, async () => this.#refsOf(await this.hits(name)));
  }

  /** Returns what the index has of them, without reading the scopes of their files. */
  hits(name: string): Promise<readonly NamedSymbol[]> {
    return this.#hitsCache.get(name, async () => {
      const hits = await this.#reader.symbolsNamed(name, MAX_DEFINITIONS_PER_NAME);
      const found = hits.filter((hit) => hit.name === name || isSameWord(hit, name));
      const isAll = hits.length < MAX_DEFINITIONS_PER_NAME;
      if (isAll) {
        const places = await this.#innerPlacesOf(found);
        this.#definingPaths.get(name, () => new Set(found.map(({ path }) => path)));
        this.#innerPlaces.get(name, () => places);
      }
      return found;
    });
  }

  async #innerPlacesOf(hits: readonly NamedSymbol[]): Promise<InnerPlaces> {
    const paths = new Set<string>();
    const owners = new Set<string>();
    for (const hit of hits) {
      if (isOuterValue(hit)) continue;
      // oxlint-disable-next-line no-await-in-loop -- in memory
      const facts = await this.#reader.factsOf(hit.path);
      if (facts !== undefined && !canUse(facts.language, "c")) continue;
      paths.add(hit.path);
      const owner = ownerName({ facts: hit });
      if (owner !== "") owners.add(owner.slice(owner.lastIndexOf(".") + 1));
    }
    return { paths, owners, isNear: paths.size === 0 };
  }

  /**
   * Reads what `definitionsIn` and `isOuterIn` need to know of a name, for a search in `files` files. If that pays, also where
   * types are defined that have members of that name.
   */
  async learn(name: string, files: number): Promise<void> {
    await this.hits(name);
    const places = this.#innerPlaces.peek(name);
    if (places === undefined || places.isNear || files < FILES_PER_OWNER * places.owners.size)
      return;
    for (const owner of places.owners) {
      // oxlint-disable-next-line no-await-in-loop -- a few names
      await this.hits(owner);
      const defining = this.#definingPaths.peek(owner);
      if (defining === undefined) return;
      for (const path of defining) places.paths.add(path);
    }
    places.isNear = true;
  }

  /**
   * Returns the definitions of an unqualified name in a file. If all definitions of the name are known, most files are
   * known to have none, and their own names are not read.
   */
  definitionsIn(file: ScopedFile, name: string): readonly SymbolRef[] {
    // In C, the names that are visible in a file are those of its definitions: see `scopedFile`.
    const isPlain = canUse(file.language, "c") && /^\w+$/.test(name);
    if (isPlain && this.#definingPaths.peek(name)?.has(file.path) === false) return [];
    return symbolsIn(file, name);
  }

  /**
   * Returns whether a name is certainly neither that of a type nor of a member of one, wherever it is in a file of C or a
   * related language; false as long as not enough is known of it.
   */
  isOuterIn({ path, language }: Pick<ScopedFile, "path" | "language">, name: string): boolean {
    const places = this.#innerPlaces.peek(name);
    if (places?.isNear !== true || !canUse(language, "c")) return false;
    if (places.paths.size === 0) return true;
    // In C, all members of a type are in its file, or in another one that defines a type of that name. A header may be one of C++.
    return language === "c" && C_SOURCE.test(path) && !places.paths.has(path);
  }

  /** Returns those definitions that may be wanted. `mayBe`: returns false if what the index has shows that one is not. */
  async definitionsThat(
    name: string,
    mayBe: (hit: NamedSymbol) => boolean,
  ): Promise<readonly SymbolRef[]> {
    return this.#refsOf((await this.hits(name)).filter((hit) => mayBe(hit)));
  }

  async #refsOf(hits: readonly NamedSymbol[]): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    for (const hit of hits) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const ref = await this.refOf(hit);
      if (ref !== undefined) found.push(ref);
    }
    return found;
  }

  /** Undefined if the file no longer has the definition. */
  async refOf(hit: NamedSymbol): Promise<SymbolRef | undefined> {
    const file = await this.file(hit.path);
    const same = file && symbolsIn(file, hit.qualifiedName);
    return same?.find(({ facts }) => facts.startLine === hit.startLine);
  }

  /** Returns the uses of supertypes in a file, by the symbol number of the type that inherits. */
  inheritsOf(path: string): Promise<UsesByOwner> {
    return this.#inheritsCache.get(path, async () =>
      Map.groupBy(await this.#reader.inheritsOf(path), ({ owner }) => owner),
    );
  }
}

/** Whether a definition has the name in another case, in a language in which that is the same. */
function isSameWord(hit: NamedSymbol, name: string): boolean {
  return ignoresCase(hit.path) && hit.name.toLowerCase() === name.toLowerCase();
}

function isOuterValue({ name, qualifiedName, kind }: NamedSymbol): boolean {
  return name === qualifiedName && kind !== "class" && kind !== "type" && kind !== "module";
}
