// Tells the overloads of a name apart by the arguments of a call.

import { isSameVariant } from "./distinctions.ts";
import {
  isCallable,
  isSameSymbol,
  isType,
  ownerName,
  symbolRef,
  symbolsIn,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiverType } from "./receiver-type.ts";
import { receiverOrBare } from "./expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { isConstructor } from "./own-names.ts";
import { isSwift, swiftLabels } from "./swift-types.ts";
import { OverloadTypes, type Parameter, type ValueType } from "./overload-types.ts";
import { parameterTexts, takesArguments, typeTextOf } from "./signature.ts";
import type { Use } from "../parse/references/references.ts";

/** A use, and the file that contains it. */
interface UsePlace {
  readonly file: ScopedFile;
  readonly use: Use;
}

/** The definitions that a call may refer to. */
export interface Overloads {
  /** The one that is called; undefined if that is not proved. */
  readonly called: SymbolRef | undefined;
  /** Those that may be called. None if the call cannot refer to any definition of the project. */
  readonly possible: readonly SymbolRef[];
}

interface Candidates {
  readonly symbols: readonly SymbolRef[];
  /** Whether types outside of the project may have more. */
  readonly isComplete: boolean;
}

/** How a candidate can be called: 1 as it is, 2 with defaults, 3 after conversion of primitive types, 4 as variadic. */
interface Applicable {
  readonly symbol: SymbolRef;
  readonly parameters: readonly Parameter[];
  readonly level: number;
  readonly isCertain: boolean;
}

const MAX_DEPTH = 10;

/** Returns whether two symbols are the same definition, with overloads apart if their parameters are known. */
export function isSameOverload(one: SymbolRef, other: SymbolRef): boolean {
  if (!isSameSymbol(one, other) || !isSameVariant(one, other)) return false;
  if (isSwift(one.file)) return swiftLabels(one) === swiftLabels(other);
  return one.number === other.number || !hasParameters(one) || !hasParameters(other);
}

function hasParameters({ file, number }: SymbolRef): boolean {
  return parameterTexts(file.signatures?.[number]) !== undefined;
}

/** Returns whether a method with the parameters of one can override the other; true if parameters are not known. */
export function haveSameParameters(one: SymbolRef, other: SymbolRef): boolean {
  if (!isSameVariant(one, other)) return false;
  if (isSwift(one.file)) return swiftLabels(one) === swiftLabels(other);
  const ofOne = parameterTexts(one.file.signatures?.[one.number]);
  const ofOther = parameterTexts(other.file.signatures?.[other.number]);
  if (ofOne === undefined || ofOther === undefined) return true;
  if (ofOne.length !== ofOther.length) return false;
  return ofOne.every((text, at) => isSameType(typeTextOf(text), typeTextOf(ofOther[at] ?? "")));
}

/** A type parameter may be any type. */
function isSameType(one: string, other: string): boolean {
  if (one.startsWith("?") || other.startsWith("?")) return true;
  return one.slice(one.lastIndexOf(".") + 1) === other.slice(other.lastIndexOf(".") + 1);
}

/** Finds the overload that a use refers to, among `found` and those that its type inherits. */
export async function overloadsFor(
  names: NameResolver,
  place: UsePlace,
  found: readonly SymbolRef[],
): Promise<Overloads> {
  const { symbols, isComplete } = await candidatesFor(names, place, found);
  const passed = place.use.arguments ?? "";
  const [only, ...others] = symbols;
  // A method that is referred to, not called.
  if (passed === "^") {
    return { called: others.length === 0 ? only : undefined, possible: symbols };
  }
  const values = passed === "" ? [] : passed.split(",");
  const byNumber = symbols.filter(
    (symbol) => takesArguments(symbol, values.length) && canAccess(place.file, symbol),
  );
  const [first, ...more] = byNumber;
  if (more.length === 0) return { called: first, possible: byNumber };
  const types = new OverloadTypes(names);
  const owner = place.use.owner;
  const passedTypes: ValueType[] = [];
  for (const value of values) {
    // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
    passedTypes.push(await types.ofArgument({ file: place.file, owner }, value));
  }
  const applicable: Applicable[] = [];
  for (const symbol of byNumber) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    const one = await applicability(types, symbol, passedTypes);
    if (one !== undefined) applicable.push(one);
  }
  const called = await mostSpecific(types, applicable, passedTypes.length);
  if (called !== undefined) return { called, possible: [called] };
  if (applicable.length > 0) return { called, possible: applicable.map(({ symbol }) => symbol) };
  return { called, possible: isComplete ? byNumber : [] };
}

function canAccess(from: ScopedFile, { file, facts }: SymbolRef): boolean {
  return facts.access !== "private" || file.path === from.path;
}

async function candidatesFor(
  names: NameResolver,
  place: UsePlace,
  found: readonly SymbolRef[],
): Promise<Candidates> {
  const callable = found.filter(isCallable);
  const [first] = callable;
  if (first === undefined) return { symbols: callable, isComplete: true };
  const { name } = first.facts;
  // Mostly nothing else has the name, and the types above need not be read.
  const hits = await names.context.symbols.hits(name);
  if (hits.length === callable.length) return { symbols: callable, isComplete: false };
  const type = await receiverType(names, place, first);
  if (type === undefined) return ofAnonymous(names, callable);
  const key = `overloads ${type.file.id} ${type.number} ${name}`;
  const all = await names.context.memo.getOrResolve(key, 0, () => inheritedBy(names, type, name));
  // An extension is not a member of the type.
  return all.symbols.some((one) => isSameOverload(one, first))
    ? all
    : { symbols: callable, isComplete: true };
}

/** Returns methods of an anonymous class, and those that it inherits. */
async function ofAnonymous(names: NameResolver, own: readonly SymbolRef[]): Promise<Candidates> {
  const symbols = [...own];
  let isComplete = true;
  for (const method of own) {
    // oxlint-disable-next-line no-await-in-loop -- mostly one
    for (const type of await names.types.supertypes(method)) {
      if (type === undefined) isComplete = false;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const above = type && (await inheritedBy(names, type, method.facts.name));
      for (const one of above?.symbols ?? []) {
        if (!symbols.some((other) => haveSameParameters(one, other))) symbols.push(one);
      }
    }
  }
  return { symbols, isComplete };
}

/** Returns the type whose member is used: of the receiver, or the one around the use that has the member. */
async function receiverType(
  names: NameResolver,
  { file, use }: UsePlace,
  member: SymbolRef,
): Promise<SymbolRef | undefined> {
  const [owner] = symbolsIn(member.file, ownerName(member)).filter(isType);
  if (owner === undefined || isConstructor(member)) return owner;
  if (use.receiver !== "") {
    const { owner: around } = use;
    const receiver = receiverOrBare(use.receiver) ?? use.receiver;
    return (await evaluateReceiverType(names, { file, owner: around }, receiver)) ?? owner;
  }
  for (let around = symbolRef(file, use.owner); around !== undefined;) {
    if (isType(around)) {
      // oxlint-disable-next-line no-await-in-loop -- innermost first
      const { found } = await names.types.members(around, member.facts.name, 1);
      if (found.some((one) => isSameSymbol(one, member))) return around;
    }
    const outer = ownerName(around);
    around = outer === "" ? undefined : symbolsIn(file, outer)[0];
  }
  return owner;
}

/** Returns the methods of a type with that name, without those that others override. */
async function inheritedBy(
  names: NameResolver,
  type: SymbolRef,
  name: string,
): Promise<Candidates> {
  const symbols: SymbolRef[] = [];
  const visited = new Set<string>();
  let isComplete = true;
  let level: readonly SymbolRef[] = [type];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const above: SymbolRef[] = [];
    for (const one of level) {
      const key = `${one.file.id} ${one.number}`;
      if (visited.has(key)) continue;
      visited.add(key);
      const own = symbolsIn(one.file, `${one.facts.qualifiedName}.${name}`).filter(isCallable);
      const added = own.filter(
        (symbol) => !symbols.some((other) => haveSameParameters(symbol, other)),
      );
      symbols.push(...added);
      if (own.some((symbol) => isConstructor(symbol))) return { symbols, isComplete };
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const next of await names.types.supertypes(one)) {
        if (next === undefined) isComplete = false;
        else above.push(next);
      }
    }
    level = above;
  }
  return { symbols, isComplete };
}

/** Returns how a candidate can be called; undefined if it cannot. */
async function applicability(
  types: OverloadTypes,
  symbol: SymbolRef,
  values: readonly ValueType[],
): Promise<Applicable | undefined> {
  const parameters = await types.parametersOf(symbol);
  if (parameters === undefined) return { symbol, parameters: [], level: 1, isCertain: false };
  const last = parameters.at(-1);
  const asIs = await asWritten(types, { symbol, parameters }, values);
  if (last?.isVariadic !== true || asIs?.isCertain === true) return asIs;
  const fixed = parameters.slice(0, -1).map(({ type }) => type);
  const each = values.map((_, at) => fixed[at] ?? last.type);
  const spread = await fitOfAll(types, values, each, symbol.file.language);
  if (spread === undefined) return asIs;
  // It may be called either way.
  if (asIs !== undefined) return asIs;
  return { symbol, parameters, level: 4, isCertain: spread.isCertain };
}

/** Returns how a candidate can be called with one argument for each parameter that has no default. */
async function asWritten(
  types: OverloadTypes,
  { symbol, parameters }: Pick<Applicable, "symbol" | "parameters">,
  values: readonly ValueType[],
): Promise<Applicable | undefined> {
  const isShort = values.length < parameters.length;
  const isVariadic = parameters.at(-1)?.isVariadic === true;
  if (values.length > parameters.length || (isShort && isVariadic)) return undefined;
  const each = parameters.map(arrayIfVariadic);
  const fit = await fitOfAll(types, values, each, symbol.file.language);
  if (fit === undefined) return undefined;
  const level = isShort ? 2 : 1;
  return { symbol, parameters, level: fit.isWide ? 3 : level, isCertain: fit.isCertain };
}

function arrayIfVariadic({ type, isVariadic }: Parameter): ValueType {
  if (!isVariadic) return type;
  return type.kind === "named"
    ? { ...type, dimensions: type.dimensions + 1 }
    : { kind: "named", name: "Object", dimensions: 1, symbol: undefined };
}

async function fitOfAll(
  types: OverloadTypes,
  values: readonly ValueType[],
  parameters: readonly ValueType[],
  language: string,
): Promise<{ readonly isWide: boolean; readonly isCertain: boolean } | undefined> {
  let isWide = false;
  let isCertain = true;
  for (const [at, value] of values.entries()) {
    const parameter = parameters[at];
    // oxlint-disable-next-line no-await-in-loop -- the first that does not fit decides
    const fit = parameter === undefined ? "no" : await types.fit(value, parameter, language);
    if (fit === "no") return undefined;
    isWide ||= fit === "wide";
    isCertain &&= fit !== "maybe";
  }
  return { isWide, isCertain };
}

/** Returns the candidate that the language chooses; undefined if that is not proved. */
async function mostSpecific(
  types: OverloadTypes,
  applicable: readonly Applicable[],
  count: number,
): Promise<SymbolRef | undefined> {
  const [first, ...others] = applicable;
  if (first === undefined || others.length === 0) return first?.symbol;
  const best = Math.min(
    ...applicable.filter(({ isCertain }) => isCertain).map(({ level }) => level),
  );
  const left = applicable.filter(({ level }) => level <= best);
  const found: SymbolRef[] = [];
  for (const one of left) {
    if (!one.isCertain) continue;
    // oxlint-disable-next-line no-await-in-loop -- few
    if (await isMostSpecific(types, one, left, count)) found.push(one.symbol);
  }
  return found.length === 1 ? found[0] : undefined;
}

async function isMostSpecific(
  types: OverloadTypes,
  one: Applicable,
  all: readonly Applicable[],
  count: number,
): Promise<boolean> {
  for (const other of all) {
    if (other === one) continue;
    for (let at = 0; at < count; at += 1) {
      const type = parameterAt(one, at);
      const otherType = parameterAt(other, at);
      if (type === undefined || otherType === undefined) return false;
      // oxlint-disable-next-line no-await-in-loop -- few
      if (!(await types.isAtLeastAsSpecific(type, otherType, one.symbol.file.language)))
        return false;
    }
  }
  return true;
}

function parameterAt({ parameters, level }: Applicable, at: number): ValueType | undefined {
  const last = parameters.at(-1);
  const parameter = parameters[at] ?? last;
  if (parameter === undefined) return undefined;
  return level === 4 ? parameter.type : arrayIfVariadic(parameter);
}
