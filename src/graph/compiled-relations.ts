// Inheritance relations from a compiler: see src/base/compiler-target.ts.

import {
  COMPILED_FILE,
  compilerTarget,
  isRelation,
  type CompilerTarget,
} from "../base/compiler-target.ts";
import type { FileUses } from "../index/port.ts";
import { isSameSymbol, isType, symbolRef, symbolsIn, type SymbolRef } from "./entity.ts";
import type { IndexedSymbols } from "./indexed-symbols.ts";

/** Returns the definitions that a compiler has named; none if they are gone. */
export async function symbolsAt(
  symbols: Pick<IndexedSymbols, "file">,
  { path, qualifiedName }: CompilerTarget,
): Promise<readonly SymbolRef[]> {
  const file = await symbols.file(path);
  return file === undefined ? [] : symbolsIn(file, qualifiedName);
}

/** Returns whether a compiler has described the file, so that it knows all relations of its definitions. */
export async function isCompiled(
  symbols: Pick<IndexedSymbols, "inheritsOf">,
  { path }: Pick<SymbolRef["file"], "path">,
): Promise<boolean> {
  const ofFile = (await symbols.inheritsOf(path)).get(-1) ?? [];
  return ofFile.some(({ receiver }) => receiver === COMPILED_FILE);
}

/** Returns the type that a receiver names; undefined for an expression. */
export async function compiledType(
  symbols: Pick<IndexedSymbols, "file">,
  receiver: string,
): Promise<SymbolRef | undefined> {
  const target = compilerTarget(receiver);
  return target && (await symbolsAt(symbols, target)).find(isType);
}

/** Returns the definitions that a definition inherits from or overrides, as far as a compiler has said so. */
export async function compiledBases(
  symbols: Pick<IndexedSymbols, "file" | "inheritsOf">,
  { file, number }: SymbolRef,
): Promise<readonly SymbolRef[]> {
  const found: SymbolRef[] = [];
  for (const { receiver } of (await symbols.inheritsOf(file.path)).get(number) ?? []) {
    const target = isRelation(receiver) ? compilerTarget(receiver) : undefined;
    // oxlint-disable-next-line no-await-in-loop -- few, and mostly cached
    if (target !== undefined) found.push(...(await symbolsAt(symbols, target)));
  }
  return found;
}

/** Returns the definitions that inherit from a definition or override it. `files`: the uses of its name. */
export async function compiledHeirs(
  symbols: Pick<IndexedSymbols, "file">,
  wanted: SymbolRef,
  files: readonly FileUses[],
): Promise<readonly SymbolRef[]> {
  const found: SymbolRef[] = [];
  for (const { path, uses } of files) {
    const related = uses.filter(({ receiver }) => isRelation(receiver));
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const file = related.length === 0 ? undefined : await symbols.file(path);
    for (const { receiver, owner } of file === undefined ? [] : related) {
      const target = compilerTarget(receiver);
      const heir = file && symbolRef(file, owner);
      if (target === undefined || heir === undefined || target.path !== wanted.file.path) continue;
      if (target.qualifiedName !== wanted.facts.qualifiedName) continue;
      if (!isSameSymbol(heir, wanted)) found.push(heir);
    }
  }
  return found;
}
