// Recognizes files that this process writes its output to, as with `svc serve 2> server.log` in a project.

import { fstatSync, statSync, type BigIntStats } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";

let own: ReadonlySet<string> | undefined;

/**
 * Whether standard output or standard error goes to this file. svc's own log lines must not trigger more
 * indexing.
 */
export function isOwnOutput(path: string): boolean {
  own ??= new Set([1, 2].flatMap(fileOf));
  if (own.size === 0) return false;
  try {
    const stat = statSync(toFilePath(path), { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && own.has(identityOf(stat));
  } catch {
    // The file cannot be read.
    return false;
  }
}

function fileOf(descriptor: number): readonly string[] {
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    return stat.isFile() ? [identityOf(stat)] : [];
  } catch {
    // The descriptor is closed.
    return [];
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
