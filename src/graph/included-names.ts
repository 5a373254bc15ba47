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
import { isOfCpp } from "./overloads.ts";
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
    const others = all.filter(({ facts }) => facts.kind !== "module");
    const [only] = others;
    if (only === undefined) return OUTSIDE;
    if (others.length === 1 && (isHeader(only) || isVisibleOutside(only)))
      return symbolsEntity(others);
    const headers = await this.#headers.of(file.path);
    const visible = others.filter((ref) => headers.has(ref.file.path));
    const near = inNamespaceOf(file, visible, namespace);
    return symbolsEntity(near) ?? symbolsEntity(visible) ?? uniqueDefinition(others);
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

/** Of the definitions of a name in C++, returns those in a namespace, or in those of a file. */
function inNamespaceOf(
  file: ScopedFile,
  refs: readonly SymbolRef[],
  namespace: string | undefined,
): readonly SymbolRef[] {
  if (refs.length < 2 || !isOfCpp(file)) return refs;
  if (namespace !== undefined) {
    return refs.filter((ref) => namespacesAround(ref).includes(namespace));
  }
  const own = new Set(namespacesIn(file).map(({ name }) => name));
  const visible = refs.filter((ref) => namespacesAround(ref).every((name) => own.has(name)));
  // Those of a namespace hide those outside of it.
  const inner = visible.filter((ref) => namespacesAround(ref).length > 0);
  return inner.length > 0 ? inner : visible;
}

/** Returns the names of the namespaces of C++ around a definition. */
export function namespacesAround({ file, facts }: SymbolRef): readonly string[] {
  return namespacesIn(file)
    .filter(({ startLine, endLine }) => startLine <= facts.startLine && facts.endLine <= endLine)
    .map(({ name }) => name);
}

const namespaces = new WeakMap<ScopedFile, ScopedFile["symbols"]>();

function namespacesIn(file: ScopedFile): ScopedFile["symbols"] {
  const known = namespaces.get(file) ?? file.symbols.filter(({ kind }) => kind === "module");
  namespaces.set(file, known);
  return known;
}
