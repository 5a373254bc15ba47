// The SCIP symbols of svc's definitions: the path of the file, the definitions around it, and its own name.

import type { ChunkKind, SymbolFacts } from "../index/types.ts";
import { formatSymbol, type Descriptor, type Suffix } from "./symbol-text.ts";

const SUFFIX_OF_KIND: Readonly<Record<ChunkKind, Suffix | undefined>> = {
  // Headings and plain text are not code.
  text: undefined,
  section: undefined,
  function: "method",
  method: "method",
  class: "type",
  type: "type",
  constant: "term",
  module: "namespace",
  field: "term",
};

/** Values of `SymbolInformation.Kind` in scip.proto. */
export const SCIP_KINDS: Readonly<Record<ChunkKind, number>> = {
  text: 0,
  section: 0,
  function: 17,
  method: 26,
  class: 7,
  type: 54,
  constant: 8,
  module: 29,
  field: 15,
};

/** The symbols of the definitions of one file. */
export class ScipSymbolNames {
  readonly #path: string;
  readonly #package: string;
  readonly #byName = new Map<string, SymbolFacts>();

  /** `path`: as the document has it. `package`: the name of the project. */
  constructor(path: string, symbols: readonly SymbolFacts[], ofPackage: string) {
    this.#path = path;
    this.#package = ofPackage;
    for (const one of symbols) {
      const known = this.#byName.get(one.qualifiedName);
      // Members belong to a type rather than to a value of the same name.
      if (known === undefined || SUFFIX_OF_KIND[known.kind] !== "type")
        this.#byName.set(one.qualifiedName, one);
    }
  }

  /** Returns the symbol of a definition; undefined for one that is not code. */
  of({
    name,
    qualifiedName,
    kind,
  }: Pick<SymbolFacts, "name" | "qualifiedName" | "kind">): string | undefined {
    const suffix = SUFFIX_OF_KIND[kind];
    if (suffix === undefined || name === "") return undefined;
    const folders = this.#path.split("/").map((part) => descriptor(part, "namespace"));
    const descriptors = [
      ...folders,
      ...this.#around(name, qualifiedName),
      descriptor(name, suffix),
    ];
    return formatSymbol({
      scheme: "svc",
      manager: "",
      package: this.#package,
      version: "",
      descriptors,
    });
  }

  /** The descriptors of the definitions around a definition. */
  #around(name: string, qualifiedName: string): readonly Descriptor[] {
    if (qualifiedName.length <= name.length) return [];
    const outer = qualifiedName.slice(0, -name.length).replace(/(?:\.| > )$/, "");
    const owner = this.#byName.get(outer);
    const suffix = owner && SUFFIX_OF_KIND[owner.kind];
    if (owner === undefined || suffix === undefined) return [descriptor(outer, "type")];
    return [...this.#around(owner.name, outer), descriptor(owner.name, suffix)];
  }
}

function descriptor(name: string, suffix: Suffix): Descriptor {
  return { name, suffix, disambiguator: "" };
}
