// What names mean in modules of Haskell: through imports with lists, aliases and prefixes, and lists of exports. The bindings of
// imports are explained in parse/languages/haskell/imports.ts.

import type { Import, Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { isType, ownerName, symbolRef, type ScopedFile, type SymbolRef } from "./entity.ts";
import { MAX_CACHED_FILES } from "./indexed-symbols.ts";
import type { ResolutionContext } from "./resolution-context.ts";

/** Types and values have names of their own. */
type Space = "type" | "value";

/** A name to look up, and whose name it is if only the members of that type are meant. */
interface Wanted {
  readonly name: string;
  readonly space: Space;
}

/** Maximum names of modules whose meaning is kept. */
const MAX_CACHED_NAMES = 20_000;
/** Maximum modules from which a name is passed on. */
const MAX_PASSES = 12;
const MODULE = "*";
const HIDDEN = "-.";
const ALL = "..";
const TYPE_NAME = /^[\p{Lu}:]/u;

const NONE: readonly SymbolRef[] = [];

/** The definitions of a file by name, and what it exports. */
interface ModuleNames {
  readonly types: ReadonlyMap<string, readonly SymbolRef[]>;
  readonly values: ReadonlyMap<string, readonly SymbolRef[]>;
  readonly imports: readonly Import[];
  /** Undefined if the module exports all that it defines. */
  readonly exports: Import | undefined;
}

/** Resolves names of Haskell. One instance per index generation. */
export class HaskellNames {
  readonly #context: ResolutionContext;
  readonly #modules = new BoundedCache<ModuleNames>(MAX_CACHED_FILES);
  readonly #exported = new BoundedCache<readonly SymbolRef[]>(MAX_CACHED_NAMES);

  constructor(context: ResolutionContext) {
    this.#context = context;
  }

  /** Returns the definitions that a use may mean, all of which define one name; none if the project does not define it. */
  async meant(file: ScopedFile, use: Use): Promise<readonly SymbolRef[]> {
    const { name, role, receiver, binding } = use;
    const module = this.#namesIn(file);
    if (role === "import") return this.#listed(file, file.imports[binding], name);
    if (role === "inherit" && !TYPE_NAME.test(name)) return this.#method(file, name);
    const space = role === "type" || role === "inherit" ? "type" : "value";
    // The name of a field, of which nothing else is known.
    const prefix = receiver === "?" ? "" : receiver;
    const found = await this.#inScope(file, { name, space }, prefix, 0);
    if (found.length > 0 || space === "value") {
      return receiver === "?" ? found.filter(({ facts }) => facts.kind === "field") : found;
    }
    // A constructor in a type.
    return TYPE_NAME.test(name) && module.imports.length > 0
      ? this.#inScope(file, { name, space: "value" }, prefix, 0)
      : NONE;
  }

  /** Returns the type or class of a name, which may have a prefix. */
  async typeNamed(file: ScopedFile, path: string): Promise<SymbolRef | undefined> {
    const [, prefix = "", name = path] = /^(?:([\w.']+)\.)?([^.]+)$/.exec(path) ?? [];
    const found = await this.#inScope(file, { name, space: "type" }, prefix, 0);
    return isOneName(found) ? found[0] : undefined;
  }

  /** Returns the method that an instance implements, whose name may be visible with a prefix only. */
  async #method(file: ScopedFile, name: string): Promise<readonly SymbolRef[]> {
    const wanted: Wanted = { name, space: "value" };
    const own = this.#own(file, wanted);
    const prefixes = new Set(["", ...this.#namesIn(file).imports.map(prefixOf)]);
    const found = [own];
    for (const prefix of prefixes) {
      // oxlint-disable-next-line no-await-in-loop -- mostly the first
      found.push(await this.#inScope(file, wanted, prefix, 0));
    }
    return distinct(found.flat()).filter(({ facts }) => facts.kind === "method");
  }

  /** Returns the meaning of a name in a list of imports or exports. */
  async #listed(
    file: ScopedFile,
    one: Import | undefined,
    name: string,
  ): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    for (const { name: listed, local } of one?.bindings ?? []) {
      if (one === undefined || listed !== name) continue;
      const path = local.startsWith(HIDDEN) ? local.slice(HIDDEN.length) : local;
      const before = path.slice(0, Math.max(0, path.length - name.length - 1));
      const isOther = before !== "" && one.module === "" && this.#isPrefix(file, before);
      const space = spaceOf(name, isOther ? "" : before);
      const wanted: Wanted = { name, space };
      found.push(
        // oxlint-disable-next-line no-await-in-loop -- one or two
        ...(one.module === ""
          ? await this.#inScope(file, wanted, isOther ? before : "", 0)
          : await this.#from(file, one, wanted, 0)),
      );
    }
    return distinct(found);
  }

  #isPrefix(file: ScopedFile, text: string): boolean {
    return this.#namesIn(file).imports.some((one) => prefixOf(one) === text);
  }

  /** Returns the meaning of a name in a module, with a prefix or without. */
  async #inScope(
    file: ScopedFile,
    wanted: Wanted,
    prefix: string,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const own = prefix === "" || prefix === file.package ? this.#own(file, wanted) : NONE;
    if (own.length > 0) return own;
    const found: SymbolRef[] = [];
    for (const one of this.#namesIn(file).imports) {
      if (prefix === "" ? isQualified(one) : prefixOf(one) !== prefix) continue;
      // oxlint-disable-next-line no-await-in-loop -- in memory
      found.push(...(await this.#visible(file, one, wanted, passes)));
    }
    return distinct(found);
  }

  /** Returns what a name means by an import, if the list of that lets it through. */
  async #visible(
    file: ScopedFile,
    one: Import,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const parents = listedIn(one.bindings, wanted);
    if (one.isWildcard && parents === "all") return NONE;
    if (!one.isWildcard && parents !== "all" && parents.size === 0) return NONE;
    const found = await this.#from(file, one, wanted, passes);
    if (parents === "all" || parents.size === 0) return found;
    return found.filter((ref) => parents.has(ofType(ref)) !== one.isWildcard);
  }

  async #from(
    file: ScopedFile,
    { module }: Import,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const [path] = this.#context.target(file, module).files;
    if (path === undefined || path === file.path || passes > MAX_PASSES) return NONE;
    const key = `${path} ${wanted.space} ${wanted.name}`;
    const known = this.#exported.peek(key);
    if (known !== undefined) return known;
    // Only results are kept, no promises: modules that import each other would wait for each other.
    const found = await this.#exportsOf(path, wanted, passes);
    return this.#exported.get(key, () => found);
  }

  async #exportsOf(path: string, wanted: Wanted, passes: number): Promise<readonly SymbolRef[]> {
    const file = await this.#context.symbols.file(path);
    if (file === undefined) return NONE;
    const { exports } = this.#namesIn(file);
    if (exports === undefined) return this.#own(file, wanted);
    const found: SymbolRef[] = [];
    for (const binding of exports.bindings) {
      if (binding.name === MODULE) {
        // oxlint-disable-next-line no-await-in-loop -- in memory
        found.push(...(await this.#ofModule(file, binding.local, wanted, passes + 1)));
      }
    }
    for (const { name, local } of exports.bindings) {
      if (name !== wanted.name) continue;
      // oxlint-disable-next-line no-await-in-loop -- in memory
      found.push(...(await this.#named(file, local, wanted, passes + 1)));
    }
    found.push(...(await this.#members(file, exports, wanted, passes + 1)));
    return distinct(found);
  }

  /** Returns the meaning of a name in `module Other` of a list of exports. */
  async #ofModule(
    file: ScopedFile,
    module: string,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const own = module === file.package ? this.#own(file, wanted) : NONE;
    const found = [...own];
    for (const one of this.#namesIn(file).imports) {
      if (isQualified(one) || prefixOf(one) !== module) continue;
      // oxlint-disable-next-line no-await-in-loop -- in memory
      found.push(...(await this.#visible(file, one, wanted, passes)));
    }
    return distinct(found);
  }

  /** Returns the meaning of a name of which a list of exports has all members of the type. */
  async #members(
    file: ScopedFile,
    { bindings }: Import,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const all = bindings.filter(({ name }) => name === ALL);
    if (all.length === 0) return NONE;
    const parents = new Set(all.map(({ local }) => local.slice(0, -ALL.length)));
    const found = await this.#inAnyScope(file, wanted, passes);
    return found.filter((ref) => parents.has(ofType(ref)));
  }

  /** Returns the meaning of a name by its item in a list of exports. */
  async #named(
    file: ScopedFile,
    local: string,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const { name, space } = wanted;
    const before = local.slice(0, Math.max(0, local.length - name.length - 1));
    const isPlain = before === "" || this.#isPrefix(file, before) || before === file.package;
    if (spaceOf(name, isPlain ? "" : before) !== space) return NONE;
    return isPlain
      ? this.#inScope(file, wanted, before, passes)
      : this.#inAnyScope(file, wanted, passes);
  }

  /** Returns the meaning of a name without a prefix, else with any. */
  async #inAnyScope(
    file: ScopedFile,
    wanted: Wanted,
    passes: number,
  ): Promise<readonly SymbolRef[]> {
    const bare = await this.#inScope(file, wanted, "", passes);
    if (bare.length > 0) return bare;
    const prefixes = new Set(this.#namesIn(file).imports.filter(isQualified).map(prefixOf));
    const found: SymbolRef[] = [];
    for (const prefix of prefixes) {
      // oxlint-disable-next-line no-await-in-loop -- in memory
      found.push(...(await this.#inScope(file, wanted, prefix, passes)));
    }
    return distinct(found);
  }

  #own(file: ScopedFile, { name, space }: Wanted): readonly SymbolRef[] {
    const { types, values } = this.#namesIn(file);
    return (space === "type" ? types : values).get(name) ?? NONE;
  }

  #namesIn(file: ScopedFile): ModuleNames {
    return this.#modules.get(file.path, () => modulesNames(file));
  }
}

/** Returns the names that a file defines. Methods in instances are none. */
function modulesNames(file: ScopedFile): ModuleNames {
  const types = new Map<string, SymbolRef[]>();
  const values = new Map<string, SymbolRef[]>();
  for (const number of file.symbols.keys()) {
    const ref = symbolRef(file, number);
    if (ref === undefined || ownerName(ref).includes(" ")) continue;
    const { name } = ref.facts;
    const names = isType(ref) ? types : values;
    const others = names.get(name);
    if (others === undefined) names.set(name, [ref]);
    else others.push(ref);
  }
  const exports = file.imports.find(({ module }) => module === "");
  const imports = file.imports.filter(({ module }) => module !== "");
  return { types, values, imports, exports };
}

function aliasOf({ bindings }: Import): string {
  return bindings[0]?.local ?? "";
}

function isQualified(one: Import): boolean {
  return aliasOf(one).endsWith(".");
}

function prefixOf(one: Import): string {
  return aliasOf(one).replace(/\.$/, "");
}

/** `before`: what is before the name in a list, such as the type to which it belongs. */
function spaceOf(name: string, before: string): Space {
  if (before === "type") return "type";
  return before === "" && TYPE_NAME.test(name) ? "type" : "value";
}

/**
 * Returns "all" if a list has the name, else the types whose members it has all. In a list that hides names, these are hidden.
 */
function listedIn(
  bindings: Import["bindings"],
  { name, space }: Wanted,
): "all" | ReadonlySet<string> {
  const parents = new Set<string>();
  for (const { name: listed, local } of bindings) {
    const path = local.startsWith(HIDDEN) ? local.slice(HIDDEN.length) : local;
    if (listed === ALL) parents.add(path.slice(0, -ALL.length));
    else if (listed === name && listed !== MODULE) {
      const before = path.slice(0, Math.max(0, path.length - name.length - 1));
      // `hiding (T)` hides a constructor of that name too.
      if (spaceOf(name, before) === space || (local.startsWith(HIDDEN) && before === ""))
        return "all";
    }
  }
  return parents;
}

/** Returns the name of the type or class to which a constructor, a field or a method belongs. */
function ofType(ref: SymbolRef): string {
  const owner = ownerName(ref);
  const end = owner.indexOf(".");
  return end === -1 ? owner : owner.slice(0, end);
}

function distinct(refs: readonly SymbolRef[]): readonly SymbolRef[] {
  if (refs.length < 2) return refs;
  return [...new Map(refs.map((ref) => [`${ref.file.path} ${ref.number}`, ref])).values()];
}

/** Returns whether definitions are one: clauses that are apart, or a field of several constructors. */
export function isOneName(refs: readonly SymbolRef[]): boolean {
  return new Set(refs.map((ref) => `${ref.file.path} ${ofType(ref)}`)).size < 2;
}
