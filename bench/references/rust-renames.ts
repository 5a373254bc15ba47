// The users of Rust definitions, from the compiler: the definitions get other names, and so does every place at which the
// compiler then misses an old one, until the crate compiles again. Definitions of different names are renamed together.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

interface NamedPlace extends TruePlace {
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
/** Bytes around a name that are read. */
const NEAR = 20;
/** Members of an implementation that the trait does not have. */
const NOT_IN_TRAIT = new Set(["E0407", "E0437", "E0438"]);
/** A field that the type does not have, in a pattern or a literal, where it may also be a local. */
const NO_FIELD = new Set(["E0026", "E0560"]);
/** In a pattern, a constant of an unknown name is a new local: its name is not written as names of locals are. */
const LOCAL = "non_snake_case";

/** The errors of a crate. */
export function compile(root: string, crate: Crate): readonly Diagnostic[] {
  // Not /dev/null: rustc replaces its output file, and as root it would replace the device.
  const folder = mkdtempSync(join(tmpdir(), "svc-rustc-"));
  try {
    return errorsOf(messagesOf(root, crate, join(folder, "unused.rmeta")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function messagesOf(root: string, crate: Crate, file: string): string {
  const form = ["--crate-name", crate.name, "--edition", crate.edition, "--test"];
  const output = ["--emit=metadata", "-o", file, "--error-format=json"];
  const words = [...form, ...output, "-Awarnings", "-D", LOCAL, ...crate.words, crate.file];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 } as const;
  const { stderr, error } = spawnSync("rustc", words, options);
  if (error) throw error;
  return stderr;
}

function errorsOf(messages: string): readonly Diagnostic[] {
  return messages
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): Diagnostic => JSON.parse(line))
    .filter(({ level, spans }) => level === "error" && spans.length > 0);
}

/** Returns whether the error is no error of the crate as it is. */
export function isLocalName({ code }: Diagnostic): boolean {
  return code?.code === LOCAL;
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
  const renames = new Renames(root, definitions);
  try {
    return renames.untilItCompiles(crate) ? renames.results() : definitions.map(() => undefined);
  } finally {
    renames.restore();
  }
}

class Renames {
  readonly #root: string;
  readonly #definitions: readonly NamedPlace[];
  readonly #byName: ReadonlyMap<string, number>;
  readonly #originals = new Map<string, Buffer>();
  readonly #edits = new Map<string, readonly Edit[]>();
  /** The edits of the current files. */
  readonly #written = new Map<string, readonly Edit[]>();
  readonly #failed = new Set<number>();

  constructor(root: string, definitions: readonly NamedPlace[]) {
    this.#root = root;
    this.#definitions = definitions;
    this.#byName = new Map(definitions.map(({ name }, at) => [name, at]));
    for (const [definition, { path, line, column, name }] of definitions.entries()) {
      const offset = offsetOf(this.#original(path), line, column);
      const remove = name.length;
      const insert = newName(definition);
      this.#add(path, { at: offset, remove, insert, definition, offset, isDefinition: true });
    }
  }

  /** Returns false if it never does. */
  untilItCompiles(crate: Crate): boolean {
    this.#write();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const errors = compile(this.#root, crate);
      const added = errors.reduce((sum, one) => sum + this.#takeAll(one), 0);
      const severe = errors.filter((one) => !isLocalName(one));
      if (added === 0 && severe.length === 0) return true;
      if (added === 0 && !this.#dropGuilty(severe)) return false;
      this.#write();
    }
    return false;
  }

  results(): readonly (Renamed | undefined)[] {
    return this.#definitions.map((_, at) =>
      this.#failed.has(at)
        ? undefined
        : { uses: this.#places(at, false), definitions: this.#places(at, true) },
    );
  }

  restore(): void {
    for (const [file, content] of this.#originals) writeFileSync(join(this.#root, file), content);
  }

  #places(definition: number, isDefinition: boolean): readonly TruePlace[] {
    return [...this.#edits].flatMap(([file, list]) =>
      list
        .filter((edit) => edit.definition === definition && edit.isDefinition === isDefinition)
        .map(({ offset }) => placeAt(file, this.#original(file), offset)),
    );
  }

  #original(file: string): Buffer {
    const content = this.#originals.get(file) ?? readFileSync(join(this.#root, file));
    this.#originals.set(file, content);
    return content;
  }

  #add(file: string, edit: Edit): void {
    const list = [...(this.#edits.get(file) ?? []), edit];
    this.#edits.set(
      file,
      list.toSorted((one, other) => one.at - other.at),
    );
  }

  #write(): void {
    for (const [file, list] of this.#edits) {
      this.#written.set(file, list);
      const original = this.#original(file);
      const parts: Buffer[] = [];
      let last = 0;
      for (const { at, remove, insert } of list) {
        parts.push(original.subarray(last, at), Buffer.from(insert));
        last = at + remove;
      }
      writeFileSync(join(this.#root, file), Buffer.concat([...parts, original.subarray(last)]));
    }
  }

  #takeAll({ code, spans }: Diagnostic): number {
    let added = 0;
    for (const primary of spans.filter((span) => span.is_primary)) {
      for (let span: Span | undefined = primary; span; span = span.expansion?.span) {
        added += this.#take(span, code?.code ?? "");
      }
    }
    return added;
  }

  /** Renames the last word of a span if it is an old name. Returns how many places are new. */
  #take(span: Span, code: string): number {
    const file = span.file_name;
    const word = this.#oldNameIn(span);
    if (word === undefined) return 0;
    const { name, definition } = word;
    const original = this.#original(file);
    const offset = originalOffset(span.byte_start + word.index, this.#written.get(file) ?? []);
    if (original.toString("latin1", offset, offset + name.length) !== name) return 0;
    if (this.#edits.get(file)?.some((edit) => edit.offset === offset) === true) return 0;
    const common = { definition, offset, isDefinition: NOT_IN_TRAIT.has(code) };
    const end = offset + name.length;
    const isShort =
      NO_FIELD.has(code) && !/^\s*:(?!:)/.test(original.toString("latin1", end, end + NEAR));
    const before = original.toString("latin1", Math.max(0, offset - NEAR), offset);
    const head = /(?:\bref\s+)?(?:\bmut\s+)?$/.exec(before)?.[0].length ?? 0;
    const change = isShort
      ? { at: offset - head, remove: 0, insert: `${newName(definition)}: ` }
      : { at: offset, remove: name.length, insert: newName(definition) };
    this.#add(file, { ...common, ...change });
    return 1;
  }

  #oldNameIn({
    file_name: file,
    byte_start: start,
    byte_end: end,
  }: Span): { name: string; definition: number; index: number } | undefined {
    if (file.startsWith("/")) return undefined;
    const text = readFileSync(join(this.#root, file)).toString("latin1", start, end);
    // A path, or the name alone; else a whole statement, of which nothing is certain.
    if (!/^[\w:#<>\s,&.'!]*$/.test(text)) return undefined;
    const words = [...text.matchAll(/\w+/g)].map(({ 0: name, index }) => ({
      name,
      index,
      definition: this.#byName.get(name) ?? -1,
    }));
    return words.findLast(({ definition }) => definition !== -1 && !this.#failed.has(definition));
  }

  /** Gives up the definitions that the errors name. Returns false if there are none. */
  #dropGuilty(errors: readonly Diagnostic[]): boolean {
    const text = errors
      .flatMap(({ message, spans }) => [message, ...spans.map((span) => this.#textOf(span))])
      .join("\n");
    const guilty = [...this.#byName].filter(
      ([name, at]) =>
        !this.#failed.has(at) && new RegExp(`\\b(?:${name}|${newName(at)})\\b`).test(text),
    );
    for (const [, at] of guilty) this.#failed.add(at);
    for (const [file, list] of this.#edits) {
      this.#edits.set(
        file,
        list.filter(({ definition }) => !this.#failed.has(definition)),
      );
    }
    return guilty.length > 0;
  }

  #textOf({ file_name: file, byte_start: start, byte_end: end }: Span): string {
    if (file.startsWith("/")) return "";
    return readFileSync(join(this.#root, file)).toString("latin1", start, end);
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
