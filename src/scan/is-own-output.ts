// The files that this process prints to, as `svc serve 2> server.log` in a project makes one of them.

import { fstatSync, statSync, type BigIntStats } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";

let own: ReadonlySet<string> | undefined;

/** Whether it is such a file: what svc says of its work must not be a reason for more of it. */
export function isOwnOutput(path: string): boolean {
  own ??= new Set([1, 2].flatMap(fileOf));
  if (own.size === 0) return false;
  try {
    const stat = statSync(toFilePath(path), { bigint: true, throwIfNoEntry: false });
    return stat !== undefined && own.has(identityOf(stat));
  } catch {
    // It cannot be looked at.
    return false;
  }
}

function fileOf(descriptor: number): readonly string[] {
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    return stat.isFile() ? [identityOf(stat)] : [];
  } catch {
    // It is closed.
    return [];
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
