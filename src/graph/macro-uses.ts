// Uses of definitions through C macros: a use of a macro is also a use of the names in its body.

import { Yielder } from "../base/yielder.ts";
import type { Use } from "../parse/references/references.ts";
import { IN_MACRO, MAX_PATH, parameterPath, type ParameterPath } from "../base/receiver-marks.ts";
import { symbolRef, type ScopedFile, type SymbolRef } from "./entity.ts";
import { evaluateMember } from "./evaluate-expression.ts";
import type { NameResolver } from "./name-resolver.ts";
import { resolveUse } from "./resolve-use.ts";
import type { UsesByName } from "./uses-by-name.ts";

/** Maximum macros that lead to one definition. */
const MAX_MACROS = 200;
/** Maximum ways from one macro to one definition. */
const MAX_LEADS = 10;

/** A macro whose body names a definition: as it is, or as a member of what the macro is called with. */
export interface MacroLead {
  readonly macro: SymbolRef;
  /** Undefined if the name is a bare one. */
  readonly member: ParameterPath | undefined;
}

/** A use of a macro. */
export interface MacroUse {
  readonly file: ScopedFile;
  readonly use: Use;
}

interface ResolvedUse extends MacroUse {
  /** Possible meanings of the macro's name there: its definitions under several conditions, or a function. */
  readonly meanings: readonly SymbolRef[];
}

interface Resolvers {
  readonly names: NameResolver;
  readonly uses: UsesByName;
}

/** What the macros may lead to. */
interface Wanted {
  readonly name: string;
  /** Whether a member is the wanted one. */
  readonly isMeant: (symbols: readonly SymbolRef[]) => boolean;
}

/** Returns how the macro whose body has the use leads to what it names; undefined for a use elsewhere. */
export function leadOf(file: ScopedFile, use: Use): MacroLead | undefined {
  if (!use.receiver.startsWith(IN_MACRO)) return undefined;
  const macro = symbolRef(file, use.owner);
  const member = parameterPath(use.receiver);
  if (macro === undefined || (member === undefined && use.receiver !== IN_MACRO)) return undefined;
  return { macro, member };
}

/**
 * Returns the uses of macros outside of other macros that lead to a definition, also through macros that use `leads`. A
 * use counts if all that it can mean leads there.
 */
export async function usesThroughMacros(
  resolvers: Resolvers,
  wanted: Wanted,
  leads: readonly MacroLead[],
  signal: AbortSignal | undefined,
): Promise<readonly MacroUse[]> {
  const leading = new LeadingMacros(leads);
  const outside: ResolvedUse[] = [];
  const inside: ResolvedUse[] = [];
  const read = new Set<string>();
  const yielder = new Yielder();
  // Each macro that is added may lead to more.
  for (const macro of leading.macros) {
    if (read.size >= MAX_MACROS || signal?.aborted === true) break;
    if (!read.has(macro.facts.name)) {
      read.add(macro.facts.name);
      // oxlint-disable-next-line no-await-in-loop -- each leads to the next ones
      for (const one of await usesOf(resolvers, macro, yielder)) {
        (leadOf(one.file, one.use) === undefined ? outside : inside).push(one);
      }
    }
    leading.addUsers(inside);
  }
  const found: MacroUse[] = [];
  for (const one of outside) {
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    if (await leadsThere(resolvers.names, wanted, leading, one)) found.push(one);
  }
  return found;
}

/** The macros that lead to a definition. */
class LeadingMacros {
  readonly #leads = new Map<string, readonly MacroLead[]>();
  /** Grows while it is read. */
  readonly macros: SymbolRef[] = [];

  constructor(leads: readonly MacroLead[]) {
    for (const lead of leads) this.#add(lead);
  }

  of(macro: SymbolRef): readonly MacroLead[] {
    return this.#leads.get(keyOf(macro)) ?? [];
  }

  #add(lead: MacroLead): boolean {
    const { macro, member } = lead;
    const known = this.of(macro);
    const isKnown = known.some(
      (one) => one.member?.parameter === member?.parameter && one.member?.path === member?.path,
    );
    if (isKnown || known.length >= MAX_LEADS) return false;
    if (known.length === 0) this.macros.push(macro);
    this.#leads.set(keyOf(macro), [...known, lead]);
    return true;
  }

  /** Adds the macros whose bodies use those that lead there, until there are no more. */
  addUsers(inside: readonly ResolvedUse[]): void {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const { file, use, meanings } of inside) {
        const user = symbolRef(file, use.owner);
        const further = meanings.map((meaning) =>
          this.of(meaning).flatMap((lead) => passedOn(lead, user, use) ?? []),
        );
        if (further.some((one) => one.length === 0)) continue;
        for (const lead of further.flat()) if (this.#add(lead)) isNew = true;
      }
    }
  }
}

/** Returns how a macro leads to a definition by using one that does; undefined if it passes something unknown. */
function passedOn(
  { member }: MacroLead,
  user: SymbolRef | undefined,
  use: Use,
): MacroLead | undefined {
  if (user === undefined) return undefined;
  if (member === undefined) return { macro: user, member };
  const passed = parameterPath(use.arguments?.split(",")[member.parameter] ?? "");
  if (passed === undefined) return undefined;
  const path = passed.path + member.path;
  return path.length > MAX_PATH
    ? undefined
    : { macro: user, member: { parameter: passed.parameter, path } };
}

async function leadsThere(
  names: NameResolver,
  wanted: Wanted,
  leading: LeadingMacros,
  used: ResolvedUse,
): Promise<boolean> {
  for (const meaning of used.meanings) {
    let isLeading = false;
    for (const lead of leading.of(meaning)) {
      // oxlint-disable-next-line no-await-in-loop -- the first that leads there decides
      isLeading ||= await isLeadFrom(names, wanted, lead, used);
    }
    if (!isLeading) return false;
  }
  return used.meanings.length > 0;
}

/** Returns whether a lead is one to the wanted definition where the macro is used. */
async function isLeadFrom(
  names: NameResolver,
  { name, isMeant }: Wanted,
  { member }: MacroLead,
  { file, use }: ResolvedUse,
): Promise<boolean> {
  if (member === undefined) return true;
  const argument = use.arguments?.split(",")[member.parameter] ?? "?";
  if (argument === "?") return false;
  // A pointer of C++ has the members of what it points to.
  const receiver = argument.replace(/^:(\w+)[*&]+$/, "@$1") + member.path;
  const entity = await evaluateMember(names, { file, owner: use.owner }, { receiver, name });
  return entity?.kind === "symbols" && isMeant(entity.symbols);
}

async function usesOf(
  { names, uses }: Resolvers,
  macro: SymbolRef,
  yielder: Yielder,
): Promise<readonly ResolvedUse[]> {
  const found: ResolvedUse[] = [];
  const isFunction = macro.facts.kind === "function";
  const files = await uses.of(macro);
  await names.context.symbols.learn(macro.facts.name, files.length);
  for (const { path, uses: all } of files) {
    // `#ifdef MACRO` does not use what the macro names. In a body, arguments may follow later. A call without a semicolon may
    // look like a type.
    const calls = all.filter(
      ({ role, receiver }) => !isFunction || role !== "value" || receiver === IN_MACRO,
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
