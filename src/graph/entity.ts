// What a name or an expression stands for.

import { isValueKind } from "../base/definition-kinds.ts";
import type { FileScope } from "../index/port.ts";
import type { SymbolFacts } from "../index/segment/outline.ts";
import { canUse, nameRules } from "./name-rules.ts";

/** A file with what is defined in it, made to be looked things up in. */
export interface ScopedFile extends FileScope {
  /** Numbers of the symbols of a qualified name: overloads and clauses share one. */
  readonly byQualifiedName: ReadonlyMap<string, readonly number[]>;
}

/** A definition: a symbol of a file by its number. */
export interface SymbolRef {
  readonly file: ScopedFile;
  readonly number: number;
  readonly facts: SymbolFacts;
}

export type Entity =
  /** A value of a type; `layers`: of containers around it, 1 for a list, 2 for a list of lists. */
  | { readonly kind: "instance"; readonly type: SymbolRef; readonly layers: number }
  /** The definitions themselves; several are overloads, or a declaration and its definition. */
  | { readonly kind: "symbols"; readonly symbols: readonly SymbolRef[] }
  | { readonly kind: "module"; readonly files: readonly string[]; readonly isPackage: boolean }
  /** A namespace as a file sees it, where definitions are known by what they are called inside of it. */
  | { readonly kind: "namespace"; readonly name: string; readonly file: ScopedFile }
  /** Something that is not of this project. */
  | { readonly kind: "outside" };

export const OUTSIDE: Entity = { kind: "outside" };

export function scopedFile(scope: FileScope): ScopedFile {
  const byQualifiedName = new Map<string, number[]>();
  for (const [number, { qualifiedName }] of scope.symbols.entries()) {
    const others = byQualifiedName.get(qualifiedName);
    if (others === undefined) byQualifiedName.set(qualifiedName, [number]);
    else others.push(number);
  }
  const file = { ...scope, byQualifiedName };
  if (canUse(scope.language, "c")) addOuter(file, byQualifiedName, isEnumerator);
  if (nameRules(scope.language).hasExtensions === true)
    addOuter(file, byQualifiedName, isExtension);
  return file;
}

/** Makes what is found known by its mere name, too: it is seen like what stands outside. */
function addOuter(
  file: ScopedFile,
  byQualifiedName: Map<string, readonly number[]>,
  isOuterToo: (ref: SymbolRef) => boolean,
): void {
  for (const [number, facts] of file.symbols.entries()) {
    const { name, qualifiedName } = facts;
    if (name === qualifiedName || !isOuterToo({ file, number, facts })) continue;
    byQualifiedName.set(name, [...(byQualifiedName.get(name) ?? []), number]);
  }
}

/** A member that stands outside of its type. */
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

/** A value of an enumeration; a field cannot hold what it is a field of. */
function isEnumerator(ref: SymbolRef): boolean {
  const { file, number } = ref;
  const owner = ownerName(ref);
  if (owner === "" || file.types[number] !== `@${owner}`) return false;
  return symbolsIn(file, owner).some(({ facts }) => facts.kind === "type");
}

/** Whether the definition is seen without what it is defined in. */
export function isOuter(ref: SymbolRef): boolean {
  const { file, number, facts } = ref;
  return (
    facts.name === facts.qualifiedName ||
    file.byQualifiedName.get(facts.name)?.includes(number) === true
  );
}

export function symbolRef(file: ScopedFile, number: number): SymbolRef | undefined {
  const facts = file.symbols[number];
  return facts && { file, number, facts };
}

/** The symbols of a qualified name in a file. */
export function symbolsIn(file: ScopedFile, qualifiedName: string): readonly SymbolRef[] {
  const numbers = file.byQualifiedName.get(qualifiedName) ?? [];
  return numbers.flatMap((number) => symbolRef(file, number) ?? []);
}

export function symbolsEntity(symbols: readonly SymbolRef[]): Entity | undefined {
  return symbols.length === 0 ? undefined : { kind: "symbols", symbols };
}

/** Whether other definitions can be members of this one. */
export function isType({ facts: { kind } }: SymbolRef): boolean {
  return kind === "class" || kind === "type" || kind === "module";
}

/** Whether a call means it rather than a value of its name. */
export function isCallable({ facts: { kind } }: SymbolRef): boolean {
  return !isValueKind(kind);
}

/** Qualified name of what a symbol is a member of; "" at the outermost level. */
export function ownerName({ facts: { name, qualifiedName } }: SymbolRef): string {
  return qualifiedName.length > name.length
    ? qualifiedName.slice(0, -name.length).replace(/(?:\.| > )$/, "")
    : "";
}

/** The same definition, or an overload of it. */
export function isSameSymbol(one: SymbolRef, other: SymbolRef): boolean {
  if (one.file.path !== other.file.path) return false;
  if (one.facts.qualifiedName !== other.facts.qualifiedName) return false;
  // A field and a method can share their name.
  const kinds = new Set([one.facts.kind, other.facts.kind]);
  return !(kinds.has("method") && [...kinds].some(isValueKind));
}
