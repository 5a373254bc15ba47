// Who uses and who declares a shared name: an environment variable, an HTTP route, an SQL table. Always by name.

import type { IndexReader, SymbolHit } from "../index/port.ts";
import {
  areSameShared,
  isMountable,
  isSharedUse,
  mountedRoute,
  mountOf,
  sharedNameOf,
  STORED_MOUNT,
  storedNameOf,
  type SharedKind,
  type SharedName,
} from "../parse/shared-names/shared-name.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { symbolRef, type SymbolRef } from "./entity.ts";
import type { IndexedSymbols } from "./indexed-symbols.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { ResolutionContext } from "./resolution-context.ts";

/** A place of a shared name. */
export interface SharedPlace extends SharedName {
  readonly path: string;
  /** The innermost definition around it. */
  readonly owner: SymbolHit | undefined;
}

/** Maximum files whose shared names are cached; most have none. */
const MAX_CACHED_FILES = 1000;

type FileShared = readonly (SharedName & { readonly owner: number })[];

/** Answers queries about shared names in one index generation. */
export class SharedReferences {
  readonly #reader: Pick<IndexReader, "usesOf" | "referencesOf">;
  readonly #symbols: IndexedSymbols;
  readonly #names: NameResolver;
  #prefixes: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  readonly #ofFiles = new BoundedCache<Promise<FileShared>>(MAX_CACHED_FILES);

  constructor({ reader, symbols }: ResolutionContext, names: NameResolver) {
    this.#reader = reader;
    this.#symbols = symbols;
    this.#names = names;
  }

  /** Returns the places that declare or use a shared name, sorted by path and line. */
  async placesOf(kind: SharedKind, name: string): Promise<readonly SharedPlace[]> {
    const places: SharedPlace[] = [];
    const stored = await this.#reader.usesOf(storedNameOf(kind, name));
    const mountable = kind === "route" ? await this.#reader.usesOf(storedNameOf(kind, "/")) : [];
    for (const { path, uses } of [...stored, ...mountable]) {
      for (const use of uses) {
        const shared = sharedNameOf(use);
        if (shared === undefined) continue;
        // oxlint-disable-next-line no-await-in-loop -- in memory, but for the first route
        const meant = await this.#fullNamesOf(path, shared);
        if (!meant.some((one) => areSameShared(kind, one, name))) continue;
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const file = await this.#symbols.file(path);
        const owner = file && symbolRef(file, use.owner);
        places.push({ ...shared, path, owner: owner && { ...owner.facts, path } });
      }
    }
    return places.toSorted((one, other) =>
      one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
    );
  }

  /** Returns the uses of the shared names that a definition itself declares: the clients of a handler's route. */
  async usersOfDeclared({ file, number, facts }: SymbolRef): Promise<readonly SharedPlace[]> {
    const found: SharedPlace[] = [];
    for (const { kind, name, line, isDeclared, owner } of await this.#ofFile(file.path)) {
      if (!isDeclared || (owner !== number && line !== facts.startLine)) continue;
      // oxlint-disable-next-line no-await-in-loop -- a definition declares few names
      const names = await this.#fullNamesOf(file.path, { kind, name, line, isDeclared });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const places = await Promise.all(names.map((one) => this.placesOf(kind, one)));
      for (const place of places.flat()) if (!place.isDeclared) found.push(place);
    }
    return found;
  }

  /** The name with the prefixes under which other files serve its file; none for a route that has only parameters then. */
  async #fullNamesOf(
    path: string,
    { kind, name, isDeclared }: SharedName,
  ): Promise<readonly string[]> {
    if (kind !== "route" || !isDeclared) return [name];
    this.#prefixes ??= this.#readMounts();
    const prefixes = (await this.#prefixes).get(path) ?? [];
    if (prefixes.length > 0) return prefixes.map((prefix) => mountedRoute(prefix, name));
    return isMountable(name) ? [] : [name];
  }

  /** The prefixes by file. */
  async #readMounts(): Promise<ReadonlyMap<string, readonly string[]>> {
    const prefixes = new Map<string, string[]>();
    for (const { path, uses } of await this.#reader.usesOf(STORED_MOUNT)) {
      for (const use of uses) {
        const { prefix, served } = mountOf(use);
        // oxlint-disable-next-line no-await-in-loop -- a project has few
        for (const file of await this.#filesServed(path, served)) {
          if (file !== path) prefixes.set(file, [...(prefixes.get(file) ?? []), prefix]);
        }
      }
    }
    return prefixes;
  }

  /** The files that an expression of a file leads to. */
  async #filesServed(path: string, served: string): Promise<readonly string[]> {
    const file = await this.#symbols.file(path);
    if (file === undefined) return [];
    const { context } = this.#names;
    const module = /^"(.+)"$/.exec(served)?.[1];
    if (module !== undefined) return context.target(file, module).files;
    const name = /^[\w$]+/.exec(served)?.[0] ?? "";
    const entity = await this.#names.name(file, name, -1);
    if (entity?.kind === "module") return entity.files;
    if (entity?.kind === "symbols") return entity.symbols.map((one) => one.file.path);
    // What a module exports may have no name.
    const imported = file.imports.find(({ bindings }) =>
      bindings.some((one) => one.local === name && (one.name === "default" || one.name === "*")),
    );
    return imported === undefined ? [] : context.target(file, imported.module).files.slice(0, 1);
  }

  #ofFile(path: string): Promise<FileShared> {
    return this.#ofFiles.get(path, async () => {
      const { uses } = await this.#reader.referencesOf(path);
      return uses.filter(isSharedUse).flatMap((use) => {
        const shared = sharedNameOf(use);
        return shared === undefined ? [] : { ...shared, owner: use.owner };
      });
    });
  }
}
