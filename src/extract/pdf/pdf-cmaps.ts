// The tables of character codes that PDF names without including them: those of Chinese, Japanese and Korean fonts.

import { readAsset } from "../../base/assets.ts";

let tables: ReadonlyMap<string, Uint8Array> | undefined;

/** Returns the table in a file such as "UniJIS-UTF16-H.bcmap"; undefined if there is none. Reads all with the first call. */
export function builtInCmap(file: string): Uint8Array | undefined {
  tables ??= unpack(readAsset("pdf-cmaps"));
  return tables.get(file);
}

/** The sizes of the files, by name, and the files: see `assetBytes`. */
function unpack(asset: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const end = asset.indexOf(0x0a);
  const sizes: Readonly<Record<string, number>> = JSON.parse(
    Buffer.from(asset.subarray(0, end)).toString(),
  );
  let at = end + 1;
  return new Map(
    Object.entries(sizes).map(([name, size]) => {
      const bytes = asset.subarray(at, at + size);
      at += size;
      return [name, bytes];
    }),
  );
}
