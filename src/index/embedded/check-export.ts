// Checks whether this svc can use the index whose list another machine sent.

import { SvcError } from "../../base/errors.ts";
import { SEGMENT_NAME, type ExportedFile, type ExportedIndex } from "../../base/exported-index.ts";
import type { IndexOffer } from "../index-export.ts";
import { FILE_ROLES } from "../types.ts";
import { CATALOG_VERSION } from "./catalog/catalog-schema.ts";

/** More than any index has: that of Linux has 0.9 GB. */
const MAX_INDEX_BYTES = 2 ** 36;
const MAX_SHARDS = 1024;
const HASH = /^[0-9a-f]{32}$/;
const LANGUAGE = /^[a-z0-9+#._-]{0,40}$/;

/** Throws INDEX_UNAVAILABLE, which says why it cannot be used. */
export function requireUsableExport(
  index: ExportedIndex,
  { embedder, offer }: { readonly embedder: string; readonly offer: IndexOffer },
): void {
  if (index.format !== CATALOG_VERSION) throw otherFormat(offer, index.format);
  if (index.embedder !== embedder) throw otherTable(offer);
  if (index.shards > MAX_SHARDS) throw unusable(offer, `${index.shards} shards are too many`);
  requireUsableSegments(index.segments, offer);
  const paths = new Set<string>();
  for (const file of index.files) {
    const [path] = file;
    if (!isUsableFile(file, index.segments) || paths.has(path))
      throw unusable(offer, "its list of files is damaged");
    paths.add(path);
  }
}

function requireUsableSegments(segments: ExportedIndex["segments"], offer: IndexOffer): void {
  const names = new Set<string>();
  let bytes = 0;
  for (const { name, bytes: size } of segments) {
    if (!SEGMENT_NAME.test(name) || names.has(name))
      throw unusable(offer, `${JSON.stringify(name.slice(0, 80))} is not the name of a segment`);
    names.add(name);
    bytes += size;
  }
  if (bytes > MAX_INDEX_BYTES) throw unusable(offer, `${bytes} bytes are too many`);
}

function isUsableFile(
  [, hash, , language, role, , , , segment, ordinal]: ExportedFile,
  segments: ExportedIndex["segments"],
): boolean {
  const isKnown = HASH.test(hash) && LANGUAGE.test(language) && role < FILE_ROLES.length;
  return isKnown && ordinal < (segments[segment]?.files ?? 0);
}

export function unusable({ name }: Pick<IndexOffer, "name">, why: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The index of ${name} cannot be used: ${why}.`, {
    hint: "Run the command again. Without --from-remote, svc indexes the files on this machine.",
  });
}

function otherFormat({ name }: IndexOffer, format: number): SvcError {
  const older = format < CATALOG_VERSION ? "the server" : "this svc";
  return new SvcError(
    "INDEX_UNAVAILABLE",
    `The index of ${name} has format ${format}, and this svc uses ${CATALOG_VERSION}.`,
    {
      hint: `Update ${older}. Without --from-remote, svc indexes the files on this machine.`,
    },
  );
}

function otherTable({ name }: IndexOffer): SvcError {
  return new SvcError(
    "INDEX_UNAVAILABLE",
    `The index of ${name} has vectors of another embedding table.`,
    {
      hint: "Set `embeddings` as on the server (SERVICE_EMBEDDINGS), or index the files on this machine, without --from-remote.",
    },
  );
}
