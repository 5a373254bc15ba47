// The meanings that a name or an expression can have.

import { isValueKind } from "../base/definition-kinds.ts";
import type { FileScope } from "../index/port.ts";
import type { SymbolFacts } from "../index/types.ts";
import type { TypeShape } from "../base/type-shape.ts";
import { canUse, nameRules } from "./name-rules.ts";

/** The scope of a file, with an index of its symbols by name. */
export interface ScopedFile extends FileScope {
  /** A number of its own, for keys of caches: shorter than the path. */
  readonly id: number;
  /** Symbol numbers by qualified name. Overloads and function clauses share a name. */
  readonly byQualifiedName: ReadonlyMap<string, readonly number[]>;
}

/** A definition: a file and the number of a symbol in it. */
export interface SymbolRef {
  readonly file: ScopedFile;
  readonly number: number;
  readonly facts: SymbolFacts;
}

/** The types of type parameters: `c0` is the first one of a type, `f0` of a function. They are found when they are needed. */
export interface TypeArguments {
  /** A text that only the same arguments have. */
  readonly key: string;
  readonly find: (parameter: string) => Promise<Entity | undefined>;
}

/** The meaning of a name or an expression. `arguments`: the type arguments, as far as they are known. */
export type Entity =
  /**
   * A value of a type. `layers`: the number of containers around it, 1 for a list, 2 for a list of lists. `variants`: other
   * types of its name, one of which may be meant: `Row<T>`.
   */
  | {
      readonly kind: "instance";
      readonly type: SymbolRef;
      readonly layers: number;
      readonly variants?: readonly SymbolRef[];
      readonly arguments?: TypeArguments;
      /** In Swift: the value of a `Result`, which has the type of that value if the project does not extend it. */
      readonly success?: Extract<Entity, { kind: "instance" }>;
    }
  /** Definitions. Several are overloads, or a declaration and its definition. */
  | {
      readonly kind: "symbols";
      readonly symbols: readonly SymbolRef[];
      readonly arguments?: TypeArguments;
      /** In Swift: the type whose members they are. */
      readonly self?: SymbolRef;
    }
  | { readonly kind: "module"; readonly files: readonly string[]; readonly isPackage: boolean }
  /** A namespace as seen from a file. Definitions in it are found by their name inside of the namespace. */
  | { readonly kind: "namespace"; readonly name: string; readonly file: ScopedFile }
  /** A function or an object whose type has no name. `owner`: the definition in which its names are resolved. */
  | {
      readonly kind: "shape";
      readonly file: ScopedFile;
      readonly owner: number;
      readonly shape: TypeShape;
      readonly arguments?: TypeArguments;
    }
  /** Something outside of the project. */
  | { readonly kind: "outside" };

/** The meaning of names from outside of the project. */
export const OUTSIDE: Entity = { kind: "outside" };

let lastId = 0;

/** Adds the index by name to the scope of a file. */
export function scopedFile(scope: FileScope): ScopedFile {
  return new IndexedScope(scope);
}

/** Most files that use a name are asked for nothing but their imports, so the index of their own names is built on demand. */
class IndexedScope implements ScopedFile {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly role: FileScope["role"];
  readonly flags: number;
  readonly #scope: FileScope;
  #byQualifiedName: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(scope: FileScope) {
    lastId += 1;
    this.id = lastId;
    this.path = scope.path;
    this.language = scope.language;
    this.role = scope.role;
    this.flags = scope.flags;
    this.#scope = scope;
  }

  get package(): string {
    return this.#scope.package;
  }

  get imports(): FileScope["imports"] {
    return this.#scope.imports;
  }

  get symbols(): FileScope["symbols"] {
    return this.#scope.symbols;
  }

  get types(): FileScope["types"] {
    return this.#scope.types;
  }

  get signatures(): FileScope["signatures"] {
    return this.#scope.signatures;
  }

  get byQualifiedName(): ReadonlyMap<string, readonly number[]> {
    this.#byQualifiedName ??= numbersByName(this.#scope);
    return this.#byQualifiedName;
  }
}

function numbersByName(scope: FileScope): ReadonlyMap<string, readonly number[]> {
  const byQualifiedName = new Map<string, number[]>();
  const { path, language, role, flags, symbols } = scope;
  const { hasHeadings = false } = nameRules(language);
  for (const [number, { qualifiedName, kind }] of symbols.entries()) {
    if (hasHeadings && kind === "section") continue;
    const others = byQualifiedName.get(qualifiedName);
    if (others === undefined) byQualifiedName.set(qualifiedName, [number]);
    else others.push(number);
  }
  // The code below reads the names that are known so far, and nothing of the file's imports.
  const known = { path, language, role, flags, symbols, package: "", imports: [] };
  const file: ScopedFile = {
    ...known,
    get types() {
      return scope.types;
    },
    id: 0,
    byQualifiedName,
  };
  if (canUse(language, "c")) {
    addOuter(file, byQualifiedName, isEnumerator);
    addInnerEnumerators(file, byQualifiedName);
  }
  if (nameRules(language).hasExtensions === true) addOuter(file, byQualifiedName, isExtension);
  if (isAmbient(file)) addOuter(file, byQualifiedName, (ref) => isOfTopModule(ref));
  return byQualifiedName;
}

/** Returns whether a declaration file has nothing but `declare module "name" { … }`: then that is what it exports. */
function isAmbient({ path, symbols }: ScopedFile): boolean {
  if (!/\.d\.[mc]?ts$/.test(path)) return false;
  const outer = symbols.filter(({ name, qualifiedName }) => name === qualifiedName);
  return outer.length > 0 && outer.every(({ kind }) => kind === "module");
}

function isOfTopModule(ref: SymbolRef): boolean {
  const [owner] = symbolsIn(ref.file, ownerName(ref));
  return owner?.facts.kind === "module" && owner.facts.name === owner.facts.qualifiedName;
}

/** Returns whether members can be visible by their unqualified name in a language. */
export function hasOuterMembers(language: string): boolean {
  return canUse(language, "c") || nameRules(language).hasExtensions === true;
}

/**
 * Makes the definitions that `isAlsoOuter` accepts visible by their unqualified name too, like top-level ones.
 */
function addOuter(
  file: ScopedFile,
  byQualifiedName: Map<string, readonly number[]>,
  isAlsoOuter: (ref: SymbolRef) => boolean,
): void {
  for (const [number, facts] of file.symbols.entries()) {
    const { name, qualifiedName } = facts;
    if (name === qualifiedName || !isAlsoOuter({ file, number, facts })) continue;
    byQualifiedName.set(name, [...(byQualifiedName.get(name) ?? []), number]);
  }
}

/** Makes the enumerators of `class A { enum B { c }; }` members of the class too: `A::c`. */
function addInnerEnumerators(
  file: ScopedFile,
  byQualifiedName: Map<string, readonly number[]>,
): void {
  for (const [number, { kind, name, qualifiedName }] of file.symbols.entries()) {
    const owner = ownerName({ facts: { name, qualifiedName } });
    const outer = owner.lastIndexOf(".");
    if (kind !== "constant" || outer === -1) continue;
    const [around] = symbolsIn(file, owner);
    // The enumerators of an `enum class` have no type here: they are not members of the class.
    if (around?.facts.kind !== "type" || file.types[number] !== `#${around.number}`) continue;
    const inner = `${owner.slice(0, outer)}.${name}`;
    if (!byQualifiedName.has(inner)) byQualifiedName.set(inner, [number]);
  }
}

/** Returns whether a member is defined outside of its type. */
export function isExtension(ref: SymbolRef): boolean {
  const { file, facts } = ref;
  const owner = ownerName(ref);
  return (
    owner !== "" &&
    symbolsIn(file, owner).every(
      ({ facts: { startLine, endLine } }) => startLine > facts.startLine || endLine < facts.endLine,
    )
  );
}

/**
 * Returns whether the symbol is an enumerator. Its type is its owner; a field cannot have the type that
 * contains it.
 */
function isEnumerator(ref: SymbolRef): boolean {
  const { file, number } = ref;
  const owner = ownerName(ref);
  if (owner === "" || file.types[number] !== `@${owner}`) return false;
  return symbolsIn(file, owner).some(({ facts }) => facts.kind === "type");
}

/** Returns whether a definition is visible by its unqualified name. */
export function isOuter(ref: SymbolRef): boolean {
  const { file, number, facts } = ref;
  return (
    facts.name === facts.qualifiedName ||
    file.byQualifiedName.get(facts.name)?.includes(number) === true
  );
}

/** Returns the symbol of that number, or undefined if the file has none. */
export function symbolRef(file: ScopedFile, number: number): SymbolRef | undefined {
  const facts = number < 0 ? undefined : file.symbols[number];
  return facts && { file, number, facts };
}

/** Returns the symbols of a qualified name in a file. */
export function symbolsIn(file: ScopedFile, qualifiedName: string): readonly SymbolRef[] {
  const numbers = file.byQualifiedName.get(qualifiedName) ?? [];
  return numbers.flatMap((number) => symbolRef(file, number) ?? []);
}

/** Returns an entity of the definitions, or undefined if there are none. */
export function symbolsEntity(symbols: readonly SymbolRef[]): Entity | undefined {
  return symbols.length === 0 ? undefined : { kind: "symbols", symbols };
}

/** Returns whether the definition can have members. */
export function isType({ facts: { kind } }: SymbolRef): boolean {
  return kind === "class" || kind === "type" || kind === "module";
}

/** Returns whether a call of the name can refer to this definition. */
export function isCallable({ facts: { kind } }: SymbolRef): boolean {
  return !isValueKind(kind);
}

/** Returns the qualified name of the definition that contains a symbol; "" at the top level. */
export function ownerName({
  facts: { name, qualifiedName },
}: {
  readonly facts: Pick<SymbolFacts, "name" | "qualifiedName">;
}): string {
  return qualifiedName.length > name.length
    ? qualifiedName.slice(0, -name.length).replace(/(?:\.| > )$/, "")
    : "";
}

/** Returns the definition around a symbol: of a class and its object in Scala, or the parts of a type in Swift, the one that contains it. */
export function definitionAround(file: ScopedFile, inner: SymbolRef): SymbolRef | undefined {
  const all = symbolsIn(file, ownerName(inner));
  const hasSeveral = file.language === "scala" || file.language === "swift";
  if (!hasSeveral || all.length < 2) return all[0];
  const { startLine, endLine } = inner.facts;
  return (
    all.find(
      ({ facts }) =>
        isType({ facts, file, number: 0 }) &&
        facts.startLine <= startLine &&
        endLine <= facts.endLine,
    ) ?? all[0]
  );
}

/** Returns whether two symbols are the same definition or overloads of each other. */
export function isSameSymbol(one: SymbolRef, other: SymbolRef): boolean {
  if (one.file.path !== other.file.path) return false;
  if (one.facts.qualifiedName !== other.facts.qualifiedName) return false;
  // A field and a method can have the same name.
  const kinds = new Set([one.facts.kind, other.facts.kind]);
  return !(kinds.has("method") && [...kinds].some(isValueKind)) && !isTypeAndValue(one, other);
}

/** Returns whether one is an interface or a type and the other a constant or a function of that name, in TypeScript. */
export function isTypeAndValue(one: SymbolRef, other: SymbolRef): boolean {
  return (
    nameRules(one.file.language).haveTypesOwnNames === true &&
    one.facts.kind !== other.facts.kind &&
    [one, other].some(({ facts }) => facts.kind === "type") &&
    [one, other].some(({ facts: { kind } }) => kind === "constant" || kind === "function")
  );
}

/** Returns the Rust enum whose variant is called as a constructor. */
export function variantOf(symbols: readonly SymbolRef[]): SymbolRef | undefined {
  const [first] = symbols;
  if (first === undefined || first.file.language !== "rust" || isCallable(first)) return undefined;
  return symbolsIn(first.file, ownerName(first)).find(({ facts }) => facts.kind === "type");
}

/** Returns whether a definition is one of Ruby. */
export function isOfRuby({ file }: SymbolRef): boolean {
  return file.language === "ruby";
}
