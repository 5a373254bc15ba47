import { realpathSync } from "node:fs";
import path from "node:path";

import { SvcError } from "../base/errors.ts";
import { readRegularFile } from "../base/files.ts";
import { checksum } from "./checksum.ts";
import { paddedDimensions, type EmbeddingTable, type RowMatrix } from "./embedding-table.ts";
import { numberReader, readSafetensors, type Tensors } from "./safetensors.ts";
import { createWordPiece } from "./word-piece.ts";

const MEGABYTE = 1e6;
const MAX_MODEL_BYTES = 256 * MEGABYTE;
const MAX_TOKENIZER_BYTES = 64 * MEGABYTE;

/**
 * Reads a model that model2vec saved into a folder (github.com/MinishLab/model2vec): the tensor `embeddings`
 * of model.safetensors, times `weights` if there are any, for the tokens of tokenizer.json. Each row is
 * quantized to int8. `normalize` of its config.json makes no difference, because stored vectors always have
 * the same length.
 *
 * Throws PATH_NOT_FOUND if a file is missing or too large (256 MB for the model, 64 MB for the tokenizer),
 * INDEX_UNAVAILABLE if the model is damaged or of an unsupported kind.
 */
export function readModel2vec(folder: string): EmbeddingTable {
  const model = readFile(folder, "model.safetensors", MAX_MODEL_BYTES);
  const tokenizer = readFile(folder, "tokenizer.json", MAX_TOKENIZER_BYTES);
  const { lastToken, tokensOf } = createWordPiece(parseJson(tokenizer));
  const matrix = quantized(readSafetensors(model));
  if (lastToken >= matrix.rows) {
    throw unusable(
      `its tokenizer has token ${lastToken}, but its table has only ${matrix.rows} rows`,
    );
  }
  return {
    id: `model2vec-${matrix.dimensions}-${checksum(model, tokenizer)}`,
    dimensions: matrix.dimensions,
    matrix,
    rowsOf: tokensOf,
    logProbability: (word) => (tokensOf(word).length === 1 ? 0 : undefined),
  };
}

function readFile(folder: string, name: string, limitBytes: number): Buffer {
  const file = path.join(folder, name);
  const bytes = readRegularFile(target(file), limitBytes);
  if (bytes !== undefined) return bytes;
  const limit = limitBytes / MEGABYTE;
  throw new SvcError(
    "PATH_NOT_FOUND",
    `${file} cannot be read, or is not a regular file of up to ${limit} MB.`,
    {
      hint: "Name a folder with model.safetensors and tokenizer.json, as model2vec saves it.",
    },
  );
}

/** Returns the target of a symbolic link. The download folders of models consist of links. */
function target(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw unusable("its tokenizer.json is not JSON");
  }
}

function quantized(tensors: Tensors): RowMatrix {
  const embeddings = tensors.get("embeddings");
  const [rows = 0, length = 0, ...more] = embeddings?.shape ?? [];
  if (embeddings === undefined || length === 0 || more.length > 0) {
    throw unusable('it has no table "embeddings"');
  }
  if (!["F32", "F16", "I8"].includes(embeddings.type)) {
    throw unusable(`its numbers are ${embeddings.type}, not F32, F16 or I8`);
  }
  if (tensors.has("mapping")) throw unusable("its tokens share rows by a mapping");
  const weights = weightsOf(tensors, rows);
  const dimensions = paddedDimensions(length);
  const bytes = new Int8Array(rows * dimensions);
  const scales = new Float32Array(rows);
  const read = numberReader(embeddings, length);
  for (let row = 0; row < rows; row += 1) {
    const scale = writeRow(read(row * length), bytes.subarray(row * dimensions));
    scales[row] = scale * (weights?.[row] ?? 1);
  }
  if (!scales.every(Number.isFinite)) throw unusable("a number in it is not finite");
  return { rows, dimensions, bits: 8, bytes: new Uint8Array(bytes.buffer), scales };
}

/** Writes the numbers as signed bytes. Returns the factor that turns the bytes back into the numbers. */
function writeRow(numbers: Float32Array, to: Int8Array): number {
  let max = 0;
  for (const number of numbers) max = Math.max(max, Math.abs(number));
  const factor = max > 0 ? 127 / max : 0;
  for (let at = 0; at < numbers.length; at += 1) to[at] = Math.round((numbers[at] ?? 0) * factor);
  return max / 127;
}

function weightsOf(tensors: Tensors, rows: number): Float32Array | undefined {
  const weights = tensors.get("weights");
  if (weights === undefined) return undefined;
  if (weights.shape[0] !== rows || weights.shape.length !== 1) {
    throw unusable("it does not have one weight for each row");
  }
  return numberReader(weights, rows)(0);
}

function unusable(what: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The model cannot be used: ${what}.`, {
    hint: "Use a model that model2vec saved, or remove the setting.",
  });
}
