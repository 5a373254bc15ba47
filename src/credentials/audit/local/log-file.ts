import * as fs from "node:fs";
import { dirname } from "node:path";

import { syncDirectory } from "../../../base/files.ts";
import { openPrivate } from "./log-files.ts";

/** A file of the log, open for appending. */
export class LogFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #inode: number;

  private constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
    this.#inode = fs.fstatSync(fd).ino;
  }

  /** Returns undefined when there is no such file. */
  static open(path: string): LogFile | undefined {
    const fd = openPrivate(path, "append");
    return fd === undefined ? undefined : new LogFile(path, fd);
  }

  /** Creates a file with this content and syncs it and its name to disk. On failure it throws and leaves no file. */
  static create(path: string, content: Buffer): LogFile {
    const fd = openPrivate(path, "create");
    if (fd === undefined) throw new Error(`${path} is there already.`);
    const file = new LogFile(path, fd);
    try {
      file.append(content);
      fs.fsyncSync(fd);
      syncDirectory(dirname(path));
      return file;
    } catch (error) {
      file.discard();
      throw error;
    }
  }

  /** Returns true when the path still leads to this file and the file has this size. */
  endsAt(size: number): boolean {
    const stat = fs.statSync(this.#path, { throwIfNoEntry: false });
    return stat?.ino === this.#inode && stat.size === size;
  }

  /** Appends the bytes. Throws the file system's errors; some bytes may have been written then. */
  append(bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) written += fs.writeSync(this.#fd, bytes, written);
  }

  /**
   * Removes the part of a line that was written before the disk was full. If that fails, recovery removes it later.
   */
  truncate(size: number): void {
    try {
      fs.ftruncateSync(this.#fd, size);
    } catch {
      // The caller is about to throw the disk's error, which matters more.
    }
  }

  sync(): void {
    fs.fdatasyncSync(this.#fd);
  }

  /** Calls `done` once the file is on disk; never calls it when the file was closed meanwhile. */
  syncLater(done: () => void): void {
    fs.fdatasync(this.#fd, (error) => {
      if (error === null) done();
    });
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Closes and deletes the file. */
  discard(): void {
    this.close();
    fs.rmSync(this.#path, { force: true });
  }
}
