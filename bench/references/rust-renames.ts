// The users of Rust definitions, from the compiler: the definitions get other names, and so does every place at which the
// compiler then misses an old one, until the crate compiles again. Definitions of different names are renamed together.
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

export interface NamedPlace extends TruePlace {
  readonly name: string;
}

export interface Renamed {
  readonly uses: readonly TruePlace[];
  /** The definition, and what implementations of the same member define. */
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

/** Replaces bytes of an original file. */
interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
  readonly definition: number;
  /** Where the name is. */
  readonly offset: number;
  readonly isDefinition: boolean;
}

const MAX_ROUNDS = 30;
/** Members of an implementation that the trait does not have. */
const NOT_IN_TRAIT = new Set(["E0407", "E0437", "E0438"]);
/** A field that the type does not have, in a pattern or a literal, where it may also be a local. */
const NO_FIELD = new Set(["E0026", "E0560"]);
/** In a pattern, a constant of an unknown name is a new local: its name is not written as names of locals are. */
const LOCAL = "non_snake_case";

/** The errors of a crate. */
export function compile(root: string, crate: Crate): readonly Diagnostic[] {
  const { stderr, error } = spawnSync(
    "rustc",
    [
      ...["--crate-name", crate.name, "--edition", crate.edition, "--test"],
      ...["--emit=metadata", "-o", "/dev/null", "--error-format=json", "-Awarnings", "-D", LOCAL],
      ...[...crate.words, crate.file],
    ],
    { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  if (error) throw error;
  return stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Diagnostic => JSON.parse(line))
    .filter(({ level, spans }) => level === "error" && spans.length > 0);
}

/**
 * In the order of the definitions, which must have different names. Undefined for one with whose new name the crate does
 * not compile. The files are as before afterwards.
 */
export function usersOf(
  root: string,
  crate: Crate,
  definitions: readonly NamedPlace[],
): readonly (Renamed | undefined)[] {
  const byName = new Map(definitions.map(({ name }, at) => [name, at]));
  const originals = new Map<string, Buffer>();
  const edits = new Map<string, Edit[]>();
  /** The edits of the current files. */
  const written = new Map<string, readonly Edit[]>();
  const failed = new Set<number>();
  const editsOf = (file: string): Edit[] => {
    if (!originals.has(file)) originals.set(file, readFileSync(join(root, file)));
    const list = edits.get(file) ?? [];
    edits.set(file, list);
    return list;
  };
  const original = (file: string): Buffer => originals.get(file) ?? Buffer.alloc(0);

  for (const [definition, { path, line, column, name }] of definitions.entries()) {
    const list = editsOf(path);
    const offset = offsetOf(original(path), line, column);
    list.push({
      ...{ at: offset, remove: name.length, insert: newName(definition), definition, offset },
      isDefinition: true,
    });
  }
  try {
    write();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const errors = compile(root, crate);
      const added = errors.reduce((sum, one) => sum + takeAll(one), 0);
      const severe = errors.filter(({ code }) => code?.code !== LOCAL);
      if (added === 0 && severe.length === 0) return definitions.map((_, at) => resultOf(at));
      if (added === 0 && !dropGuilty(severe)) return definitions.map(() => undefined);
      write();
    }
    return definitions.map(() => undefined);
  } finally {
    for (const [file, content] of originals) writeFileSync(join(root, file), content);
  }

  function write(): void {
    for (const [file, list] of edits) {
      list.sort((one, other) => one.at - other.at);
      written.set(file, [...list]);
      const parts: Buffer[] = [];
      let last = 0;
      for (const { at, remove, insert } of list) {
        parts.push(original(file).subarray(last, at), Buffer.from(insert));
        last = at + remove;
      }
      writeFileSync(join(root, file), Buffer.concat([...parts, original(file).subarray(last)]));
    }
  }

  function takeAll({ code, spans }: Diagnostic): number {
    let added = 0;
    for (const primary of spans.filter((span) => span.is_primary)) {
      for (let span: Span | undefined = primary; span; span = span.expansion?.span) {
        added += take(span, code?.code ?? "");
      }
    }
    return added;
  }

  /** Renames the last word of a span if it is an old name. Returns how many places are new. */
  function take(span: Span, code: string): number {
    const file = span.file_name;
    if (file.startsWith("/")) return 0;
    const list = editsOf(file);
    const current = readFileSync(join(root, file));
    const text = current.toString("latin1", span.byte_start, span.byte_end);
    // A path, or the name alone; else a whole statement, of which nothing is certain.
    if (!/^[\w:#<>\s,&.'!]*$/.test(text)) return 0;
    const word = [...text.matchAll(/\w+/g)].findLast(
      (one) => byName.has(one[0]) && !failed.has(byName.get(one[0]) ?? -1),
    );
    const definition = byName.get(word?.[0] ?? "");
    if (word === undefined || definition === undefined) return 0;
    const [name] = word;
    const offset = originalOffset(span.byte_start + word.index, written.get(file) ?? []);
    const source = original(file);
    if (source.toString("latin1", offset, offset + name.length) !== name) return 0;
    if (list.some((edit) => edit.offset === offset)) return 0;
    const common = { definition, offset, isDefinition: NOT_IN_TRAIT.has(code) };
    const after = source.toString("latin1", offset + name.length, offset + name.length + 20);
    if (NO_FIELD.has(code) && !/^\s*:(?!:)/.test(after)) {
      const before = source.toString("latin1", Math.max(0, offset - 20), offset);
      const head = /(?:\bref\s+)?(?:\bmut\s+)?$/.exec(before)?.[0].length ?? 0;
      list.push({ ...common, at: offset - head, remove: 0, insert: `${newName(definition)}: ` });
    } else {
      list.push({ ...common, at: offset, remove: name.length, insert: newName(definition) });
    }
    return 1;
  }

  /** Gives up the definitions that the errors name. Returns false if there are none. */
  function dropGuilty(errors: readonly Diagnostic[]): boolean {
    const texts = errors.map(({ message, spans }) =>
      [
        message,
        ...spans.map(({ file_name: file, byte_start: start, byte_end: end }) =>
          file.startsWith("/") ? "" : readFileSync(join(root, file)).toString("latin1", start, end),
        ),
      ].join(" "),
    );
    const guilty = definitions.flatMap(({ name }, at) =>
      !failed.has(at) &&
      texts.some((text) => new RegExp(`\\b(?:${name}|${newName(at)})\\b`).test(text))
        ? [at]
        : [],
    );
    for (const at of guilty) failed.add(at);
    for (const [file, list] of edits) {
      edits.set(
        file,
        list.filter(({ definition }) => !failed.has(definition)),
      );
    }
    return guilty.length > 0;
  }

  function resultOf(at: number): Renamed | undefined {
    if (failed.has(at)) return undefined;
    const places = (isWanted: boolean): readonly TruePlace[] =>
      [...edits].flatMap(([file, list]) =>
        list
          .filter((edit) => edit.definition === at && edit.isDefinition === isWanted)
          .map(({ offset }) => placeAt(file, original(file), offset)),
      );
    return { uses: places(false), definitions: places(true) };
  }
}

function newName(definition: number): string {
  return `renamed_by_bench_${definition}`;
}

function originalOffset(at: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const edit of edits) {
    if (edit.at + shift >= at) break;
    shift += edit.insert.length - edit.remove;
  }
  return at - shift;
}

function placeAt(path: string, content: Buffer, offset: number): TruePlace {
  const before = content.toString("utf8", 0, offset).split("\n");
  return { path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function offsetOf(content: Buffer, line: number, column: number): number {
  const lines = content.toString("utf8").split("\n");
  const before = lines
    .slice(0, line - 1)
    .map((text) => `${text}\n`)
    .join("");
  return Buffer.byteLength(before + (lines[line - 1] ?? "").slice(0, column - 1));
}
