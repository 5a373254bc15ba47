// Which definition of the same file a name means.

import { OWN } from "./code-names.ts";
import type { DefinitionsOfFile, NamedUse } from "./named-use.ts";

/** Finds the definitions that a file's own names mean. */
export class NamedTargets {
  readonly #file: DefinitionsOfFile;
  readonly #ignoresCase: boolean;
  /** The first definition of each name. */
  readonly #byName = new Map<string, number>();
  readonly #byQualifiedName = new Map<string, number>();
  /** The names of definitions in several places. */
  readonly #several = new Set<string>();

  constructor(file: DefinitionsOfFile, ignoresCase: boolean) {
    this.#file = file;
    this.#ignoresCase = ignoresCase;
    for (const [number, { name, qualifiedName }] of file.symbols.entries()) {
      const [key, qualified] = [this.#fold(name), this.#fold(qualifiedName)];
      const first = this.#byName.get(key);
      if (first === undefined) this.#byName.set(key, number);
      else if (this.#fold(file.symbols[first]?.qualifiedName ?? "") !== qualified) {
        this.#several.add(key);
      }
      if (!this.#byQualifiedName.has(qualified)) this.#byQualifiedName.set(qualified, number);
    }
  }

  /** Returns the number of the definition; -1 if it is in another file or not certain. */
  of({ name, line, receiver = "", isOuter }: NamedUse): number {
    if (isOuter === true) return this.#byQualifiedName.get(this.#fold(name)) ?? -1;
    if (receiver === "" || receiver === OWN) return this.#bare(name, line);
    if (receiver.startsWith("#")) {
      const type = this.#file.symbols[Number(receiver.slice(1))]?.qualifiedName ?? "";
      return this.#byQualifiedName.get(this.#fold(`${type}.${name}`)) ?? -1;
    }
    return this.#byQualifiedName.get(this.#fold(`${receiver}.${name}`)) ?? -1;
  }

  /** The member of the type around the line, else the only definition of the name, else the one outside of types. */
  #bare(name: string, line: number): number {
    const { symbols, typeAt } = this.#file;
    const key = this.#fold(name);
    if (!this.#several.has(key)) return this.#byName.get(key) ?? -1;
    const around = symbols[typeAt(line)]?.qualifiedName ?? "";
    return (
      this.#byQualifiedName.get(this.#fold(`${around}.${name}`)) ??
      this.#byQualifiedName.get(key) ??
      -1
    );
  }

  #fold(name: string): string {
    return this.#ignoresCase ? name.toLowerCase() : name;
  }
}
