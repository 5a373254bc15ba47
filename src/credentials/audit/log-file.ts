import * as fs from "node:fs";

import { openPrivate, syncDirectory } from "./log-files.ts";

/** A file of the log that lines are appended to. */
export class LogFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #inode: number;

  private constructor(path: string, fd: number) {
    this.#path = path;
    this.#fd = fd;
    this.#inode = fs.fstatSync(fd).ino;
  }

  /** Undefined when there is none. */
  static open(path: string): LogFile | undefined {
    const fd = openPrivate(path, "append");
    return fd === undefined ? undefined : new LogFile(path, fd);
  }

  /** A new file with this content, on the disk with its name. Throws, and leaves nothing, when that cannot be. */
  static create(path: string, content: Buffer): LogFile {
    const fd = openPrivate(path, "create");
    if (fd === undefined) throw new Error(`${path} is there already.`);
    const file = new LogFile(path, fd);
    try {
      file.append(content);
      fs.fsyncSync(fd);
      syncDirectory(path);
      return file;
    } catch (error) {
      file.discard();
      throw error;
    }
  }

  /** True when it still lies where it was opened and ends there. */
  endsAt(size: number): boolean {
    const stat = fs.statSync(this.#path, { throwIfNoEntry: false });
    return stat?.ino === this.#inode && stat.size === size;
  }

  append(bytes: Buffer): void {
    let written = 0;
    while (written < bytes.length) written += fs.writeSync(this.#fd, bytes, written);
  }

  /** Takes away what a full disk let through of a line. What cannot be taken away now is mended later. */
  cutBack(size: number): void {
    try {
      fs.ftruncateSync(this.#fd, size);
    } catch {
      // The disk, not the log, is what has to be told of: its error is under way.
    }
  }

  sync(): void {
    fs.fdatasyncSync(this.#fd);
  }

  /** `done` is called once it is on the disk, and never when it was closed meanwhile. */
  syncLater(done: () => void): void {
    fs.fdatasync(this.#fd, (error) => {
      if (error === null) done();
    });
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Closes and removes it. */
  discard(): void {
    this.close();
    fs.rmSync(this.#path, { force: true });
  }
}
