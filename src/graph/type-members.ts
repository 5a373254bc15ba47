// Resolves the members and supertypes of types.

import type { Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import {
  definitionAround,
  isType,
  ownerName,
  symbolRef,
  symbolsIn,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { compiledType } from "./compiled-relations.ts";
import { membersWithin, ofSide, type Side } from "./distinctions.ts";
import type { Mixins } from "./graph-ports.ts";
import { canUse, nameRules } from "./name-rules.ts";
import { visibleFrom } from "./open-types.ts";
import { hasType, isConstructor } from "./own-names.ts";
import { MAX_STEPS, type ResolutionContext } from "./resolution-context.ts";
import { membersOfFunction } from "./script-exports.ts";
import { swiftMembers } from "./swift-types.ts";

/** Languages in which a type contains all its members. */
const FIXED_MEMBERS = new Set([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "notebook",
  "php",
  "java",
  "scala",
  "dart",
  "lua",
  "zig",
]);
/** Maximum declarations of one open type (Ruby) or partial type (C#) to read. */
const MAX_NAME_PARTS = 100;

/** Maximum definitions of a name to read to find out whether one of them is a member. */
const MAX_READ_DEFINITIONS = 30;
/** Maximum names of which it is known whether they have members: less than a megabyte. */
const MAX_KNOWN_NAMES = 10_000;

/** The members of a type with a given name. */
export interface MemberLookup {
  readonly found: readonly SymbolRef[];
  /** True if all supertypes are known, so a member that was not found does not exist. */
  readonly isComplete: boolean;
}

/** Returns the type that a name refers to in a file, inside of the definition `owner`. */
export type ResolveType = (
  file: ScopedFile,
  path: string,
  steps: number,
  owner?: number,
) => Promise<SymbolRef | undefined>;

const NO_MEMBERS: MemberLookup = { found: [], isComplete: false };

/** Resolves members, own and inherited. `steps` is the depth in a chain, at most `MAX_STEPS`. */
export class TypeMembers {
  readonly #context: ResolutionContext;
  readonly #typeNamed: ResolveType;
  readonly #mixins: Mixins | undefined;
  readonly #memberNames = new BoundedCache<Promise<boolean>>(MAX_KNOWN_NAMES);

  constructor(context: ResolutionContext, typeNamed: ResolveType, mixins?: Mixins) {
    this.#context = context;
    this.#typeNamed = typeNamed;
    this.#mixins = mixins;
  }

  /**
   * Returns false if a type certainly has no member of that name, its constructor aside. Mostly no type of the project
   * has, and the types that the type inherits from need not be known.
   */
  async mayHaveMember({ file }: SymbolRef, name: string): Promise<boolean> {
    if (file.language !== "java" || this.#context.elsewhere(file.path) !== undefined) return true;
    return this.#memberNames.get(name, () => this.#isNameOfMember(name));
  }

  async #isNameOfMember(name: string): Promise<boolean> {
    const { reader, symbols } = this.#context;
    if ((await reader.definitionsOf(name)) > MAX_READ_DEFINITIONS) return true;
    const all = await symbols.hits(name);
    return all.some((facts) => ownerName({ facts }) !== "" && !isConstructor({ facts }));
  }

  /** Returns the members of a type with that name, own or inherited; in Ruby only those of a side, if it is known. */
  async members(type: SymbolRef, name: string, steps = 0, side?: Side): Promise<MemberLookup> {
    if (steps > MAX_STEPS) return NO_MEMBERS;
    const { file, number } = type;
    const other = this.#context.elsewhere(file.path);
    if (other !== undefined) return other.names.types.members(type, name, steps, side);
    const key = `member ${file.id} ${number} ${side ?? ""} ${name}`;
    return this.#context.memo.getOrResolve(key, steps, () =>
      this.#members(type, { name, side }, steps),
    );
  }

  async #members(
    type: SymbolRef,
    { name, side }: { readonly name: string; readonly side: Side | undefined },
    steps: number,
  ): Promise<MemberLookup> {
    const { file, facts } = type;
    if (file.language === "swift") return this.#membersInSwift(type, name, steps);
    const here = membersOfFunction(type, symbolsIn(file, `${facts.qualifiedName}.${name}`));
    const own = membersWithin(type, ofSide(type, here, side));
    if (own.length > 0) return { found: own, isComplete: true };
    const there = await this.#membersElsewhere(type, name);
    const elsewhere = ofSide(type, there, side);
    if (elsewhere.length > 0) return { found: elsewhere, isComplete: true };
    // The index does not contain members that macros create or that other classes add, and a method of the other side may
    // be called through one of them.
    let isComplete =
      nameRules(file.language).hasHiddenMembers !== true && here.length + there.length === 0;
    for (const one of await this.supertypes(type, steps + 1)) {
      if (one === undefined) {
        isComplete = false;
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop -- in the order of inheritance
      const inherited = await this.members(one, name, steps + 1, side);
      if (inherited.found.length > 0) return inherited;
      isComplete &&= inherited.isComplete;
    }
    return { found: [], isComplete };
  }

  /** Returns the members in the definition of a type of Swift and in its extensions, or else those that it inherits. */
  async #membersInSwift(type: SymbolRef, name: string, steps: number): Promise<MemberLookup> {
    const own = await swiftMembers(this.#context, type, name);
    if (own.length > 0) return { found: own, isComplete: true };
    const { file, number } = type;
    const [, alias] = /^@([\w.]+)$/.exec(file.types[number] ?? "") ?? [];
    if (alias !== undefined) {
      const around = definitionAround(file, type)?.number;
      const other = await this.#typeNamed(file, alias, steps + 1, around);
      return other === undefined ? NO_MEMBERS : this.members(other, name, steps + 1);
    }
    let isComplete = true;
    for (const one of await this.supertypes(type, steps + 1)) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of inheritance
      const inherited = one && (await this.members(one, name, steps + 1));
      if (inherited !== undefined && inherited.found.length > 0) return inherited;
      isComplete &&= inherited?.isComplete === true;
    }
    return { found: [], isComplete };
  }

  /** Returns members that are defined outside of their type: Go methods, Rust `impl`, C++ `A::b`. */
  async #membersElsewhere(type: SymbolRef, name: string): Promise<readonly SymbolRef[]> {
    const { file, facts } = type;
    if (FIXED_MEMBERS.has(file.language)) return [];
    const ofType = await this.#context.symbols.definitionsThat(name, (hit) => {
      const owner = ownerName({ facts: hit });
      return hit.path !== file.path && (owner === facts.qualifiedName || owner === facts.name);
    });
    const all = ofType.filter((ref) => canUse(ref.file.language, file.language));
    if (all.length === 0) return all;
    if (nameRules(file.language).hasOpenTypes === true) {
      return visibleFrom(
        file,
        all.filter((ref) => ownerName(ref) === facts.qualifiedName),
      );
    }
    const siblings = this.#context.siblingsOf(file);
    const nearby = all.filter((ref) => siblings.has(ref.file.path));
    if (nearby.length > 0) return nearby;
    // Members in distant files count only if no other type has that name.
    const types = (await this.#context.symbols.definitions(facts.name)).filter(isType);
    const isOnly = types.every(({ file: other }) => other.path === file.path);
    return isOnly && file.language !== "go" ? all.filter((ref) => !hasType(ref, facts.name)) : [];
  }

  /**
   * Returns the supertypes of a type, with undefined for each one that is unknown or outside of the project.
   */
  async supertypes(type: SymbolRef, steps = 0): Promise<readonly (SymbolRef | undefined)[]> {
    const other = this.#context.elsewhere(type.file.path);
    if (other !== undefined) return other.names.types.supertypes(type, steps);
    const key = `supertypes ${type.file.id} ${type.number}`;
    return this.#context.memo.getOrResolve(key, steps, () => this.#supertypes(type, steps));
  }

  async #supertypes(type: SymbolRef, steps: number): Promise<readonly (SymbolRef | undefined)[]> {
    const { hasOpenTypes = false, hasNamespaces = false } = nameRules(type.file.language);
    const hasExtensions = type.file.language === "swift";
    if (!hasOpenTypes && !hasNamespaces && !hasExtensions) return this.#inheritedBy(type, steps);
    const all = (await this.#context.symbols.definitions(type.facts.name)).filter(
      ({ file, facts }) =>
        facts.qualifiedName === type.facts.qualifiedName &&
        (!hasNamespaces || file.package === type.file.package),
    );
    const found: (SymbolRef | undefined)[] = [];
    for (const one of all.slice(0, MAX_NAME_PARTS)) {
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
      found.push(...(await this.#inheritedBy(one, steps)));
    }
    if (type.file.language !== "ruby" || this.#mixins === undefined) return found;
    return [...found, ...(await this.#mixins.of(type, found))];
  }

  /** Returns the module that a type of Ruby includes if it is one of its own; the name of a superclass is one from around it. */
  async #includedOwn(
    { file, facts }: SymbolRef,
    { line }: Use,
    path: string,
  ): Promise<SymbolRef | undefined> {
    if (file.language !== "ruby" || line === facts.startLine) return undefined;
    const qualifiedName = `${facts.qualifiedName}.${path}`;
    const [here] = symbolsIn(file, qualifiedName);
    if (here !== undefined) return here;
    const all = await this.#context.symbols.definitionsThat(
      path.slice(path.lastIndexOf(".") + 1),
      (hit) => hit.qualifiedName === qualifiedName,
    );
    return all.find((ref) => isType(ref) && canUse(ref.file.language, file.language));
  }

  async #inheritedBy(type: SymbolRef, steps: number): Promise<readonly (SymbolRef | undefined)[]> {
    const { file, number } = type;
    const ofEnum = enumOf(type);
    if (ofEnum !== undefined) return [ofEnum];
    // Supertypes are resolved in the enclosing type, not in the type itself.
    const outer = definitionAround(file, type);
    const uses = (await this.#context.symbols.inheritsOf(file.path)).get(number) ?? [];
    const found: (SymbolRef | undefined)[] = [];
    for (const use of uses) {
      const own =
        symbolRef(file, use.target) ??
        // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
        (await compiledType(this.#context.symbols, use.receiver));
      const path = pathOfType(file, use);
      const one =
        own ??
        // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
        (await this.#includedOwn(type, use, path)) ??
        // oxlint-disable-next-line no-await-in-loop -- as above
        (await this.#typeNamed(file, path, steps + 1, outer?.number));
      if (one === undefined || one.file !== file || one.number !== number) found.push(one);
    }
    return found;
  }
}

/** Returns the name of a used type in the file, which may have imported it under another one. */
function pathOfType({ imports }: ScopedFile, { name, receiver, binding }: Use): string {
  if (receiver !== "" && receiver !== "?") return `${receiver}.${name}`;
  const bound = imports[binding]?.bindings.find((each) => each.name === name)?.local;
  return bound === undefined || bound === "" || name === "*" ? name : bound;
}

/** Returns the enum of a constant: a constant with a body is a subtype. */
function enumOf({ file, number, facts }: SymbolRef): SymbolRef | undefined {
  const [, type] =
    facts.kind === "constant" ? (/^#(\d+)$/.exec(file.types[number] ?? "") ?? []) : [];
  return type === undefined ? undefined : symbolRef(file, Number(type));
}
