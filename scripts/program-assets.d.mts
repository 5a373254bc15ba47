/** Writes what the program carries besides its code; `keyring` null leaves the addon and Node's notices out. */
export function writeAssets(
  folder: string,
  options?: { readonly keyring?: string | null },
): Promise<void>;

export function writeManifest(
  file: string,
  of: { readonly folder: string; readonly version: string },
): Readonly<Record<string, string>>;
