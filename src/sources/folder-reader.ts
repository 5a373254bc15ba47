import { closeSync, openSync, readlinkSync } from "node:fs";

import { SAFE_READ } from "../base/files.ts";
import { pathToBytes, toFilePath } from "../base/path-bytes.ts";
import { openBelow } from "./confined-path.ts";
import { requireRoot, type SourceRoot } from "./source-root.ts";

const AS_BYTES = { encoding: "latin1" } as const;

/**
 * Opens many files of one source for reading, each with the guarantee of openBelow: what was opened
 * lay inside the root after it was opened. On Linux that costs one system call beside opening, because
 * /proc tells where an open file lies; elsewhere, and for links, openBelow does it. The root is the
 * real directory that it was when the reader was made. Nothing is kept open.
 */
export class FolderReader {
  readonly #root: string;
  /** The root with a `/` behind it, as a string and as bytes, one character each. */
  readonly #prefix: string;
  readonly #prefixBytes: string;
  readonly #descriptors: string | undefined;

  /** Throws PATH_NOT_FOUND when the root is no directory that can be listed, or another one than was recorded. */
  constructor(source: SourceRoot) {
    this.#root = requireRoot(source);
    this.#prefix = this.#root.endsWith("/") ? this.#root : `${this.#root}/`;
    this.#prefixBytes = pathToBytes(this.#prefix).toString("latin1");
    this.#descriptors = descriptorsOfProcess();
  }

  /**
   * `path` is relative to the root, with `/`. The descriptor is the caller's to close. Opening waits for
   * nothing, but whether it is a regular file is left to the caller's fstat, as in readOpenText: a
   * directory, a pipe or a device of the source may have been opened. Throws PATH_OUTSIDE_SOURCE and
   * PATH_NOT_FOUND as openBelow does.
   */
  open(path: string): number {
    return this.#openAtOnce(path) ?? openBelow(this.#root, path);
  }

  /** Undefined when something prevents it: openBelow finds out what. */
  #openAtOnce(path: string): number | undefined {
    if (this.#descriptors === undefined || path.startsWith("/") || path.includes("..")) {
      return undefined;
    }
    let file: number | undefined;
    try {
      file = openSync(toFilePath(this.#prefix + path), SAFE_READ);
      // Bytes: names that are not UTF-8 would all look the same.
      const place = readlinkSync(this.#descriptors + file, AS_BYTES);
      if (place.startsWith(this.#prefixBytes)) return file;
    } catch {
      // Missing, refused, a link, or there is no /proc any more.
    }
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

/** Where /proc shows the descriptors of this process; undefined where it does not. */
function descriptorsOfProcess(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // The number is that of the name space /proc belongs to, which process.pid may not be.
    return `/proc/${readlinkSync("/proc/self")}/fd/`;
  } catch {
    return undefined;
  }
}
