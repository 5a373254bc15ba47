// The targets that rules of a makefile need.

import type { NamedUse } from "./named-use.ts";

/** What a rule needs. `=` after the colon makes an assignment. `.PHONY` uses nothing. */
const RULE = /^(?!\.PHONY)[^\s:=#][^:=#]*::?(?![=:])([^=;#]*)(?:[;#].*)?$/;
/** `$(MAKE) target` in a recipe. */
const CALL = /(?:\$[({]MAKE[)}]|\bmake)((?:[ \t]+[\w.-]+)+)[ \t]*$/;
const WORD = /(?<![\w$({/.%-])[A-Za-z_][\w.-]*(?![\w/%)}])/g;

/** Longer lines are data. */
const MAX_LINE = 2000;

/** Returns the names of targets in the rules and recipes of a makefile. Those that it does not define are left out. */
export function makefileTargets(text: string): readonly NamedUse[] {
  return text.split(/\r?\n/).flatMap((code, at) => {
    if (code.length > MAX_LINE) return [];
    const [, needed = ""] = (code.startsWith("\t") ? CALL : RULE).exec(code) ?? [];
    const names = needed.match(WORD) ?? [];
    return names.map((name): NamedUse => ({ name, line: at + 1, role: "value", isOwn: true }));
  });
}
