// The users of a Rust definition, from the compiler: the definition gets another name, and so does every place at which
// the compiler then misses the old one, until the crate compiles again.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { TruePlace } from "./truth.ts";

export interface Crate {
  /** The file of the crate, from the root of the work tree. */
  readonly file: string;
  readonly name: string;
  readonly edition: string;
  /** Further words for rustc: features, and crates that it depends on. */
  readonly words: readonly string[];
}

export interface Renamed {
  readonly uses: readonly TruePlace[];
  /** What implementations of the same member define. */
  readonly definitions: readonly TruePlace[];
}

interface Diagnostic {
  readonly level: string;
  readonly message: string;
  readonly code: { readonly code: string } | null;
  readonly spans: readonly Span[];
}

interface Span {
  readonly file_name: string;
  readonly is_primary: boolean;
  readonly byte_start: number;
  readonly byte_end: number;
  readonly expansion: { readonly span: Span } | null;
}

const NEW_NAME = "renamed_by_bench";
const MAX_ROUNDS = 12;
/** Members of an implementation that the trait does not have. */
const NOT_IN_TRAIT = new Set(["E0407", "E0437", "E0438"]);

/** The errors of a crate. */
export function compile(root: string, crate: Crate): readonly Diagnostic[] {
  const words = ["--crate-name", crate.name, "--edition", crate.edition, "--test"];
  const { stderr, error } = spawnSync(
    "rustc",
    [
      ...words,
      ...["--emit=metadata", "-o", "/dev/null", "--error-format=json", "--cap-lints=allow"],
      ...[...crate.words, crate.file],
    ],
    { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  if (error) throw error;
  return stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Diagnostic => JSON.parse(line))
    .filter(({ level }) => level === "error");
}

/** Undefined if the crate does not compile with the new name. The files are as before afterwards. */
export function usersOf(
  root: string,
  crate: Crate,
  { path, line, column, name }: TruePlace & { readonly name: string },
): Renamed | undefined {
  const originals = new Map<string, Buffer>();
  /** Offsets in the original files. */
  const renamed = new Map<string, { readonly offsets: Set<number>; readonly defined: Set<number> }>();
  /** The offsets that were renamed in the current files, in order. */
  const written = new Map<string, readonly number[]>();
  const of = (file: string) => {
    const known = renamed.get(file) ?? { offsets: new Set<number>(), defined: new Set<number>() };
    renamed.set(file, known);
    if (!originals.has(file)) originals.set(file, readFileSync(join(root, file)));
    return known;
  };
  const write = (file: string): void => {
    const original = originals.get(file) ?? Buffer.alloc(0);
    const parts: Buffer[] = [];
    let last = 0;
    const offsets = [...of(file).offsets].toSorted((one, other) => one - other);
    written.set(file, offsets);
    for (const offset of offsets) {
      parts.push(original.subarray(last, offset), Buffer.from(NEW_NAME));
      last = offset + name.length;
    }
    writeFileSync(join(root, file), Buffer.concat([...parts, original.subarray(last)]));
  };
  try {
    const definition = of(path);
    const first = offsetOf(originals.get(path) ?? Buffer.alloc(0), line, column);
    definition.offsets.add(first);
    definition.defined.add(first);
    write(path);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const errors = compile(root, crate);
      if (errors.length === 0) return resultOf();
      let added = 0;
      for (const { code, spans } of errors) {
        for (const outer of spans.filter(({ is_primary: isPrimary }) => isPrimary)) {
          for (let span: Span | undefined = outer; span; span = span.expansion?.span) {
            added += take(span, NOT_IN_TRAIT.has(code?.code ?? ""));
          }
        }
      }
      if (added === 0) return undefined;
      for (const file of renamed.keys()) write(file);
    }
    return undefined;
  } finally {
    for (const [file, content] of originals) writeFileSync(join(root, file), content);
  }

  /** Renames the last word of a span if it is the old name. Returns how many places are new. */
  function take(span: Span, isDefinition: boolean): number {
    const file = span.file_name;
    if (file.startsWith("/")) return 0;
    const { offsets, defined } = of(file);
    const current = readFileSync(join(root, file));
    const text = current.toString("latin1", span.byte_start, span.byte_end);
    const words = [...text.matchAll(/[\w]+/g)].filter((word) => word[0] === name);
    // A path, or the name alone; else a whole statement, of which nothing is certain.
    const isShort = /^[\w:#<>\s,&.'!]*$/.test(text);
    const word = words.at(-1);
    if (word === undefined || !isShort) return 0;
    const at = span.byte_start + word.index;
    const original = originalOffset(at, written.get(file) ?? []);
    if (offsets.has(original)) return 0;
    const found = originals.get(file)?.toString("latin1", original, original + name.length);
    if (found !== name) return 0;
    offsets.add(original);
    if (isDefinition) defined.add(original);
    return 1;
  }

  function originalOffset(at: number, before: readonly number[]): number {
    const growth = NEW_NAME.length - name.length;
    const count = before.filter((offset, index) => offset + index * growth < at).length;
    return at - count * growth;
  }

  function resultOf(): Renamed {
    const uses: TruePlace[] = [];
    const definitions: TruePlace[] = [];
    for (const [file, { offsets, defined }] of renamed) {
      for (const offset of offsets) {
        const before = originals.get(file)?.toString("utf8", 0, offset).split("\n") ?? [];
        const place = { path: file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
        (defined.has(offset) ? definitions : uses).push(place);
      }
    }
    return { uses, definitions };
  }
}

function offsetOf(content: Buffer, line: number, column: number): number {
  const lines = content.toString("utf8").split("\n");
  const before = lines.slice(0, line - 1).map((text) => `${text}\n`).join("");
  return Buffer.byteLength(before + (lines[line - 1] ?? "").slice(0, column - 1));
}
