// The types of a language and its standard library that svc knows, to distinguish overloads.

import type { LibraryData } from "./library-data.ts";
import { JAVA_LIBRARY } from "./library-types-java.ts";
import type { Fit, FunctionValue } from "./overload-fit.ts";

const NO_LIBRARY: LibraryData = {
  top: "",
  primitives: {},
  boxes: {},
  supertypes: {},
  final: new Set(),
  functions: {},
  results: {},
  aboveArrays: new Set(),
  implicit: new Set(),
};

/** Maximum depth of supertypes. */
const MAX_DEPTH = 8;

/** Answers questions about the types of one language. */
export class LibraryTypes {
  readonly #data: LibraryData;

  constructor(data: LibraryData) {
    this.#data = data;
  }

  get top(): string {
    return this.#data.top;
  }

  isTop(name: string): boolean {
    return name === this.#data.top;
  }

  isPrimitive(name: string): boolean {
    return Object.hasOwn(this.#data.primitives, name);
  }

  isAboveArrays(name: string): boolean {
    return this.isTop(name) || this.#data.aboveArrays.has(name);
  }

  /** Returns whether a type of the project may have this supertype without writing it. */
  isImplicit(name: string): boolean {
    return this.#data.implicit.has(name);
  }

  /** Returns whether a value of one type can be passed where the other is expected. */
  fit(value: string, parameter: string): Fit {
    if (value === parameter) return "yes";
    if (this.isPrimitive(value)) return this.#fitOfPrimitive(value, parameter);
    const unboxed = this.#data.boxes[value];
    if (this.isPrimitive(parameter)) {
      if (unboxed === undefined) return this.isTop(value) || this.#isKnown(value) ? "no" : "maybe";
      return unboxed === parameter || this.#isWidened(unboxed, parameter) ? "wide" : "no";
    }
    if (this.isTop(parameter)) return "yes";
    return this.#fitOfObject(value, parameter);
  }

  #fitOfPrimitive(value: string, parameter: string): Fit {
    if (this.isPrimitive(parameter)) return this.#isWidened(value, parameter) ? "yes" : "no";
    if (this.isTop(parameter)) return "wide";
    const box = Object.entries(this.#data.boxes).find(([, primitive]) => primitive === value)?.[0];
    if (box === undefined) return "no";
    return box === parameter || this.#fitOfObject(box, parameter) === "yes" ? "wide" : "no";
  }

  #isWidened(from: string, to: string): boolean {
    let wider = this.#data.primitives[from] ?? "";
    for (let left = MAX_DEPTH; left > 0 && wider !== ""; left -= 1) {
      if (wider === to) return true;
      wider = this.#data.primitives[wider] ?? "";
    }
    return false;
  }

  #fitOfObject(value: string, parameter: string): Fit {
    if (this.isTop(value) || this.#data.final.has(parameter)) return "no";
    if (!this.#isKnown(value)) return "maybe";
    return this.#isBelow(value, parameter, MAX_DEPTH) ? "yes" : "no";
  }

  #isBelow(name: string, above: string, depth: number): boolean {
    const direct = this.#data.supertypes[name] ?? "";
    return (
      depth > 0 &&
      direct !== "" &&
      direct.split(" ").some((one) => one === above || this.#isBelow(one, above, depth - 1))
    );
  }

  /** Returns the type of what a member of a type returns or holds; "" if unknown. */
  resultOf(type: string, member: string): string {
    for (const owner of [type, ""]) {
      const members = Object.hasOwn(this.#data.results, owner)
        ? this.#data.results[owner]
        : undefined;
      if (members !== undefined && Object.hasOwn(members, member)) return members[member] ?? "";
    }
    return "";
  }

  #isKnown(name: string): boolean {
    return Object.hasOwn(this.#data.supertypes, name);
  }

  /** Returns whether a function can be passed where a type of the library is expected. */
  fitOfFunction(parameter: string, { parameters, returns }: FunctionValue): Fit {
    const known = Object.hasOwn(this.#data.functions, parameter)
      ? this.#data.functions[parameter]
      : undefined;
    if (known === undefined)
      return this.isTop(parameter) || this.#isKnown(parameter) ? "no" : "maybe";
    if (parameters === -1) return "maybe";
    if (Number(known.slice(0, -1)) !== parameters) return "no";
    if (returns === "") return "maybe";
    return known.endsWith(returns) ? "yes" : "no";
  }
}

const LIBRARIES: ReadonlyMap<string, LibraryTypes> = new Map([
  ["java", new LibraryTypes(JAVA_LIBRARY)],
]);
const UNKNOWN_LIBRARY = new LibraryTypes(NO_LIBRARY);

/** Returns what is known about the types of a language's library. */
export function libraryTypes(language: string): LibraryTypes {
  return LIBRARIES.get(language) ?? UNKNOWN_LIBRARY;
}
