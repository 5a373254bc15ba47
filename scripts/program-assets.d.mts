import type { PackedParts } from "./supply-chain/components.ts";

/** Writes the assets of the program; `keyring` null omits the addon and Node's notices. */
export function writeAssets(folder: string, parts?: PackedParts): Promise<void>;

export function writeManifest(
  file: string,
  of: { readonly folder: string; readonly version: string; readonly node?: string },
): Readonly<Record<string, string>>;
