// What uses of Zig mean besides what names and members show: names of errors, and what an alias names.

import { symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import { isZig } from "./evaluate-zig.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { Use } from "../parse/references/references.ts";
import type { UseResolution } from "./use-resolution.ts";

/** The receiver of the name of an error, and the mark of such a definition. */
const ERRORS = "@error";
const ERROR = "error";
const OF_LISTS = new Set(["len", "ptr"]);
/** Aliases of aliases. */
const MAX_ALIASES = 5;

/** Returns what a use of Zig means. `found`: what names and members show. */
export async function zigResolution(
  names: NameResolver,
  { receiver, name }: Use,
  found: UseResolution,
): Promise<UseResolution> {
  if (receiver === ERRORS) return errorsNamed(names, name);
  // Lists and texts have these members.
  if (found.kind === "name" && OF_LISTS.has(name)) return { kind: "outside" };
  if (found.kind !== "exact") return found;
  return { kind: "exact", symbols: await withAliased(names, found.symbols) };
}

/** An error has its name, whatever sets have it. */
async function errorsNamed(names: NameResolver, name: string): Promise<UseResolution> {
  const all = await names.context.symbols.definitions(name);
  const symbols = all.filter(
    ({ file, number }) => isZig(file) && file.signatures?.[number] === ERROR,
  );
  return symbols.length === 0 ? { kind: "outside" } : { kind: "exact", symbols };
}

/** Returns definitions with what they are other names of: `const Node = Ast.Node`. */
async function withAliased(
  names: NameResolver,
  symbols: readonly SymbolRef[],
): Promise<readonly SymbolRef[]> {
  const [first] = symbols;
  const all = [...symbols];
  let alias = symbols.length === 1 ? first : undefined;
  for (let left = MAX_ALIASES; alias !== undefined && left > 0; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- each alias names the next
    const next: SymbolRef | undefined = await aliasedBy(names, alias);
    const isKnown = all.some(({ file, number }) => file === next?.file && number === next.number);
    alias = isKnown ? undefined : next;
    if (alias !== undefined) all.push(alias);
  }
  return all;
}

/** Returns the definition that a constant is another name of; undefined for others. */
async function aliasedBy(
  names: NameResolver,
  { file, number, facts }: SymbolRef,
): Promise<SymbolRef | undefined> {
  const path = facts.kind === "constant" ? (file.types[number] ?? "") : "";
  const [, receiver, name = ""] = /^(?:([\w #]+(?:\.\w+)*)\.)?(\w+)$/.exec(path) ?? [];
  if (name === "") return undefined;
  return receiver === undefined ? named(names, file, name) : member(names, file, receiver, name);
}

async function named(
  names: NameResolver,
  file: ScopedFile,
  name: string,
): Promise<SymbolRef | undefined> {
  const [own] = symbolsIn(file, name);
  if (own !== undefined) return own;
  const entity = await names.name(file, name, -1);
  return entity?.kind === "symbols" ? entity.symbols[0] : undefined;
}

async function member(
  names: NameResolver,
  file: ScopedFile,
  receiver: string,
  name: string,
): Promise<SymbolRef | undefined> {
  const object = await evaluateReceiver(names, { file, owner: -1 }, receiver);
  const found = object && (await names.within(object, name));
  const [only, ...others] = found?.kind === "symbols" ? found.symbols : [];
  // A field is a value of its own.
  return others.length > 0 || only?.facts.kind === "field" ? undefined : only;
}
