import { renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";

import { readModel2vec } from "../../src/embed/model2vec.ts";
import { Pooler } from "../../src/embed/pooler.ts";
import { plant, tree, type Tree } from "../helpers/tree.ts";
import { bytesOf, component } from "./helpers.ts";

const VOCABULARY = ["[PAD]", "[UNK]", "parse", "##r", "http", "##json", "_", "naive", "日"];
const LENGTH = 20;
const ROWS = VOCABULARY.map((_, row) =>
  Array.from({ length: LENGTH }, (__, at) => Math.sin(row * 7 + at) * (row + 1)),
);

interface TensorInput {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

function safetensors(tensors: Readonly<Record<string, TensorInput>>): Buffer {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  const head = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(head.length));
  return Buffer.concat([size, head, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

function embeddings(
  dtype: string,
  bytes: Uint8Array,
  shape: readonly number[] = [VOCABULARY.length, LENGTH],
): Readonly<Record<string, TensorInput>> {
  return { embeddings: { dtype, shape, bytes } };
}

const F32 = embeddings("F32", bytesOf(Float32Array.from(ROWS.flat())));

const WORD_PIECE = {
  type: "WordPiece",
  unk_token: "[UNK]",
  continuing_subword_prefix: "##",
  max_input_chars_per_word: 100,
  vocab: Object.fromEntries(VOCABULARY.map((token, number) => [token, number])),
};
const TOKENIZER = {
  normalizer: { type: "BertNormalizer", lowercase: true, strip_accents: null },
  pre_tokenizer: { type: "BertPreTokenizer" },
  model: WORD_PIECE,
};

const folders: Tree[] = [];
afterEach(() => {
  for (const created of folders.splice(0)) created.dispose();
});

function folder(model: Uint8Array | string, tokenizer: unknown = TOKENIZER): string {
  const text = typeof tokenizer === "string" ? tokenizer : JSON.stringify(tokenizer);
  const created = tree({ "model.safetensors": model, "tokenizer.json": text });
  folders.push(created);
  return created.path;
}

function readTensors(
  tensors: Readonly<Record<string, TensorInput>>,
): ReturnType<typeof readModel2vec> {
  return readModel2vec(folder(safetensors(tensors)));
}

/** Returns the bits of an IEEE 754 binary16. Denormal numbers are not supported. */
function half(value: number): number {
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
  // Added, not or-ed: a fraction that is rounded up to 1 carries into the exponent.
  return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + fraction;
}

test.each([
  ["F32", F32, 1],
  ["F16", embeddings("F16", bytesOf16(ROWS.flat().map(half))), 1],
  ["I8", embeddings("I8", bytesOf(Int8Array.from(ROWS.flat(), (value) => value * 12))), 12],
])("numbers of type %s are read, and each row has its own scale", (_type, tensors, factor) => {
  const table = readTensors(tensors);
  expect(table.dimensions).toBe(32);
  expect(table.id).toMatch(/^model2vec-32-[0-9a-f]{8}$/);
  for (const [row, numbers] of ROWS.entries()) {
    for (const [at, number] of numbers.entries()) {
      // One step of int8, plus one of the input type.
      const step = (row + 1) / 127 + (factor > 1 ? 1 / factor : 0.002 * (row + 1));
      expect(Math.abs(component(table, row, at) / factor - number)).toBeLessThanOrEqual(step);
    }
    // Padding for the kernel.
    expect(component(table, row, LENGTH)).toBe(0);
    expect(component(table, row, 31)).toBe(0);
  }
});

function bytesOf16(numbers: readonly number[]): Buffer {
  const halves = Uint16Array.from(numbers);
  return Buffer.from(halves.buffer);
}

test("rows are multiplied by the weights of their tokens", () => {
  const weights = VOCABULARY.map((_, row) => 1 / (row + 1));
  const bytes = bytesOf(Float64Array.from(weights));
  const table = readTensors({
    ...F32,
    weights: { dtype: "F64", shape: [VOCABULARY.length], bytes },
  });
  for (const row of VOCABULARY.keys()) {
    expect(component(table, row, 3)).toBeCloseTo(Math.sin(row * 7 + 3), 1);
  }
});

test.each([
  ["parser", ["parse", "##r"]],
  ["Parser", ["parse", "##r"]],
  ["parse_http", ["parse", "_", "http"]],
  ["httpjson", ["http", "##json"]],
  ["httpxml", []],
  ["parse_xml", ["parse", "_"]],
  ["naïve", ["naive"]],
  ["日http日", ["日", "http", "日"]],
  ["", []],
])("%s is split as BERT splits it", (word, tokens) => {
  const { rowsOf } = readTensors(F32);
  expect(rowsOf(word).map((row) => VOCABULARY[row])).toEqual(tokens);
});

test("the log probability is 0 for a single token and undefined for other words", () => {
  const { logProbability } = readTensors(F32);
  expect(["parse", "httpjson", "httpxml"].map(logProbability)).toEqual([0, undefined, undefined]);
});

test("a word of a megabyte is cut off", () => {
  const { rowsOf } = readTensors(F32);
  expect(rowsOf("parse_".repeat(200_000)).length).toBeLessThan(100);
  expect(rowsOf("parse".repeat(200_000))).toEqual([]);
});

test.each([
  [{ type: "Lowercase" }, { type: "Whitespace" }, "PARSE", ["parse"]],
  [null, { type: "WhitespaceSplit" }, "parse_http", []],
  [null, null, "parse", ["parse"]],
  [{ type: "NFKC" }, { type: "Punctuation" }, "http_parse", ["http", "_", "parse"]],
  [
    {
      type: "Sequence",
      normalizers: [{ type: "NFD" }, { type: "StripAccents" }, { type: "Lowercase" }],
    },
    { type: "Sequence", pretokenizers: [{ type: "WhitespaceSplit" }, { type: "Punctuation" }] },
    "NAÏVE_http",
    ["naive", "_", "http"],
  ],
])("normalizer %j and pre-tokenizer %j are supported", (normalizer, preTokenizer, word, tokens) => {
  const tokenizer = { normalizer, pre_tokenizer: preTokenizer, model: WORD_PIECE };
  const { rowsOf } = readModel2vec(folder(safetensors(F32), tokenizer));
  expect(rowsOf(word).map((row) => VOCABULARY[row])).toEqual(tokens);
});

test("a model2vec table can pool texts", () => {
  const table = readTensors(F32);
  const pooler = new Pooler(table);
  for (const row of table.rowsOf("parse")) pooler.count(row);
  const vector = pooler.finishQuery();
  const length = Math.hypot(...(ROWS[2] ?? []));
  for (const [at, number] of (ROWS[2] ?? []).entries()) {
    const wanted = (number / length) * 28 * Math.sqrt(32);
    expect(Math.abs((vector[at] ?? 0) - Math.min(127, Math.max(-127, wanted)))).toBeLessThan(2);
  }
});

test("the id changes with the model and with its tokenizer", () => {
  const other = { ...WORD_PIECE, unk_token: "[PAD]" };
  const ids = [
    readModel2vec(folder(safetensors(F32))).id,
    readModel2vec(folder(safetensors(F32))).id,
    readModel2vec(folder(safetensors(F32), { ...TOKENIZER, model: other })).id,
    readTensors(embeddings("I8", new Uint8Array(VOCABULARY.length * LENGTH).fill(1))).id,
  ];
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(3);
});

test("a folder of symbolic links, as download tools create it, is read", () => {
  const place = folder(safetensors(F32));
  plant(place, { "blobs/": "", "snapshot/": "" });
  for (const name of ["model.safetensors", "tokenizer.json"]) {
    renameSync(path.join(place, name), path.join(place, "blobs", name));
    symlinkSync(path.join("../blobs", name), path.join(place, "snapshot", name));
  }
  expect(readModel2vec(path.join(place, "snapshot")).dimensions).toBe(32);
});

const SOUND = safetensors(F32);

test.each([
  ["a tokenizer of another kind", SOUND, tokenizerOf({ type: "Unigram", vocab: [] }), '"Unigram"'],
  ["a BPE tokenizer", SOUND, tokenizerOf({ type: "BPE", vocab: {}, merges: [] }), '"BPE"'],
  ["no vocabulary", SOUND, tokenizerOf({ type: "WordPiece" }), "without a vocabulary"],
  ["tokens without ids", SOUND, tokenizerOf({ vocab: { a: "b" } }), "no id"],
  ["a token without a row", SOUND, tokenizerOf({ vocab: { a: 9 } }), "token 9"],
  ["an unknown normalizer", SOUND, { ...TOKENIZER, normalizer: { type: "Replace" } }, '"Replace"'],
  [
    "an unknown pre-tokenizer",
    SOUND,
    { ...TOKENIZER, pre_tokenizer: { type: "Split" } },
    '"Split"',
  ],
  ["a tokenizer that is not JSON", SOUND, "{", "not JSON"],
  ["no table", safetensors({}), TOKENIZER, 'no table "embeddings"'],
  [
    "a table of one dimension",
    safetensors(embeddings("I8", Buffer.alloc(9), [9])),
    TOKENIZER,
    "no table",
  ],
  ["numbers of a future type", safetensors(embeddings("F8", Buffer.alloc(9))), TOKENIZER, "F8"],
  [
    "shared rows",
    safetensors({ ...F32, mapping: { dtype: "I64", shape: [9], bytes: Buffer.alloc(72) } }),
    TOKENIZER,
    "mapping",
  ],
  [
    "a wrong number of weights",
    safetensors({ ...F32, weights: { dtype: "F32", shape: [2], bytes: Buffer.alloc(8) } }),
    TOKENIZER,
    "one weight for each row",
  ],
  [
    "a NaN",
    safetensors(embeddings("F32", Buffer.alloc(VOCABULARY.length * LENGTH * 4, 0xff))),
    TOKENIZER,
    "not finite",
  ],
  [
    "a shape beyond the file",
    safetensors(embeddings("I8", Buffer.alloc(9), [9, 2])),
    TOKENIZER,
    "cut off",
  ],
  ["an empty file", Buffer.alloc(0), TOKENIZER, "header is cut off"],
  ["a file of text", Buffer.from("version https://git-lfs"), TOKENIZER, "header is cut off"],
])("the error names the problem: %s", (_what, model, tokenizer, message) => {
  expect(() => readModel2vec(folder(model, tokenizer))).toThrow(
    expect.objectContaining({
      code: "INDEX_UNAVAILABLE",
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    }),
  );
});

function tokenizerOf(model: object): object {
  return { ...TOKENIZER, model };
}

test("a truncated model is refused at any length", () => {
  const place = folder(SOUND);
  for (let length = 0; length < SOUND.length; length += 7) {
    plant(place, { "model.safetensors": SOUND.subarray(0, length) });
    expect(() => readModel2vec(place)).toThrow(
      expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
    );
  }
});

test("the error names a missing file", () => {
  const place = tree();
  folders.push(place);
  expect(() => readModel2vec(place.path)).toThrow(
    expect.objectContaining({
      code: "PATH_NOT_FOUND",
      message: expect.stringContaining(path.join(place.path, "model.safetensors")),
    }),
  );
});
