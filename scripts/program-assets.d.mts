/** Writes the assets of the program; `keyring` null omits the addon and Node's notices. */
export function writeAssets(
  folder: string,
  options?: { readonly keyring?: string | null },
): Promise<void>;

export function writeManifest(
  file: string,
  of: { readonly folder: string; readonly version: string },
): Readonly<Record<string, string>>;
