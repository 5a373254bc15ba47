// Uses of definitions through macros of C: where a macro is used, what its body names is used.

import { Yielder } from "../base/yielder.ts";
import type { Use } from "../parse/references/references.ts";
import { IN_MACRO } from "../parse/references/text-names.ts";
import { symbolRef, type ScopedFile, type SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";
import { resolveUse } from "./resolve-use.ts";
import type { UsesByName } from "./uses-by-name.ts";

/** Maximum macros that lead to one definition. */
const MAX_MACROS = 200;

/** A use of a macro. */
export interface MacroUse {
  readonly file: ScopedFile;
  readonly use: Use;
}

interface ResolvedUse extends MacroUse {
  /** What the name of the macro can mean there: its definitions under several conditions, or also a function. */
  readonly meanings: readonly SymbolRef[];
}

/** Returns the macro whose body has the use; undefined for a use elsewhere. */
export function macroOf(file: ScopedFile, use: Use): SymbolRef | undefined {
  return use.receiver === IN_MACRO ? symbolRef(file, use.owner) : undefined;
}

/**
 * Returns the uses of macros outside of other macros. `naming`: the macros that name a definition. The uses of macros that
 * name these are included. A use counts if all that it can mean leads to the definition.
 */
export async function usesThroughMacros(
  { names, uses }: { readonly names: NameResolver; readonly uses: UsesByName },
  naming: readonly SymbolRef[],
  signal: AbortSignal | undefined,
): Promise<readonly MacroUse[]> {
  const leading = new Map(naming.map((macro) => [keyOf(macro), macro]));
  const read = new Set<string>();
  const outside: ResolvedUse[] = [];
  let inside: readonly ResolvedUse[] = [];
  const yielder = new Yielder();
  // Each macro that is added may lead to more.
  for (const macro of leading.values()) {
    if (read.size >= MAX_MACROS || signal?.aborted === true) break;
    if (read.has(macro.facts.name)) continue;
    read.add(macro.facts.name);
    // oxlint-disable-next-line no-await-in-loop -- each leads to the next ones
    const found = await usesOf({ names, uses }, macro, yielder);
    outside.push(...found.filter((one) => macroOf(one.file, one.use) === undefined));
    inside = [...inside, ...found.filter((one) => macroOf(one.file, one.use) !== undefined)];
    inside = inside.filter(({ file, use, meanings }) => {
      const user = macroOf(file, use);
      if (user === undefined || !meanings.every((one) => leading.has(keyOf(one)))) return true;
      leading.set(keyOf(user), user);
      return false;
    });
  }
  return outside.filter(({ meanings }) => meanings.every((one) => leading.has(keyOf(one))));
}

async function usesOf(
  { names, uses }: { readonly names: NameResolver; readonly uses: UsesByName },
  macro: SymbolRef,
  yielder: Yielder,
): Promise<readonly ResolvedUse[]> {
  const found: ResolvedUse[] = [];
  const isFunction = macro.facts.kind === "function";
  for (const { path, uses: all } of await uses.of(macro)) {
    // `#ifdef MACRO` does not use what the macro names. In a body, arguments may follow later.
    const calls = all.filter(
      ({ role, receiver }) => !isFunction || role === "call" || receiver === IN_MACRO,
    );
    // oxlint-disable-next-line no-await-in-loop -- yields to other work
    await yielder.yieldIfDue();
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const file = calls.length === 0 ? undefined : await names.context.symbols.file(path);
    for (const use of file === undefined ? [] : calls) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const resolution = file && (await resolveUse(names, file, use));
      if (file !== undefined && resolution?.kind === "exact") {
        found.push({ file, use, meanings: resolution.symbols });
      }
    }
  }
  return found;
}

function keyOf({ file, number }: SymbolRef): string {
  return `${file.path}\0${number}`;
}
