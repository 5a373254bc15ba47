// Resolves the names that a C file sees through its includes.

import {
  isOuter,
  OUTSIDE,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { IncludedHeaders, type FindIncluded } from "./included-headers.ts";
import { canUse } from "./name-rules.ts";
import { inNamespaceOf } from "./cpp-namespaces.ts";
import { isConstructor } from "./own-names.ts";
import {
  asNamespace,
  isVisibleOutside,
  isHeader,
  uniqueDefinition,
} from "./visible-definitions.ts";

type FindDefinitions = (name: string) => Promise<readonly SymbolRef[]>;

/** Resolves names through includes. */
export class IncludedNames {
  readonly #headers: IncludedHeaders;
  readonly #definitions: FindDefinitions;

  constructor(included: FindIncluded, definitions: FindDefinitions) {
    this.#headers = new IncludedHeaders(included);
    this.#definitions = definitions;
  }

  /**
   * Of the definitions of a name, returns those in headers that the file includes, or else the only one. Of several, those in
   * other namespaces are left out; with `namespace`, those outside of it.
   */
  async among(
    file: ScopedFile,
    all: readonly SymbolRef[],
    namespace?: string,
  ): Promise<Entity | undefined> {
    // The name of a class with its constructors elsewhere means the class.
    const isClass = all.some(({ facts }) => facts.kind === "class");
    const others = all.filter(
      (ref) => ref.facts.kind !== "module" && !(isClass && isConstructor(ref)),
    );
    const [only] = others;
    if (only === undefined) return OUTSIDE;
    if (others.length === 1 && (isHeader(only) || isVisibleOutside(only)))
      return symbolsEntity(others);
    const headers = await this.#headers.of(file.path);
    const visible = others.filter((ref) => headers.has(ref.file.path));
    const near = inNamespaceOf(file, visible, namespace);
    if (visible.length > 0) return symbolsEntity(near.length > 0 ? near : visible);
    // Of a type that the file only declares.
    const declared = inNamespaceOf(file, others, namespace);
    return (declared.length > 0 && uniqueDefinition(declared)) || uniqueDefinition(others);
  }

  /** Returns the type definitions in headers that give a structure its own name, in the file that defines it. */
  async typedefsOf({ file, facts }: SymbolRef): Promise<readonly SymbolRef[]> {
    const all = await this.#definitions(facts.name);
    const others = all.filter(
      (ref) =>
        ref.file.path !== file.path &&
        ref.facts.kind === "type" &&
        ref.file.types[ref.number] === `@${facts.name}` &&
        canUse(ref.file.language, "c"),
    );
    if (others.length === 0) return others;
    const headers = await this.#headers.of(file.path);
    return others.filter((ref) => headers.has(ref.file.path));
  }

  /** Resolves a name in a namespace. Files that define something in that namespace take precedence. */
  async inNamespace(file: ScopedFile, path: string, name: string): Promise<Entity | undefined> {
    // Projects only add specializations to `std`.
    if (path === "std") return OUTSIDE;
    const all = (await this.#definitions(name)).filter(
      (ref) => isOuter(ref) && canUse(file.language, ref.file.language),
    );
    const namespace = asNamespace(file, symbolsEntity(all));
    if (namespace !== undefined) return { kind: "namespace", file, name: `${path}.${name}` };
    const last = path.slice(path.lastIndexOf(".") + 1);
    const inside = all.filter((ref) =>
      symbolsIn(ref.file, last).some(({ facts }) => facts.kind === "module"),
    );
    return this.among(file, inside.length === 0 ? all : inside, last);
  }
}
