import { createHash } from "node:crypto";
import { getAssetKeys, getRawAsset, isSea } from "node:sea";
import { Script } from "node:vm";

interface SelfCheck {
  readonly assetCount: number;
  readonly codeCacheCount: number;
  /** One sentence each; empty when the executable is sound. */
  readonly problems: readonly string[];
}

/**
 * Compares every asset of the executable with its recorded SHA-256, and sees whether V8 accepts
 * the code caches. It finds damage (a cut-off download), not tampering: the sums travel with the file.
 */
export function selfCheck(): SelfCheck {
  const problems: string[] = [];
  if (!isSea()) return { assetCount: 0, codeCacheCount: 0, problems };

  const recorded: { readonly assets: Readonly<Record<string, string>> } = JSON.parse(
    bytesOf("manifest.json").toString("utf8"),
  );
  const names = getAssetKeys().filter((name) => name !== "manifest.json");
  for (const name of new Set([...names, ...Object.keys(recorded.assets)])) {
    if (!names.includes(name)) problems.push(`${name} is missing.`);
    else if (sha256(bytesOf(name)) !== recorded.assets[name]) problems.push(`${name} is damaged.`);
  }
  const slots = names.filter((name) => name.endsWith(".cache"));
  // Built on another platform all are empty, so that V8 compiles; one among others is a fault of the build.
  const isCacheless = slots.every((name) => bytesOf(name).length === 0);
  const caches = isCacheless ? [] : slots;
  for (const cache of caches) {
    const source = bytesOf(cache.replace(/\.cache$/, ".js")).toString("latin1");
    const { cachedDataRejected } = new Script(source, { cachedData: bytesOf(cache) });
    if (cachedDataRejected === true) problems.push(`${cache} is not accepted by this runtime.`);
  }
  return { assetCount: names.length, codeCacheCount: caches.length, problems };
}

function bytesOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name));
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
