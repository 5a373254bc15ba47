// The facts of a compiler about one file: definitions that svc's parser does not have, uses with their definitions, and
// relations. Kept by the hash of its bytes (see src/sources/text/port.ts), so that each run can add it to what the
// parser finds.

import { USE_ROLES, type UseRole } from "../../parse/references/references.ts";
import { ByteReader, ByteWriter } from "../coding/bytes.ts";
import { ACCESS_LEVELS, CHUNK_KINDS, type SymbolFacts } from "../types.ts";
import type { CompilerTarget } from "../../base/compiler-target.ts";

/** A definition that a use refers to. */
export interface FactTarget extends CompilerTarget {
  /** Its name without those around it. */
  readonly name: string;
}

/** A use of a name. */
export interface FactUse {
  /** 1-based. */
  readonly line: number;
  /** The name as written there. */
  readonly text: string;
  /** Role as far as the line shows it, for uses that the parser does not have. */
  readonly role: UseRole;
  /** "outside": defined in no file that the compiler's index has. "local": of the project, but no definition for svc: a variable, a key of a literal. */
  readonly target: FactTarget | "outside" | "local";
}

/** A definition inherits from another one, or overrides it. */
export interface FactRelation {
  /** Qualified name of a definition of the file. */
  readonly owner: string;
  readonly target: FactTarget;
}

export interface CompilerFacts {
  readonly definitions: readonly SymbolFacts[];
  /** In line order. */
  readonly uses: readonly FactUse[];
  readonly relations: readonly FactRelation[];
}

const FORMAT = 1;
const OUTSIDE = 0;
const LOCAL = 1;
const FIRST_TARGET = 2;

export function encodeCompilerFacts({ definitions, uses, relations }: CompilerFacts): Buffer {
  const texts = new Table<string>((text) => text);
  const targets = new Table<FactTarget>(
    ({ path, qualifiedName, name }) => `${path}\0${qualifiedName}\0${name}`,
  );
  const body = new ByteWriter();
  body.varint(definitions.length);
  for (const one of definitions) {
    body.varint(texts.numberOf(one.name));
    body.varint(texts.numberOf(one.qualifiedName));
    body.byte(CHUNK_KINDS.indexOf(one.kind));
    body.byte(ACCESS_LEVELS.indexOf(one.access));
    for (const line of [one.startLine, one.endLine, one.nameLine]) body.varint(line);
  }
  body.varint(uses.length);
  let last = 0;
  for (const { line, text, role, target } of uses) {
    body.varint(line - last);
    last = line;
    body.varint(texts.numberOf(text) * USE_ROLES.length + USE_ROLES.indexOf(role));
    if (target === "outside") body.varint(OUTSIDE);
    else body.varint(target === "local" ? LOCAL : FIRST_TARGET + targets.numberOf(target));
  }
  body.varint(relations.length);
  for (const { owner, target } of relations) {
    body.varint(texts.numberOf(owner));
    body.varint(targets.numberOf(target));
  }
  const head = new ByteWriter();
  head.byte(FORMAT);
  const places = targets.values.map(({ path, qualifiedName, name }) =>
    [path, qualifiedName, name].map((text) => texts.numberOf(text)),
  );
  head.varint(texts.values.length);
  for (const text of texts.values) head.text(text);
  head.varint(places.length);
  for (const number of places.flat()) head.varint(number);
  return Buffer.concat([head.finish(), body.finish()]);
}

/** Returns undefined for bytes that are not such facts. */
export function decodeCompilerFacts(bytes: Uint8Array): CompilerFacts | undefined {
  const from = new ByteReader(bytes);
  if (from.byte() !== FORMAT) return undefined;
  const list = <Value>(read: () => Value): Value[] => {
    const count = from.varint();
    // Each element has a byte or more.
    return Array.from({ length: Math.min(count, from.left) }, read);
  };
  const texts = list(() => from.text());
  const text = (): string => texts[from.varint()] ?? "";
  const targets = list((): FactTarget => {
    const [path, qualifiedName] = [text(), text()];
    return { path, qualifiedName, name: text() };
  });
  const definitions = list((): SymbolFacts => {
    const [name, qualifiedName] = [text(), text()];
    const kind = CHUNK_KINDS[from.byte()] ?? "text";
    const access = ACCESS_LEVELS[from.byte()] ?? "internal";
    const [startLine, endLine] = [from.varint(), from.varint()];
    return { name, qualifiedName, kind, access, startLine, endLine, nameLine: from.varint() };
  });
  let line = 0;
  const uses = list((): FactUse => {
    line += from.varint();
    const code = from.varint();
    const written = texts[Math.floor(code / USE_ROLES.length)] ?? "";
    const role = USE_ROLES[code % USE_ROLES.length] ?? "value";
    const number = from.varint();
    const target = number === OUTSIDE ? "outside" : (targets[number - FIRST_TARGET] ?? "local");
    return { line, text: written, role, target };
  });
  const relations = list((): FactRelation | undefined => {
    const owner = text();
    const target = targets[from.varint()];
    return target && { owner, target };
  });
  return { definitions, uses, relations: relations.filter((one) => one !== undefined) };
}

/** Numbers distinct values in the order of their first use. */
class Table<Value> {
  readonly values: Value[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (value: Value) => string;

  constructor(keyOf: (value: Value) => string) {
    this.#keyOf = keyOf;
  }

  numberOf(value: Value): number {
    const key = this.#keyOf(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }
}
