// The types that overloads differ in, as signatures and arguments have them: see references.ts.

import { isType, isCallable, type ScopedFile, type SymbolRef } from "./entity.ts";
import { evaluateMember } from "./evaluate-expression.ts";
import { evaluateType } from "./receiver-type.ts";
import { libraryTypes, type LibraryTypes } from "./library-types.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { Fit, FunctionValue } from "./overload-fit.ts";
import { parameterTexts, resultText, takesArguments, typeTextOf } from "./signature.ts";

/** A parameter of a definition. */
export interface Parameter {
  readonly type: ValueType;
  readonly isVariadic: boolean;
  readonly isOptional: boolean;
}

/** The type of a parameter or a value. */
export type ValueType =
  | { readonly kind: "unknown" }
  | { readonly kind: "null" }
  | ({ readonly kind: "function" } & FunctionValue)
  | {
      readonly kind: "named";
      /** Without its qualifier. */
      readonly name: string;
      /** How often it is an array of it. */
      readonly dimensions: number;
      /** Undefined for a type of the language or a library. */
      readonly symbol: SymbolRef | undefined;
    };

type NamedType = Extract<ValueType, { kind: "named" }>;

/** Maximum depth of supertypes. */
const MAX_DEPTH = 12;
const UNKNOWN: ValueType = { kind: "unknown" };
const OBJECT = { kind: "named", dimensions: 0, symbol: undefined } as const;
const SIMPLE = /^@([\p{L}_$][\p{L}\p{N}_$]*)$/u;

interface TypePlace {
  readonly file: ScopedFile;
  /** The definition in which names are resolved. */
  readonly owner: number;
}

/** Reads and compares types. */
export class OverloadTypes {
  readonly #names: NameResolver;

  constructor(names: NameResolver) {
    this.#names = names;
  }

  /** Returns the parameters of a definition; undefined if they are not known. */
  async parametersOf({ file, number }: SymbolRef): Promise<readonly Parameter[] | undefined> {
    const texts = parameterTexts(file.signatures?.[number]);
    if (texts === undefined) return undefined;
    const parameters: Parameter[] = [];
    for (const text of texts) {
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
      const type = await this.#fromText({ file, owner: number }, typeTextOf(text));
      const isVariadic = text.endsWith("...");
      parameters.push({ type, isVariadic, isOptional: /=(?:\.\.\.)?$/.test(text) });
    }
    return parameters;
  }

  /** Returns the type of an argument of a use. */
  async ofArgument(place: TypePlace, text: string): Promise<ValueType> {
    if (text === "?") return UNKNOWN;
    if (text === "!") return { kind: "null" };
    if (text.startsWith("^")) {
      const [, count = "", returns = ""] = /^\^(\d*)(.?)$/.exec(text) ?? [];
      return { kind: "function", parameters: count === "" ? -1 : Number(count), returns };
    }
    if (text.startsWith(":")) return this.#fromText(place, text.slice(1));
    const [, simple] = SIMPLE.exec(text) ?? [];
    return simple === undefined ? this.#evaluated(place, text) : this.#fromText(place, simple);
  }

  async #fromText({ file, owner }: TypePlace, text: string): Promise<ValueType> {
    const dimensions = text.endsWith("[]") ? (text.length - text.indexOf("[]")) / 2 : 0;
    const whole = dimensions === 0 ? text : text.slice(0, text.indexOf("[]"));
    // A type parameter with a bound.
    const path = whole.startsWith("?") && whole !== "?" ? whole.slice(1) : whole;
    const library = libraryTypes(file.language);
    // An array of a type parameter is one of objects.
    if (path === "?" && dimensions > 0) {
      return { kind: "named", name: library.top, dimensions, symbol: undefined };
    }
    if (path === "?" || path === "") return UNKNOWN;
    const name = path.slice(path.lastIndexOf(".") + 1);
    if (library.isPrimitive(path)) return { kind: "named", name, dimensions, symbol: undefined };
    const symbol = await this.#names.typeNamed(file, path, 1, owner);
    return { kind: "named", name: symbol?.facts.name ?? name, dimensions, symbol };
  }

  /** Returns the type of a call's or member's result. */
  async #evaluated(place: TypePlace, text: string): Promise<ValueType> {
    const own = /^#(\d+)$/.exec(text);
    if (own !== null) return named(place.file, Number(own[1]));
    const [call = "", passed] = /\((\d*)\)$/.exec(text) ?? [];
    const path = call === "" ? text : text.slice(0, -call.length);
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    if (/[()[\]*#@]/.test(name)) return this.#ofEntity(place, text);
    const receiver = dot === -1 ? "" : path.slice(0, dot);
    const meant =
      dot === -1
        ? await this.#names.name(place.file, name, place.owner, 1)
        : await evaluateMember(this.#names, place, { receiver, name });
    if (meant?.kind !== "symbols") {
      return receiver === "" ? UNKNOWN : this.#ofLibrary(place, receiver, name);
    }
    const symbols = meant.symbols.filter((ref) =>
      passed === undefined
        ? !isCallable(ref)
        : isCallable(ref) && takesArguments(ref, Number(passed)),
    );
    const types: ValueType[] = [];
    // oxlint-disable-next-line no-await-in-loop -- few
    for (const ref of symbols) types.push(await this.#resultOf(ref));
    const [first] = types;
    return first !== undefined && types.every((type) => isEqual(type, first)) ? first : UNKNOWN;
  }

  /** Returns the type of a member that a library defines. */
  async #ofLibrary(place: TypePlace, receiver: string, member: string): Promise<ValueType> {
    const library = libraryTypes(place.file.language);
    const [, name] = /^@?([\p{Lu}][\w$]*)$/u.exec(receiver) ?? [];
    const type: ValueType =
      name === undefined ? await this.ofArgument(place, receiver) : { ...OBJECT, name };
    if (type.kind !== "named") return UNKNOWN;
    const result = library.resultOf(type.dimensions > 0 ? "[]" : type.name, member);
    return result === "" ? UNKNOWN : this.#fromText(place, result);
  }

  async #ofEntity(place: TypePlace, text: string): Promise<ValueType> {
    const type = await evaluateType(this.#names, place, text);
    return type === undefined ? UNKNOWN : named(type.file, type.number);
  }

  async #resultOf({ file, number, facts }: SymbolRef): Promise<ValueType> {
    if (isType({ file, number, facts })) return UNKNOWN;
    const signature = file.signatures?.[number] ?? "";
    const result = resultText(signature);
    const place = { file, owner: number };
    if (result !== "") return this.#fromText(place, result);
    const type = file.types[number] ?? "";
    if (type === "" || type.endsWith("*")) return UNKNOWN;
    const [, simple] = SIMPLE.exec(type) ?? [];
    return simple === undefined ? this.#ofEntity(place, type) : this.#fromText(place, simple);
  }

  /** Returns whether a value of a type can be passed to a parameter. */
  async fit(value: ValueType, parameter: ValueType, language: string): Promise<Fit> {
    const library = libraryTypes(language);
    if (parameter.kind !== "named") {
      // A type parameter without a bound takes every object, and functions only if it is inferred elsewhere.
      if (value.kind === "unknown") return "maybe";
      if (value.kind === "function") return "maybe";
      return value.kind === "named" && library.isPrimitive(value.name) && value.dimensions === 0
        ? "wide"
        : "yes";
    }
    if (value.kind === "unknown") return "maybe";
    const isPrimitive = parameter.dimensions === 0 && library.isPrimitive(parameter.name);
    if (value.kind === "null") return isPrimitive ? "no" : "yes";
    if (value.kind === "function") {
      if (isPrimitive || parameter.dimensions > 0) return "no";
      return this.#fitOfFunction(value, parameter, library);
    }
    return this.#fitOfNamed(value, parameter, library);
  }

  async #fitOfNamed(value: NamedType, parameter: NamedType, library: LibraryTypes): Promise<Fit> {
    if (isEqual(value, parameter)) return "yes";
    if (parameter.dimensions > 0) return this.#fitOfArray(value, parameter, library);
    if (value.dimensions > 0) return library.isAboveArrays(parameter.name) ? "yes" : "no";
    if (value.symbol === undefined) {
      // A type of a library is not a subtype of the project's types.
      if (parameter.symbol !== undefined) return library.isTop(value.name) ? "maybe" : "no";
      return library.fit(value.name, parameter.name);
    }
    if (parameter.symbol === undefined && library.isTop(parameter.name)) return "yes";
    return this.#isSubtype(value.symbol, parameter, library);
  }

  async #fitOfArray(value: NamedType, parameter: NamedType, library: LibraryTypes): Promise<Fit> {
    const more = value.dimensions - parameter.dimensions;
    if (more < 0) return "no";
    if (library.isPrimitive(value.name) || library.isPrimitive(parameter.name)) {
      return library.isTop(parameter.name) && more > 0 ? "yes" : "no";
    }
    const element = await this.#fitOfNamed(
      { ...value, dimensions: more },
      { ...parameter, dimensions: 0 },
      library,
    );
    return element === "wide" ? "no" : element;
  }

  async #isSubtype(type: SymbolRef, of: NamedType, library: LibraryTypes, depth = 0): Promise<Fit> {
    if (of.symbol === undefined && library.isPrimitive(of.name)) return "no";
    if (of.symbol === undefined && library.isImplicit(of.name)) return "maybe";
    if (depth > MAX_DEPTH) return "maybe";
    const supertypes = await this.#names.types.supertypes(type);
    const known = supertypes.filter((one) => one !== undefined);
    if (known.some((one) => of.symbol !== undefined && isSame(one, of.symbol))) return "yes";
    const fits: Fit[] = [];
    for (const one of known) {
      // oxlint-disable-next-line no-await-in-loop -- up the inheritance chain
      fits.push(await this.#isSubtype(one, of, library, depth + 1));
    }
    if (known.length < supertypes.length && of.symbol === undefined) {
      // Types that it inherits from outside the project are known by name.
      const uses = (await this.#names.context.symbols.inheritsOf(type.file.path)).get(type.number);
      fits.push(...(uses ?? []).map(({ name }) => library.fit(name, of.name)));
    }
    return fits.find((fit) => fit === "yes") ?? fits.find((fit) => fit === "maybe") ?? "no";
  }

  async #fitOfFunction(
    value: Extract<ValueType, { kind: "function" }>,
    parameter: NamedType,
    library: LibraryTypes,
  ): Promise<Fit> {
    const { symbol } = parameter;
    if (symbol === undefined) return library.fitOfFunction(parameter.name, value);
    if (symbol.facts.kind === "class") return "no";
    if (value.parameters === -1) return "maybe";
    const methods = await this.#methodsOf(symbol);
    if (methods === undefined) return "maybe";
    const matching = methods.filter(({ count }) => count === value.parameters);
    if (matching.length === 0) return "no";
    const [only] = methods;
    if (methods.length > 1 || only === undefined || value.returns === "") return "maybe";
    return (only.isVoid ? "v" : "r") === value.returns ? "yes" : "no";
  }

  /** Returns the methods of an interface; undefined if it may inherit others. */
  async #methodsOf(
    symbol: SymbolRef,
    depth = 0,
  ): Promise<{ readonly count: number; readonly isVoid: boolean }[] | undefined> {
    const { file, facts } = symbol;
    const methods = file.symbols.flatMap(({ kind, name, qualifiedName }, number) => {
      const signature = file.signatures?.[number];
      const parameters = parameterTexts(signature);
      if (kind !== "method" || qualifiedName !== `${facts.qualifiedName}.${name}`) return [];
      return parameters === undefined
        ? []
        : [{ count: parameters.length, isVoid: signature?.endsWith(")void") === true }];
    });
    for (const one of await this.#names.types.supertypes(symbol)) {
      // oxlint-disable-next-line no-await-in-loop -- few
      const inherited = one && depth < 5 ? await this.#methodsOf(one, depth + 1) : undefined;
      if (inherited === undefined) return undefined;
      methods.push(...inherited);
    }
    return methods;
  }

  /** Returns whether every value of one type can be passed where the other is expected. */
  async isAtLeastAsSpecific(one: ValueType, other: ValueType, language: string): Promise<boolean> {
    if (other.kind !== "named") return true;
    if (one.kind !== "named")
      return other.dimensions === 0 && libraryTypes(language).isTop(other.name);
    const fit = await this.fit(one, other, language);
    return fit === "yes";
  }
}

function named(file: ScopedFile, number: number): ValueType {
  const facts = file.symbols[number];
  if (facts === undefined) return UNKNOWN;
  return { kind: "named", name: facts.name, dimensions: 0, symbol: { file, number, facts } };
}

/** Returns whether two types are certainly the same. */
function isEqual(one: ValueType, other: ValueType): boolean {
  if (one.kind !== "named" || other.kind !== "named") return false;
  if (one.dimensions !== other.dimensions || one.name !== other.name) return false;
  if (one.symbol === undefined || other.symbol === undefined) return one.symbol === other.symbol;
  return isSame(one.symbol, other.symbol);
}

function isSame(one: SymbolRef, other: SymbolRef): boolean {
  return one.number === other.number && one.file.path === other.file.path;
}
