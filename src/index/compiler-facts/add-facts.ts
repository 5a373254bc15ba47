// Adds the facts of a compiler about a file to the results of svc's parser.

import { IN_MACRO, OF_EXPECTED } from "../../base/receiver-marks.ts";
import { COMPILED_FILE, relatedTarget, usedTarget } from "../../base/compiler-target.ts";
import type { FileReferences, Use } from "../../parse/references/references.ts";
import { isStyleUse } from "../../base/style-names.ts";
import { isSharedUse } from "../../parse/shared-names/shared-name.ts";
import type { SymbolFacts } from "../types.ts";
import type { CompilerFacts, FactTarget, FactUse } from "./compiler-facts.ts";

/** The parts of a file's index data that a compiler can add to. */
export interface ParsedReferences<Symbol extends SymbolFacts> {
  /** Path in the namespace. */
  readonly path: string;
  readonly symbols: readonly Symbol[];
  readonly references: FileReferences;
}

/**
 * Returns symbols and references with those of the compiler. The compiler decides what a name refers to: a use that it
 * does not have is no more than a use by name. Numbers of symbols stay as they are.
 */
export function addFacts<Symbol extends SymbolFacts>(
  { path, symbols, references }: ParsedReferences<Symbol>,
  facts: CompilerFacts,
): { readonly symbols: readonly (Symbol | SymbolFacts)[]; readonly references: FileReferences } {
  const all = [...symbols, ...facts.definitions];
  const scopes = new Scopes(all);
  const byPlace = factsByPlace(facts.uses);
  const parsed = Map.groupBy(references.uses, ({ line, name }) => `${line} ${name}`);
  const related = new Set(
    facts.relations.map(({ owner, target }) => `${scopes.numberOf(owner)} ${target.name}`),
  );
  const uses = references.uses.flatMap((use) => {
    // No compiler knows the environment, the routes, the tables and the classes that a text names.
    if (isSharedUse(use) || isStyleUse(use)) return use;
    // The relation says the same of the supertype, and the compiler does not see a use of it here.
    const isRelated = use.role === "inherit" && related.has(`${use.owner} ${use.name}`);
    const checked = checkedUse(use, byPlace.get(`${use.line} ${use.name}`), isRelated);
    return checked ?? [];
  });
  uses.push(...factUses(path, facts.uses, { parsed, scopes }));
  uses.push(...relationUses(facts.relations, all, scopes), COMPILED_MARK);
  uses.sort((one, other) => one.line - other.line);
  return { symbols: all, references: { ...references, uses } };
}

/** The uses that the compiler has in place of those of the parser. */
function factUses(
  path: string,
  facts: readonly FactUse[],
  {
    parsed,
    scopes,
  }: { readonly parsed: ReadonlyMap<string, readonly Use[]>; readonly scopes: Scopes },
): readonly Use[] {
  const uses: Use[] = [];
  const known = new Set<string>();
  for (const fact of facts) {
    const { target } = fact;
    if (target === "outside" || target === "local") continue;
    const others =
      parsed.get(`${fact.line} ${fact.text}`) ?? parsed.get(`${fact.line} ${target.name}`) ?? [];
    const [same] = others;
    const role = others.every((one) => one.role === same?.role)
      ? (same?.role ?? fact.role)
      : fact.role;
    const owner = same?.owner ?? scopes.innermostAt(fact.line);
    const key = [fact.line, role, owner, target.path, target.qualifiedName].join("\0");
    if (known.has(key)) continue;
    known.add(key);
    uses.push({ ...factUse(path, target, scopes), line: fact.line, role, owner });
  }
  return uses;
}

function relationUses(
  relations: CompilerFacts["relations"],
  symbols: readonly SymbolFacts[],
  scopes: Scopes,
): readonly Use[] {
  return relations.flatMap(({ owner: ownerName, target }): Use[] => {
    const owner = scopes.numberOf(ownerName);
    if (owner === -1) return [];
    const line = symbols[owner]?.nameLine ?? 1;
    const receiver = relatedTarget(target);
    return [{ name: target.name, line, role: "inherit", owner, target: -1, binding: -1, receiver }];
  });
}

/** Shows that a compiler has described the file: see src/graph/compiled-relations.ts. */
const COMPILED_MARK: Use = {
  name: "(compiler)",
  line: 1,
  role: "inherit",
  owner: -1,
  target: -1,
  binding: -1,
  receiver: COMPILED_FILE,
};

/** Uses by line and name: by the name that is written there, and by that of the definition. */
function factsByPlace(uses: readonly FactUse[]): ReadonlyMap<string, readonly FactUse[]> {
  const found = new Map<string, FactUse[]>();
  for (const use of uses) {
    const { line, text, target } = use;
    const names = new Set([text, typeof target === "object" ? target.name : text]);
    for (const name of names) {
      const key = `${line} ${name}`;
      const others = found.get(key);
      if (others === undefined) found.set(key, [use]);
      else others.push(use);
    }
  }
  return found;
}

/** A use of the parser as it remains; undefined if the compiler replaces or refutes it. */
function checkedUse(
  use: Use,
  facts: readonly FactUse[] | undefined,
  isRelated: boolean,
): Use | undefined {
  // A supertype outside the project is one all the same.
  const isKept = use.role === "inherit";
  if (facts === undefined) {
    if (isRelated || use.receiver.endsWith(OF_EXPECTED)) return undefined;
    // To the compiler, the body of a macro is text.
    if (use.receiver.startsWith(IN_MACRO)) return use;
    return isKept ? use : { ...use, target: -1, binding: -1, receiver: "?" };
  }
  const isOutside = facts.some(({ target }) => target === "outside");
  if (facts.some(({ target }) => typeof target === "object") || !isOutside) return undefined;
  return use.receiver === "?" && !isKept ? undefined : use;
}

function factUse(
  path: string,
  target: FactTarget,
  scopes: Scopes,
): Pick<Use, "name" | "target" | "binding" | "receiver"> {
  const own = target.path === path ? scopes.onlyNumberOf(target.qualifiedName) : -1;
  const receiver = own === -1 ? usedTarget(target) : "";
  return { name: target.name, target: own, binding: -1, receiver };
}

/** The symbols of a file by name and by line. */
class Scopes {
  readonly #symbols: readonly SymbolFacts[];
  readonly #numbers = new Map<string, number[]>();

  constructor(symbols: readonly SymbolFacts[]) {
    this.#symbols = symbols;
    for (const [number, { qualifiedName }] of symbols.entries()) {
      const same = this.#numbers.get(qualifiedName);
      if (same === undefined) this.#numbers.set(qualifiedName, [number]);
      else same.push(number);
    }
  }

  /** The first symbol of a qualified name; -1 if there is none. */
  numberOf(qualifiedName: string): number {
    return this.#numbers.get(qualifiedName)?.[0] ?? -1;
  }

  /** The symbol of a qualified name that no other one has; else -1. */
  onlyNumberOf(qualifiedName: string): number {
    const [first = -1, second] = this.#numbers.get(qualifiedName) ?? [];
    return second === undefined ? first : -1;
  }

  /** The smallest symbol that has a line; -1 at the top level. */
  innermostAt(line: number): number {
    let found = -1;
    let size = Infinity;
    for (const [number, { startLine, endLine }] of this.#symbols.entries()) {
      if (startLine > line || endLine < line || endLine - startLine > size) continue;
      found = number;
      size = endLine - startLine;
    }
    return found;
  }
}
