// Assembles WebAssembly text: the part of the language that scripts/kernel/kernel.wat uses. Functions have
// only their declared parameters and results, instructions are folded (operands in parentheses),
// and names are given for every local and label. Standard assemblers read the same file.

import { ALIGNMENTS, LANE_COUNTS, OPCODES } from "./opcodes.ts";

type Node = string | readonly Node[];

const VALUE_TYPES: Readonly<Record<string, number>> = { i32: 0x7f, v128: 0x7b };
const NO_RESULT = 0x40;
const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** The bytes of a module. Throws an Error that names an unsupported construct. */
export function assemble(text: string): Uint8Array {
  const module = list(parse(text));
  const functions = module.filter((node) => head(node) === "func").map(list);
  const memory = module.find((node) => head(node) === "memory");
  if (memory === undefined) throw new Error("there is no memory");
  const exports = [
    [...name(exportOf(list(memory))), 0x02, 0],
    ...functions.map((node, index) => [...name(exportOf(node)), 0x00, ...unsigned(index)]),
  ];
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, functions.map(typeOf)),
    ...section(
      3,
      functions.map((_, index) => unsigned(index)),
    ),
    ...section(5, [[0x00, ...unsigned(Number(list(memory).at(-1)))]]),
    ...section(7, exports),
    ...section(10, functions.map(codeOf)),
  ]);
}

/** The only parenthesised form of a text. */
function parse(text: string): Node {
  const open: Node[][] = [[]];
  for (const [token] of text.matchAll(/;;.*|[()]|"[^"]*"|[^\s()";]+/g)) {
    if (token.startsWith(";;")) continue;
    if (token === "(") {
      open.push([]);
    } else if (token === ")") {
      const closed = open.pop() ?? [];
      const outer = open.at(-1);
      if (outer === undefined) throw new Error("a parenthesis too many");
      outer.push(closed);
    } else {
      open.at(-1)?.push(token);
    }
  }
  const [forms] = open;
  const [form] = forms ?? [];
  if (open.length !== 1 || form === undefined) throw new Error("a parenthesis is not closed");
  return form;
}

function list(node: Node | undefined): readonly Node[] {
  if (node === undefined || typeof node === "string") throw new Error(`not a form: ${node ?? ""}`);
  return node;
}

function word(node: Node | undefined): string {
  if (typeof node !== "string") throw new Error(`not a word: ${JSON.stringify(node)}`);
  return node;
}

function head(node: Node): string {
  const [first] = typeof node === "string" ? [] : node;
  return typeof first === "string" ? first : "";
}

function exportOf(form: readonly Node[]): string {
  const found = form.find((node) => head(node) === "export");
  return word(list(found)[1]).slice(1, -1);
}

function declared(form: readonly Node[], kind: "param" | "local"): (readonly [string, number])[] {
  return form
    .filter((node) => head(node) === kind)
    .map((node) => [word(list(node)[1]), valueType(word(list(node)[2]))]);
}

function valueType(type: string): number {
  const code = VALUE_TYPES[type];
  if (code === undefined) throw new Error(`unknown type ${type}`);
  return code;
}

function typeOf(form: readonly Node[]): number[] {
  const types = declared(form, "param").map(([, type]) => type);
  return [0x60, ...vector(types.map((type) => [type])), 0];
}

function codeOf(form: readonly Node[]): number[] {
  const locals = declared(form, "local");
  const names = [...declared(form, "param"), ...locals].map(([id]) => id);
  if (new Set(names).size !== names.length) throw new Error("a local is declared twice");
  const body = form
    .slice(1)
    .filter((node) => !["export", "param", "local"].includes(head(node)))
    .flatMap((node) => instruction(node, { names, labels: [] }));
  const code = [...vector(locals.map(([, type]) => [1, type])), ...body, OPCODES["end"] ?? 0];
  return [...unsigned(code.length), ...code];
}

interface Scope {
  readonly names: readonly string[];
  /** Labels of the enclosing blocks, the innermost first. */
  readonly labels: readonly string[];
}

function instruction(node: Node, scope: Scope): number[] {
  const [first, ...rest] = list(node);
  const operation = word(first);
  const code = OPCODES[operation];
  if (code === undefined) throw new Error(`unknown instruction ${operation}`);
  // SIMD opcodes have a prefix.
  const opcode = code > 0xff ? [code >> 16, ...unsigned(code & 0xffff)] : [code];
  if (operation === "block" || operation === "loop") {
    const [label, ...body] = rest;
    const inner = { ...scope, labels: [word(label), ...scope.labels] };
    const inside = body.flatMap((one) => instruction(one, inner));
    return [...opcode, NO_RESULT, ...inside, OPCODES["end"] ?? 0];
  }
  const words = rest.filter((one) => typeof one === "string");
  const operands = rest.filter((one) => typeof one !== "string");
  return [
    ...operands.flatMap((one) => instruction(one, scope)),
    ...opcode,
    ...immediates(operation, words, scope),
  ];
}

/** The operands of an opcode. */
function immediates(operation: string, words: readonly string[], scope: Scope): number[] {
  if (operation.startsWith("local.")) return unsigned(indexOf(scope.names, words));
  if (operation.startsWith("br")) return unsigned(indexOf(scope.labels, words));
  if (operation === "v128.const") return lanesOf(words);
  if (operation.endsWith(".const")) return signed(Number(words[0]));
  const alignment = ALIGNMENTS[operation];
  if (alignment !== undefined) {
    const offset = Number(words[0]?.replace(/^offset=/, "") ?? 0);
    return [alignment, ...unsigned(offset)];
  }
  const lanes = LANE_COUNTS[operation] ?? 0;
  if (words.length !== lanes) throw new Error(`${operation} takes ${lanes} lanes`);
  return words.map(Number);
}

function indexOf(names: readonly string[], [id = ""]: readonly string[]): number {
  const index = names.indexOf(id);
  if (index < 0) throw new Error(`unknown name ${id}`);
  return index;
}

function lanesOf([shape, ...lanes]: readonly string[]): number[] {
  if (shape !== "i32x4" || lanes.length !== 4) throw new Error("v128.const takes only i32x4");
  return [...new Uint8Array(Int32Array.from(lanes.map(Number)).buffer)];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return vector([...Buffer.from(text)].map((byte) => [byte]));
}

/** LEB128. */
function unsigned(value: number): number[] {
  if (!Number.isInteger(value) || value < 0) throw new Error(`not a count: ${value}`);
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  if (!Number.isInteger(value)) throw new Error(`not an integer: ${value}`);
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = rest === ((low & 0x40) === 0 ? 0 : -1);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
