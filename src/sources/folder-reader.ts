import { closeSync, openSync, readlinkSync } from "node:fs";

import { SAFE_READ } from "../base/files.ts";
import { pathToBytes, toFilePath } from "../base/path-bytes.ts";
import { openBelow } from "./confined-path.ts";
import { requireRoot, type SourceRoot } from "./source-root.ts";

const AS_BYTES = { encoding: "latin1" } as const;

/**
 * Opens many files of one source for reading. Each has the guarantee of openBelow: after it was opened, the
 * file was inside the root. On Linux this takes one system call in addition to the open, because /proc shows
 * the path of an open file. On other systems, and for links, openBelow does it. The root is the real directory
 * at the time the reader was created. The reader keeps no file open.
 */
export class FolderReader {
  readonly #root: string;
  /** The root with a final `/`, as a string and as bytes, one character each. */
  readonly #prefix: string;
  readonly #prefixBytes: string;
  readonly #descriptors: string | undefined;

  /** Throws PATH_NOT_FOUND if the root is not a directory that can be listed, or is not the recorded one. */
  constructor(source: SourceRoot) {
    this.#root = requireRoot(source);
    this.#prefix = this.#root.endsWith("/") ? this.#root : `${this.#root}/`;
    this.#prefixBytes = pathToBytes(this.#prefix).toString("latin1");
    this.#descriptors = descriptorsOfProcess();
  }

  /**
   * Opens a file; `path` is relative to the root, with `/`. The caller closes the descriptor. Opening never
   * blocks. The caller must check with fstat, as readOpenTextFile does, that the file is regular: it may be a
   * directory, a pipe or a device of the source. Throws PATH_OUTSIDE_SOURCE and PATH_NOT_FOUND as openBelow
   * does.
   */
  open(path: string): number {
    return this.#openDirectly(path) ?? openBelow(this.#root, path);
  }

  /** Undefined if the fast path fails; openBelow then finds the reason. */
  #openDirectly(path: string): number | undefined {
    if (this.#descriptors === undefined || path.startsWith("/") || path.includes("..")) {
      return undefined;
    }
    let file: number | undefined;
    try {
      file = openSync(toFilePath(this.#prefix + path), SAFE_READ);
      // As bytes, because names that are not UTF-8 would all look the same.
      const place = readlinkSync(this.#descriptors + file, AS_BYTES);
      if (place.startsWith(this.#prefixBytes)) return file;
    } catch {
      // The file is missing, refused or a link, or /proc is not available.
    }
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

/** The /proc folder of this process's descriptors; undefined if there is none. */
function descriptorsOfProcess(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // The process id in the PID namespace of /proc, which may differ from process.pid.
    return `/proc/${readlinkSync("/proc/self")}/fd/`;
  } catch {
    return undefined;
  }
}
