import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getAssetKeys, getRawAsset, isSea } from "node:sea";
import { Script } from "node:vm";

import { chunkSource, unpacked } from "./chunk-source.ts";

const MANIFEST = "manifest.json";

interface SelfCheck {
  readonly assetCount: number;
  readonly codeCacheCount: number;
  /** One sentence per problem; empty when the executable is intact. */
  readonly problems: readonly string[];
}

/**
 * Compares every asset of the executable with its recorded SHA-256 and checks that V8 accepts the code caches.
 * It finds damage (a cut-off download), not tampering: the file contains its own checksums.
 */
export function selfCheck(): SelfCheck {
  const problems: string[] = [];
  if (!isSea()) return { assetCount: 0, codeCacheCount: 0, problems };

  const recorded: { readonly assets: Readonly<Record<string, string>> } = JSON.parse(
    bytesOf(MANIFEST).toString("utf8"),
  );
  const names = getAssetKeys().filter((name) => name !== MANIFEST);
  for (const name of new Set([...names, ...Object.keys(recorded.assets)])) {
    if (!names.includes(name)) problems.push(`${name} is missing.`);
    else if (sha256(bytesOf(name)) !== recorded.assets[name]) problems.push(`${name} is damaged.`);
  }
  // Chunks that are rarely loaded have an empty cache, and in an executable built on another platform all have: V8
  // compiles their source then.
  const caches = names.filter((name) => name.endsWith(".cache") && bytesOf(name).length > 0);
  for (const cache of caches) {
    const source = chunkSource(bytesOf(cache.replace(/\.cache$/, ".js")));
    const { cachedDataRejected } = new Script(source, { cachedData: unpacked(bytesOf(cache)) });
    if (cachedDataRejected === true) problems.push(`${cache} is not accepted by this runtime.`);
  }
  return { assetCount: names.length, codeCacheCount: caches.length, problems };
}

/** The output of `svc --self-check`, and whether the executable is intact. */
export function reportSelfCheck(): { readonly text: string; readonly isSound: boolean } {
  const { assetCount, codeCacheCount, problems } = selfCheck();
  const counts = `${assetCount} assets, ${codeCacheCount} code caches`;
  return { text: [counts, ...problems, ...sums()].join("\n"), isSound: problems.length === 0 };
}

/** Checksums of everything that the source determines: docs/releasing.md. */
function sums(): readonly string[] {
  const names = getAssetKeys().filter((name) => name !== MANIFEST);
  const [caches, program] = [true, false].map((isCache) =>
    sumOf(names.filter((name) => name.endsWith(".cache") === isCache)),
  );
  const lines = [`program      sha256 ${program}`, `code caches  sha256 ${caches}`];
  // The npm package does not contain the Node that runs it.
  if (import.meta.filename === process.execPath) {
    lines.unshift(`executable   sha256 ${sha256(readFileSync(process.execPath))}`);
  }
  return [...lines, "A build of the same source has the same sums: docs/releasing.md."];
}

/** The SHA-256 of the list that `sha256sum` prints for these assets, sorted by name. */
function sumOf(names: readonly string[]): string {
  const lines = names.toSorted().map((name) => `${sha256(bytesOf(name))}  ${name}\n`);
  return sha256(Buffer.from(lines.join("")));
}

function bytesOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name));
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
