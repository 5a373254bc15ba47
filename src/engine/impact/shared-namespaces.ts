// Namespaces that many files open: to change one of these files does not change what the others have in the namespace.

import { isCallableKind } from "../../base/definition-kinds.ts";
import type { IndexReader } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";

/** From so many other files on, a module is a namespace, also if it has functions of its own in this file. */
const MIN_OTHER_FILES = 3;
/** Maximum definitions of a name to compare. */
const MAX_DEFINITIONS = 500;

type NamesReader = Pick<IndexReader, "symbolsNamed">;

/**
 * Returns the changed definitions without the namespaces that other files open too: `module Shop` around the only class of
 * each file of a Ruby project, a namespace of C++. Their users are those of all the files. A module that one or two other
 * files open stays if it has functions here, because it may be included for them. `all`: the definitions of the file.
 */
export async function withoutSharedNamespaces<S extends SymbolFacts>(
  reader: NamesReader,
  path: string,
  { changed, all }: { readonly changed: readonly S[]; readonly all: readonly SymbolFacts[] },
): Promise<readonly S[]> {
  const kept: S[] = [];
  for (const symbol of changed) {
    // oxlint-disable-next-line no-await-in-loop -- reads memory only
    if (!(await isSharedNamespace(reader, path, { symbol, all }))) kept.push(symbol);
  }
  return kept;
}

async function isSharedNamespace(
  reader: NamesReader,
  path: string,
  { symbol, all }: { readonly symbol: SymbolFacts; readonly all: readonly SymbolFacts[] },
): Promise<boolean> {
  const { kind, name, qualifiedName } = symbol;
  if (kind !== "module") return false;
  const named = await reader.symbolsNamed(name, MAX_DEFINITIONS);
  const same = named.filter((one) => one.kind === kind && one.qualifiedName === qualifiedName);
  const others = new Set(same.map((one) => one.path));
  others.delete(path);
  if (others.size === 0) return false;
  return others.size >= MIN_OTHER_FILES || !all.some((one) => isFunctionOf(one, symbol));
}

function isFunctionOf(one: SymbolFacts, { qualifiedName }: SymbolFacts): boolean {
  return isCallableKind(one.kind) && one.qualifiedName === `${qualifiedName}.${one.name}`;
}
