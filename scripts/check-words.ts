// Fails when a source, a test, a page or a manual uses a word of the list below. Each word has misled readers here
// before, and has a plain replacement. A line may use such a word where it is the right one: ALLOWED lists it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

interface Word {
  readonly pattern: RegExp;
  /** What to write, for the message of this check. */
  readonly instead: string;
}

export interface UsedWord {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly word: string;
  readonly instead: string;
}

const WORDS: readonly Word[] = [
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix, repair or rebuild" },
  { pattern: /\btold\b/i, instead: "reported, informed or recorded" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bsights?\b/i, instead: "the name of the thing" },
  { pattern: /\bwish(?:es)?\b/i, instead: "request, option or setting" },
  { pattern: /\bwhoever\b/i, instead: "the caller, the client or the user" },
  { pattern: /\bbeside\b/i, instead: "next to, with or in addition to" },
  { pattern: /\bstands?\b(?! for\b| in for\b|-)/i, instead: "is, applies or remains" },
  { pattern: /\b(?:a|an|the|some) \w+ of the user's\b/i, instead: "the user's" },
  { pattern: /\bno more than one\b/i, instead: "at most one" },
  { pattern: /\bof now\b/i, instead: "current or up to date" },
  { pattern: /\bas it stands\b/i, instead: "unchanged or literally" },
];

/** Lines that may use a word of the list: a part of the line, by file, or by folder with a slash at its end. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // An event of audit logs that exist.
  "src/credentials/audit/local/recover-log.ts": ['"log.mended"'],
  "src/credentials/audit/local/verify.ts": ['"log.mended"'],
  // A field of `svc doctor --json`.
  "src/cli/commands/doctor.ts": ["mend"],
  "src/doctor/finding.ts": ["mend"],
  "test/doctor/": ["mend"],
  // A program.
  "src/scan/languages.ts": ["tclsh wish"],
  // The prompt of measurements that were made with a model.
  "scripts/tool-choice/prompt.ts": ["Judge by what stands above"],
};

/** Generated from data, quoted from elsewhere, or historical. */
const UNCHECKED =
  /^(?:src\/.*\/fixture\/|docs\/.*\.(?:json|svg)$|(?:test\/)?scripts\/check-words(?:\.test)?\.ts$)/;
const CHECKED = ["src", "docs", "man", "scripts", "bench", "test/**.ts", "*.md", ".github"];

/** The words of the list that `text` uses, with the number of the line from 1. */
export function wordsIn(file: string, text: string): readonly UsedWord[] {
  const allowed = Object.entries(ALLOWED).flatMap(([place, parts]) =>
    file === place || (place.endsWith("/") && file.startsWith(place)) ? parts : [],
  );
  return text.split("\n").flatMap((line, at) =>
    allowed.some((part) => line.includes(part))
      ? []
      : WORDS.flatMap(({ pattern, instead }) => {
          const word = pattern.exec(line)?.[0];
          return word === undefined ? [] : [{ file, line: at + 1, text: line, word, instead }];
        }),
  );
}

/** Parts of ALLOWED that no line has any more, as `place: part`. `textOf` returns the text of a file or a folder. */
export function staleAllowances(textOf: (place: string) => string): readonly string[] {
  return Object.entries(ALLOWED).flatMap(([place, parts]) =>
    parts.filter((part) => !textOf(place).includes(part)).map((part) => `${place}: ${part}`),
  );
}

if (import.meta.main) main(path.join(import.meta.dirname, ".."));

function main(root: string): void {
  const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard", ...CHECKED], {
    cwd: root,
    encoding: "utf8",
  });
  // A file that was removed is listed until the removal is committed.
  const files = listed
    .split("\0")
    .filter((file) => file !== "" && !UNCHECKED.test(file) && existsSync(path.join(root, file)));
  const found = files.flatMap((file) => wordsIn(file, textOf(file)));
  for (const { file, line, word, instead, text } of found) {
    console.log(`${file}:${line} "${word}": write ${instead}\n    ${text.trim()}`);
  }
  const stale = staleAllowances((place) =>
    files
      .filter((file) => file === place || (place.endsWith("/") && file.startsWith(place)))
      .map(textOf)
      .join("\n"),
  );
  for (const entry of stale) console.log(`No line needs this entry of ALLOWED any more: ${entry}`);
  if (found.length + stale.length > 0) process.exitCode = 1;
}
