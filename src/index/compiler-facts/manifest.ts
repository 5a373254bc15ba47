// Which files of an index a compiler has described, and where its facts about them are kept.

/** The note of an index about its facts. */
export const COMPILER_NOTE = "compiler facts";

/** The facts of a file. */
export interface FactsEntry {
  /** The hash of the content that the compiler has read, as in `FileState`. */
  readonly hash: string;
  /** The hash under which the facts are kept. */
  readonly facts: string;
}

/** Path in the namespace -> its facts. */
export type Manifest = ReadonlyMap<string, FactsEntry>;

/** The value of COMPILER_NOTE. */
export interface CompilerNote {
  /** The hash under which the manifest is kept. */
  readonly manifest: string;
  /** Names and versions of the indexers. */
  readonly tools: readonly string[];
  /** Number of files in the manifest. */
  readonly files: number;
  /** The files of the manifest whose content has changed. */
  readonly stale: readonly string[];
}

export function encodeManifest(manifest: Manifest): Buffer {
  const rows = [...manifest].map(([path, { hash, facts }]) => [path, hash, facts]);
  return Buffer.from(JSON.stringify(rows));
}

/** Returns undefined for bytes that are not a manifest. */
export function decodeManifest(bytes: Uint8Array): Manifest | undefined {
  const rows = parsed(Buffer.from(bytes).toString());
  if (!Array.isArray(rows)) return undefined;
  const manifest = new Map<string, FactsEntry>();
  for (const row of rows) {
    const [path, hash, facts] = Array.isArray(row) ? row.map(String) : [];
    if (path === undefined || hash === undefined || facts === undefined) return undefined;
    manifest.set(path, { hash, facts });
  }
  return manifest;
}

export function encodeNote(note: CompilerNote): string {
  return JSON.stringify(note);
}

/** Returns undefined for an index without facts. */
export function decodeNote(text: string | undefined): CompilerNote | undefined {
  if (text === undefined || text === "") return undefined;
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { manifest, tools, files, stale }: { [Key in keyof CompilerNote]?: unknown } = value;
  if (typeof manifest !== "string" || typeof files !== "number") return undefined;
  return { manifest, files, tools: textsOf(tools), stale: textsOf(stale) };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is damaged: the index has no facts until the next import.
    return undefined;
  }
}
