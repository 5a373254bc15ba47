// Namespaces of C++, in which definitions are indexed without their names.

import type { ScopedFile, SymbolRef } from "./entity.ts";
import { canUse } from "./name-rules.ts";

/** Returns whether a file was read as one of C++, as headers of C may be. */
export function isOfCpp({ language, signatures }: ScopedFile): boolean {
  return signatures !== undefined && canUse(language, "c");
}

/** Of the definitions of a name in C++, returns those in a namespace, or in those of a file. */
export function inNamespaceOf(
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

/**
 * Returns whether two definitions of one name in C++ may be one thing: two classes are not, and neither are two in different
 * namespaces, some of which macros may declare.
 */
export function mayBeOne(one: SymbolRef, other: SymbolRef): boolean {
  if (!isOfCpp(one.file) || !isOfCpp(other.file)) return true;
  if (one.facts.kind === "class" && other.facts.kind === "class") return false;
  const ofOne = namespacesAround(one);
  const ofOther = namespacesAround(other);
  return (
    ofOne.every((name) => ofOther.includes(name)) || ofOther.every((name) => ofOne.includes(name))
  );
}

const namespaces = new WeakMap<ScopedFile, ScopedFile["symbols"]>();

function namespacesIn(file: ScopedFile): ScopedFile["symbols"] {
  const known = namespaces.get(file) ?? file.symbols.filter(({ kind }) => kind === "module");
  namespaces.set(file, known);
  return known;
}
