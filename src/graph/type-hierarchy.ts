// Which types inherit from which, and which methods override which.

import type { SymbolFacts } from "../index/types.ts";
import type { Use } from "../parse/references/references.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { compiledBases, compiledHeirs, isCompiled } from "./compiled-relations.ts";
import {
  definitionAround,
  isCallable,
  isSameSymbol,
  isType,
  ownerName,
  symbolRef,
  symbolsIn,
  type SymbolRef,
} from "./entity.ts";
import { canUse, nameRules } from "./name-rules.ts";
import type { NameResolver } from "./name-resolver.ts";
import { resolveUse } from "./resolve-use.ts";
import { haveSameParameters } from "./same-overload.ts";
import { membersWithin } from "./distinctions.ts";
import { isTypeMember } from "./scala-types.ts";
import { isConstructor } from "./own-names.ts";
import type { UsesByName } from "./uses-by-name.ts";

/** Maximum definitions of a name whose types are compared one by one. */
const MAX_COMPARED_TYPES = 30;
/** Maximum depth of an inheritance chain. */
const MAX_INHERITANCE_DEPTH = 10;
/** Maximum types whose direct subtypes are cached: a few megabytes. */
const MAX_CACHED_TYPES = 20_000;

/** A definition, without its file: a cached one would keep the file in memory. */
interface SymbolPlace {
  readonly path: string;
  readonly number: number;
}

/** The methods that override each other. */
export interface MethodFamily {
  /** Overridden and overriding methods: a call of any of them may call the method. */
  readonly all: readonly SymbolRef[];
  readonly overriding: readonly SymbolRef[];
}

/** Answers queries about inheritance. One instance per index generation. */
export class TypeHierarchy {
  readonly #names: NameResolver;
  readonly #uses: UsesByName;
  readonly #subtypes = new BoundedCache<Promise<readonly SymbolPlace[]>>(MAX_CACHED_TYPES);

  constructor(names: NameResolver, uses: UsesByName) {
    this.#names = names;
    this.#uses = uses;
  }

  /** Returns the methods that a method overrides, and those that override it. */
  async familyOf(wanted: SymbolRef): Promise<MethodFamily> {
    const family = await this.#familyByTypes(wanted);
    // A use of a type is none of its supertypes.
    if (isType(wanted) && !isTypeMember(wanted)) return family;
    const { symbols } = this.#names.context;
    const bases = await compiledBases(symbols, wanted);
    const heirs = await compiledHeirs(symbols, wanted, await this.#uses.of(wanted));
    const [all, overriding] = await Promise.all(
      [family.all, family.overriding].map((refs) => this.#uncompiled(refs, wanted)),
    );
    return {
      all: [...(all ?? []), ...bases, ...heirs],
      overriding: distinct([...(overriding ?? []), ...heirs]),
    };
  }

  /** Returns the relatives of a definition that no compiler has confirmed or ruled out. */
  async #uncompiled(refs: readonly SymbolRef[], wanted: SymbolRef): Promise<readonly SymbolRef[]> {
    const { symbols } = this.#names.context;
    if (refs.length === 0 || !(await isCompiled(symbols, wanted.file))) return refs;
    const found: SymbolRef[] = [];
    for (const ref of refs) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      if (!(await isCompiled(symbols, ref.file))) found.push(ref);
    }
    return found;
  }

  /** The family as the types of the methods show it. */
  async #familyByTypes(wanted: SymbolRef): Promise<MethodFamily> {
    const type = await this.#ownerOf(wanted);
    if (type === undefined || !mayOverride(wanted)) return { all: [], overriding: [] };
    if (hasStructuralTypes(wanted)) return this.#familyByInterfaces(wanted);
    const { name } = wanted.facts;
    if ((await this.#names.context.reader.definitionsOf(name)) > MAX_COMPARED_TYPES) {
      return this.#familyByInheritance(type, wanted);
    }
    const overriding: SymbolRef[] = [];
    const overridden: SymbolRef[] = [];
    for (const other of await this.#names.context.symbols.definitions(name)) {
      if (isSameSymbol(other, wanted) || !canUse(other.file.language, wanted.file.language))
        continue;
      if (!mayOverride(other) || !haveSameParameters(other, wanted)) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly in the same file
      const otherType = await this.#ownerOf(other);
      if (otherType === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      if (await this.#inherits(otherType, type)) overriding.push(other);
      // oxlint-disable-next-line no-await-in-loop -- as above
      else if (await this.#inherits(type, otherType)) overridden.push(other);
    }
    return { all: [...overridden, ...overriding], overriding };
  }

  /**
   * The family of a method of Go: the methods of the interfaces that its type implements or, for a method of an interface,
   * those of the types that implement it. A method of a struct hides that of an embedded one and does not override it.
   */
  async #familyByInterfaces(wanted: SymbolRef): Promise<MethodFamily> {
    const type = await this.#names.typeNamed(wanted.file, ownerName(wanted));
    if (type === undefined || !isCallable(wanted)) return { all: [], overriding: [] };
    const { symbols } = this.#names.context;
    const others = (await symbols.definitions(wanted.facts.name)).filter(
      (one) => isCallable(one) && canUse(one.file.language, wanted.file.language),
    );
    if (isInterface(type)) {
      const overriding = await this.#methodsOf(await this.subtypesOf(type), others);
      return { all: overriding, overriding };
    }
    const all: SymbolRef[] = [];
    for (const other of others) {
      const base = symbolsIn(other.file, ownerName(other)).find(isInterface);
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const below = base === undefined ? [] : await this.subtypesOf(base);
      if (below.some((one) => isSameSymbol(one, type))) all.push(other);
    }
    return { all, overriding: [] };
  }

  /** Returns those methods that belong to one of the types, each perhaps in another file than its type. */
  async #methodsOf(
    types: readonly SymbolRef[],
    methods: readonly SymbolRef[],
  ): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    for (const method of methods) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const type = await this.#names.typeNamed(method.file, ownerName(method));
      if (type !== undefined && types.some((one) => isSameSymbol(one, type))) found.push(method);
    }
    return found;
  }

  /**
   * Returns a cheap filter for the uses of a name that many types have. It drops uses of which only the name
   * is known and, in Java, where a type has only one name, uses on unrelated types.
   */
  async filterFor(wanted: SymbolRef): Promise<(use: Use) => boolean> {
    const type = await this.#ownerOf(wanted);
    if (type === undefined || wanted.file.language !== "java") {
      return ({ receiver }) => receiver !== "?";
    }
    const types = [type, ...(await this.subtypesOf(type)), ...(await this.#supertypesOf(type))];
    const names = new Set(types.map(({ facts }) => facts.name));
    return ({ receiver }) => {
      const [, name] = /^@(?:[\w$]+\.)*([\w$]+)$/.exec(receiver) ?? [];
      return name === undefined ? receiver !== "?" : names.has(name);
    };
  }

  /** Returns the type that a member belongs to, which C++ may define in another file. */
  async #ownerOf(member: SymbolRef): Promise<SymbolRef | undefined> {
    const owner = ownerName(member);
    if (owner === "") return undefined;
    if (member.file.language === "swift") return this.#names.typeNamed(member.file, owner);
    const all = symbolsIn(member.file, owner);
    const around = definitionAround(member.file, member);
    const type = around !== undefined && isType(around) ? around : all.find(isType);
    if (type !== undefined) return type;
    if (canUse(member.file.language, "c")) return this.#names.typeNamed(member.file, owner);
    // A method in the body of an enum constant, or of an anonymous class.
    return all.find((one) => one.facts.kind === "constant" && isOfEnum(one)) ?? member;
  }

  /** Like `familyOf`, but follows inheritance, for names that many types have. */
  async #familyByInheritance(type: SymbolRef, wanted: SymbolRef): Promise<MethodFamily> {
    const { name } = wanted.facts;
    const membersOf = (types: readonly SymbolRef[]): readonly SymbolRef[] =>
      types
        .flatMap((one) =>
          isType(one)
            ? [
                ...membersWithin(one, symbolsIn(one.file, `${one.facts.qualifiedName}.${name}`)),
                ...ofConstants(one, name),
              ]
            : [one],
        )
        .filter((other) => mayOverride(other) && haveSameParameters(other, wanted));
    const overriding = membersOf(await this.subtypesOf(type));
    const overridden = membersOf(await this.#supertypesOf(type));
    return { all: [...overridden, ...overriding], overriding };
  }

  async #supertypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    const queue = [type];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const one of await this.#names.types.supertypes(next)) {
        if (one === undefined || found.some((other) => isSameSymbol(one, other))) continue;
        found.push(one);
        queue.push(one);
      }
    }
    return found;
  }

  async #inherits(type: SymbolRef, from: SymbolRef, steps = 0): Promise<boolean> {
    if (steps > MAX_INHERITANCE_DEPTH) return false;
    for (const one of await this.#names.types.supertypes(type)) {
      if (one === undefined) continue;
      if (isSameSymbol(one, from)) return true;
      // oxlint-disable-next-line no-await-in-loop -- up the inheritance chain
      if (await this.#inherits(one, from, steps + 1)) return true;
    }
    return false;
  }

  /** Returns the types that inherit from a type, directly or not. */
  async subtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    const queue = [type];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const sub of await this.#directSubtypesOf(next)) {
        if (isSameSymbol(sub, type) || found.some((one) => isSameSymbol(one, sub))) continue;
        found.push(sub);
        queue.push(sub);
      }
    }
    return found;
  }

  /** Each method of a type asks for the types below it again. */
  async #directSubtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const places = await this.#subtypes.get(`${type.file.path}\0${type.number}`, async () => {
      const found = await this.#findDirectSubtypes(type);
      return found.map(({ file, number }) => ({ path: file.path, number }));
    });
    const found: SymbolRef[] = [];
    for (const { path, number } of places) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await this.#names.context.symbols.file(path);
      const sub = file && symbolRef(file, number);
      if (sub !== undefined) found.push(sub);
    }
    return found;
  }

  async #findDirectSubtypes(type: SymbolRef): Promise<readonly SymbolRef[]> {
    const found: SymbolRef[] = [];
    const files = await this.#uses.of(type);
    for (const { path, uses } of files) {
      const inheriting = uses.filter(({ role }) => role === "inherit");
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file =
        inheriting.length === 0 ? undefined : await this.#names.context.symbols.file(path);
      for (const use of file === undefined ? [] : inheriting) {
        const sub = file && symbolRef(file, use.owner);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const resolution = file && (await resolveUse(this.#names, file, use));
        if (sub === undefined || resolution?.kind !== "exact") continue;
        if (resolution.symbols.some((one) => isSameSymbol(one, type))) found.push(sub);
      }
    }
    found.push(...(await compiledHeirs(this.#names.context.symbols, type, files)));
    if (!isInterface(type)) return found;
    return [...found, ...(await this.#structuralSubtypesOf(type))];
  }

  /**
   * Returns the types that have every method of an interface, as Go types implement interfaces implicitly.
   */
  async #structuralSubtypesOf(type: SymbolRef): Promise<readonly SymbolRef[]> {
    let candidates: readonly SymbolRef[] | undefined;
    for (const { name } of methodsWithin(type)) {
      const having: SymbolRef[] = [];
      // oxlint-disable-next-line no-await-in-loop -- each name leaves fewer
      for (const method of await this.#names.context.symbols.definitions(name)) {
        if (!canUse(method.file.language, type.file.language)) continue;
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const owner = await this.#names.typeNamed(method.file, ownerName(method));
        if (owner === undefined || isSameSymbol(owner, type)) continue;
        const isLeft =
          candidates === undefined || candidates.some((one) => isSameSymbol(one, owner));
        if (isLeft && !having.some((one) => isSameSymbol(one, owner))) having.push(owner);
      }
      candidates = having;
    }
    return candidates ?? [];
  }
}

function hasStructuralTypes({ file }: SymbolRef): boolean {
  return nameRules(file.language).hasStructuralTypes === true;
}

/** Returns whether a type is implemented by all types that have its methods, as interfaces of Go are. */
function isInterface(type: SymbolRef): boolean {
  return hasStructuralTypes(type) && type.facts.kind === "type" && methodsWithin(type).length > 0;
}

/** Returns the methods that a type declares in its body. */
function methodsWithin({ file, facts }: SymbolRef): readonly SymbolFacts[] {
  return file.symbols.filter(
    ({ name, kind, qualifiedName, startLine, endLine }) =>
      kind === "method" &&
      qualifiedName === `${facts.qualifiedName}.${name}` &&
      startLine >= facts.startLine &&
      endLine <= facts.endLine,
  );
}

/** Returns the methods in the bodies of an enum's constants. */
function ofConstants({ file, facts }: SymbolRef, name: string): readonly SymbolRef[] {
  if (facts.kind !== "type") return [];
  return file.symbols.flatMap((one, number) => {
    const isInside = one.name === name && one.qualifiedName.startsWith(`${facts.qualifiedName}.`);
    const owner = isInside ? ownerName({ facts: one }) : "";
    const isConstant = symbolsIn(file, owner).some((ref) => ref.facts.kind === "constant");
    return isConstant ? [{ file, number, facts: one }] : [];
  });
}

function isOfEnum({ file, number }: SymbolRef): boolean {
  return file.types[number]?.startsWith("#") === true;
}

/** Returns whether a member can override another, or be overridden. */
function mayOverride(ref: SymbolRef): boolean {
  if (isTypeMember(ref)) return ownerName(ref) !== "";
  if (isType(ref) || isConstructor(ref)) return false;
  return nameRules(ref.file.language).hasFixedFields !== true || isCallable(ref);
}

/** Leaves out what comes a second time. */
function distinct(symbols: readonly SymbolRef[]): readonly SymbolRef[] {
  return symbols.filter((one, at) => symbols.findIndex((other) => isSameSymbol(one, other)) === at);
}
