// The lines of a Rust crate that `#[cfg(…)]` leaves out: the compiler has nothing on them once it has expanded the crate.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Crate } from "./rust-renames.ts";
import type { TrueReference } from "./truth.ts";

/** `src/lib.rs:12:5: 14:6` in the syntax tree that rustc prints. */
const ITEM =
  /^(\s*)(?:pub(?:\([^)]*\))?\s+|unsafe\s+|const\s+|async\s+|default\s+|extern\s+"C"\s+)*(?:fn|impl|struct|enum|union|mod|trait|use|static|type|macro_rules!|const)\b/;
const SPAN = /([\w./-]+\.rs):(\d+):\d+: \d+:\d+/g;

/** The lines of a crate on which something starts that the compiler reads, by path. */
export function compiledLines(
  root: string,
  { file, name, edition, words }: Crate,
): ReadonlyMap<string, ReadonlySet<number>> {
  const folder = mkdtempSync(join(tmpdir(), "svc-rustc-"));
  const form = ["--crate-name", name, "--edition", edition, "--test", "-Awarnings"];
  const tree = join(folder, "tree.txt");
  const output = ["-Zunpretty=ast-tree,expanded", "-o", tree];
  const { error, status, stderr } = spawnSync("rustc", [...form, ...output, ...words, file], {
    cwd: root,
    encoding: "utf8",
    // The option is one of the nightly compiler.
    env: { ...process.env, RUSTC_BOOTSTRAP: "1" },
  });
  if (error !== undefined || status !== 0) throw new Error(error?.message ?? stderr.slice(-500));
  const text = readFileSync(tree, "utf8");
  rmSync(folder, { recursive: true, force: true });
  const lines = new Map<string, Set<number>>();
  for (const [, path = "", start] of text.matchAll(SPAN)) {
    lines.set(path, (lines.get(path) ?? new Set()).add(Number(start)));
  }
  return lines;
}

/** The places with a name in definitions that the compiler leaves out: nobody knows what it means there. */
export function leftOut(
  name: string,
  texts: ReadonlyMap<string, string>,
  compiled: ReadonlyMap<string, ReadonlySet<number>>,
): readonly TrueReference[] {
  const word = new RegExp(String.raw`(?<!\w)${name}(?!\w)`);
  return [...texts].flatMap(([path, text]) => {
    const lines = text.split("\n");
    return lines.flatMap((line, at): readonly TrueReference[] => {
      const column = line.search(word) + 1;
      const item = column === 0 ? -1 : itemAround(lines, at);
      if (item === -1 || compiled.get(path)?.has(item + 1) === true) return [];
      const place = { path, line: at + 1, column };
      return [{ ...place, isDefinition: false, isImport: false, isDirect: true, isUnknown: true }];
    });
  });
}

/** The first line of the innermost definition around a line, 0-based; -1 if there is none. */
function itemAround(lines: readonly string[], at: number): number {
  const [indent = ""] = /^\s*/.exec(lines[at] ?? "") ?? [];
  for (let line = at; line >= 0; line -= 1) {
    const [, outer] = ITEM.exec(lines[line] ?? "") ?? [];
    if (outer !== undefined && (line === at || outer.length < indent.length)) return line;
  }
  return -1;
}
