// The commands of a shell script, which may be functions of the project, and the variables of the file.

import type { NamedUse } from "./named-use.ts";

/** Programs and builtin commands that few projects define again. */
const COMMON = new Set(
  (
    "alias awk basename bg break builtin case cat cd chmod chown command continue cp curl cut date dd declare diff dirname do done " +
    "echo elif else env esac eval exec exit export expr false fg fi find for function getopts git grep head hostname id if in jobs kill ln local " +
    "ls make mkdir mktemp mv paste popd printf ps pushd pwd read readonly return rm rmdir sed select set sh shift shopt sleep sort source ssh " +
    "stat sudo tail tar tee test then time times touch tr trap true type typeset ulimit umask unalias uname uniq unset until wait wc wget " +
    "which while xargs"
  ).split(" "),
);
/** The first word of a command, after words of the shell and assignments. */
const COMMAND =
  /(?:^|[;&|(`!]|(?<!\$)\{)\s*(?:(?:then|do|else|elif|if|while|until|time|exec|command|trap|sudo|!)\s+)*(?:[A-Za-z_]\w*=\S*\s+)*([A-Za-z_][\w:.+-]*)(?![\w=(]|\s*\(\))/g;
const VARIABLE = /\$\{?[#!]?([A-Z][A-Z\d_]+)/g;
const HEREDOC = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/;
/** Longer lines are data. */
const MAX_LINE = 2000;

/** Returns the names of commands and variables in a script. */
export function shellCommands(text: string): readonly NamedUse[] {
  const found: NamedUse[] = [];
  let end: string | undefined;
  for (const [at, whole] of text.split("\n").entries()) {
    if (end !== undefined) {
      if (whole.trim() === end) end = undefined;
      continue;
    }
    if (whole.length > MAX_LINE) continue;
    const code = withoutText(whole);
    const line = at + 1;
    for (const [, name = ""] of code.matchAll(COMMAND)) {
      if (!COMMON.has(name)) found.push({ name, line, role: "call" });
    }
    for (const [, name = ""] of code.matchAll(VARIABLE)) {
      found.push({ name, line, role: "value", isOwn: true });
    }
    end = HEREDOC.exec(code)?.[2];
  }
  return found;
}

/** Blanks comments, texts in single quotes, and the words in double quotes that no `$` is in front of. */
function withoutText(line: string): string {
  return line.replaceAll(/(?:^|(?<=\s))#.*$|'[^']*'|"(?:[^"\\]|\\.)*"/g, (part) => {
    if (!part.startsWith('"')) return part.startsWith("'") ? "''" : "";
    return (part.match(/\$\(\s*[\w:.+-]+|`\s*[\w:.+-]+|\$\{?[#!]?\w+/g) ?? ['""']).join(" ");
  });
}
