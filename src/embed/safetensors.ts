// The safetensors file format of Hugging Face: uint64 header length, the header as JSON (by tensor name:
// dtype, shape, and the offsets of its numbers after the header), the numbers. Little-endian.

import { SvcError } from "../base/errors.ts";

interface Tensor {
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Tensors by name. */
export type Tensors = ReadonlyMap<string, Tensor>;

/** Bytes per number, for the types that can be read. */
const BYTES_BY_TYPE: Readonly<Record<string, number>> = { F64: 8, F32: 4, F16: 2, I8: 1 };

/**
 * Returns the tensors by name; `bytes` of each refers to the input. Tensors of other types have no bytes.
 * Throws INDEX_UNAVAILABLE if the file is damaged.
 */
export function readSafetensors(bytes: Uint8Array): Tensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headerLength = bytes.length < 8 ? Infinity : Number(view.getBigUint64(0, true));
  const start = 8 + headerLength;
  if (start > bytes.length) throw unreadable("its header is cut off");
  const header = parseHeader(bytes.subarray(8, start));
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(header)) {
    const fields = recordOf(entry);
    const type = String(fields["dtype"]);
    const width = BYTES_BY_TYPE[type];
    if (name === "__metadata__") continue;
    const shape = countsOf(fields["shape"]);
    const [from = 0, to = 0] = countsOf(fields["data_offsets"]);
    const length = shape.reduce((product, size) => product * size, width ?? 0);
    if (width !== undefined && (to - from !== length || start + to > bytes.length)) {
      throw unreadable(`the numbers of "${name}" are cut off`);
    }
    tensors.set(name, { type, shape, bytes: bytes.subarray(start + from, start + from + length) });
  }
  return tensors;
}

/**
 * Returns a function that reads `count` numbers of a tensor, starting with number `from`. Each call
 * overwrites the array that the previous call returned.
 */
export function numberReader(tensor: Tensor, count: number): (from: number) => Float32Array {
  const numbers = new Float32Array(count);
  const width = BYTES_BY_TYPE[tensor.type] ?? 1;
  // Copied first: numbers in the file are not aligned for a typed array.
  const raw = new ArrayBuffer(count * width);
  const bytes = new Uint8Array(raw);
  const take = (from: number): void =>
    bytes.set(tensor.bytes.subarray(from * width, (from + count) * width));
  if (tensor.type === "F16") {
    const halves = new Uint16Array(raw);
    const values = halfValues();
    return (from) => {
      take(from);
      for (let at = 0; at < count; at += 1) numbers[at] = values[halves[at] ?? 0] ?? 0;
      return numbers;
    };
  }
  const typed = typedArray(tensor.type, raw);
  return (from) => {
    take(from);
    numbers.set(typed);
    return numbers;
  };
}

function typedArray(type: string, raw: ArrayBuffer): Float64Array | Float32Array | Int8Array {
  if (type === "F64") return new Float64Array(raw);
  return type === "F32" ? new Float32Array(raw) : new Int8Array(raw);
}

/** Returns the value of each half-precision number (IEEE 754 binary16), indexed by its bits. */
function halfValues(): Float32Array {
  return Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const sign = bits < 0x8000 ? 1 : -1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 0x3ff;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } catch {
    throw unreadable("its header is not JSON");
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function countsOf(value: unknown): readonly number[] {
  const counts: readonly unknown[] = Array.isArray(value) ? value : [];
  const sound = counts.filter(
    (count): count is number =>
      typeof count === "number" && Number.isSafeInteger(count) && count >= 0,
  );
  if (!Array.isArray(value) || sound.length !== counts.length) {
    throw unreadable("a size in its header is not a whole number");
  }
  return sound;
}

function unreadable(what: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `model.safetensors cannot be read: ${what}.`, {
    hint: "Download or copy the model again.",
  });
}
