// Compression, for any thread: see thread.ts. The rest of svc does not call these functions of node:zlib itself.

import type { InputType, ZlibOptions, ZstdOptions } from "node:zlib";

import { withoutEnd } from "./thread.ts";

export function zstdCompress(bytes: InputType, options?: ZstdOptions): Buffer {
  return withoutEnd(() => zlib().zstdCompressSync(bytes, options));
}

/** Throws if the bytes are damaged. */
export function zstdDecompress(bytes: InputType, options?: ZstdOptions): Buffer {
  return withoutEnd(() => zlib().zstdDecompressSync(bytes, options));
}

export function deflateRaw(bytes: InputType, options?: ZlibOptions): Buffer {
  return withoutEnd(() => zlib().deflateRawSync(bytes, options));
}

/** Throws if the bytes are damaged. */
export function inflateRaw(bytes: InputType, options?: ZlibOptions): Buffer {
  return withoutEnd(() => zlib().inflateRawSync(bytes, options));
}

/** Not imported: most starts need no compression. */
function zlib() {
  return process.getBuiltinModule("node:zlib");
}
