// What the rules of style sheets define that have a block: `@mixin name($width)`, `@keyframes fade`, `@each $name in $names`.

import type { SymbolKind } from "../languages/definition-rules.ts";

interface BlockRule {
  /** What the rule defines. */
  readonly defined?: { readonly name: string; readonly kind: SymbolKind } | undefined;
  /** Variables that exist only in the block. */
  readonly locals?: Set<string> | undefined;
  /** False if the head of the rule has no names of others. */
  readonly isRead: boolean;
}

const NAMED = /^-?[\p{L}_][\p{L}\p{N}_-]*/u;
const VARIABLE = /\$[\p{L}_-][\p{L}\p{N}_-]*/gu;
const PARAMETER = /(?:^|[(,;])\s*([$@][\p{L}_-][\p{L}\p{N}_-]*)/gu;
const LOOPS = new Set(["each", "for", "while"]);

/** Returns what a rule defines. `rest`: the text after its name. */
export function blockRule(rule: string, rest: string): BlockRule {
  const name = NAMED.exec(rest)?.[0];
  const named = (kind: SymbolKind, sign = ""): BlockRule["defined"] =>
    name === undefined ? undefined : { name: sign + name, kind };
  if (rule === "mixin" || rule === "function") {
    const locals = parametersIn(rest.slice(name?.length ?? 0));
    return { defined: named("function"), locals, isRead: true };
  }
  if (/^(?:-\w+-)?keyframes$/.test(rule)) return { defined: named("section"), isRead: false };
  // A class of Tailwind.
  if (rule === "utility") return { defined: named("section", "."), isRead: false };
  if (rule === "property") {
    const property = /^--[\w-]+/.exec(rest)?.[0];
    const defined =
      property === undefined ? undefined : { name: property, kind: "constant" as const };
    return { defined, isRead: false };
  }
  if (LOOPS.has(rule)) {
    const [declared = ""] = rest.split(/\s(?:in|from)\s/, 1);
    return { locals: new Set(declared.match(VARIABLE)), isRead: true };
  }
  const using = rule === "include" ? rest.search(/\busing\s*\(/) : -1;
  return { locals: using === -1 ? undefined : parametersIn(rest.slice(using + 5)), isRead: true };
}

/** Returns the names of the parameters in a list in brackets. */
export function parametersIn(text: string): Set<string> {
  return new Set([...text.matchAll(PARAMETER)].map((match) => match[1] ?? ""));
}
