// Compression, for any thread: see thread.ts. The rest of svc does not call these functions of node:zlib itself.

import type { InputType, ZlibOptions, ZstdOptions } from "node:zlib";

import { uninterrupted } from "./thread.ts";

export function zstdCompress(bytes: InputType, options?: ZstdOptions): Buffer {
  return uninterrupted(() => zlib().zstdCompressSync(bytes, options));
}

/** At level 1. Level 3, the default, takes three times as long for 10 % less. */
export function zstdCompressFast(bytes: InputType): Buffer {
  return zstdCompress(bytes, { params: { [zlib().constants.ZSTD_c_compressionLevel]: 1 } });
}

/** Throws if the bytes are damaged. */
export function zstdDecompress(bytes: InputType, options?: ZstdOptions): Buffer {
  return uninterrupted(() => zlib().zstdDecompressSync(bytes, options));
}

export function deflateRaw(bytes: InputType, options?: ZlibOptions): Buffer {
  return uninterrupted(() => zlib().deflateRawSync(bytes, options));
}

/** Throws if the bytes are damaged. */
export function inflateRaw(bytes: InputType, options?: ZlibOptions): Buffer {
  return uninterrupted(() => zlib().inflateRawSync(bytes, options));
}

export function gzip(bytes: InputType, options?: ZlibOptions): Buffer {
  return uninterrupted(() => zlib().gzipSync(bytes, options));
}

/** Throws if the bytes are damaged. */
export function gunzip(bytes: InputType, options?: ZlibOptions): Buffer {
  return uninterrupted(() => zlib().gunzipSync(bytes, options));
}

/** Not imported: most starts need no compression. */
function zlib() {
  return process.getBuiltinModule("node:zlib");
}
