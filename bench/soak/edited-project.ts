// A project under constant edits, and the history of each of its files.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { makeProject, pathOf, textOf } from "../freshness/project.ts";

const MAX_ADDED = 50;

/** A text that a file had; `untilMs`, in `performance.now()` time, is Infinity for the current one. */
interface Version {
  readonly text: string;
  untilMs: number;
}

export function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(Math.random() * from.length)];
  if (one === undefined) throw new Error("there is nothing to pick from");
  return one;
}

export class EditedProject {
  readonly root: string;
  readonly #files: number;
  /** Versions by path from the root. */
  readonly #versions = new Map<string, Version[]>();
  /** The time when each file that was missing or empty came back. */
  readonly #returns = new Map<string, number>();
  /** Folders created by edits, the oldest first. */
  readonly #added: string[] = [];
  edits = 0;

  constructor(root: string, files: number) {
    this.root = root;
    this.#files = files;
    mkdirSync(join(root, "checked"), { recursive: true });
    makeProject(root, files);
    for (const path of this.#paths()) this.#note(path, readFileSync(join(root, path), "utf8"));
    this.#returns.clear();
  }

  /** The path of a file that was there at first. */
  anyPath(): string {
    return pathOf(Math.floor(Math.random() * this.#files));
  }

  save(path: string, text: string): void {
    // A reader during the write finds it empty.
    this.#note(path, "");
    writeFileSync(join(this.root, path), text);
    this.#note(path, text);
  }

  /** An edit, as by a person or a program. */
  edit(): void {
    this.edits += 1;
    const path = this.anyPath();
    const folder = join(path, "..");
    // Lines move as well as change.
    const above = Array.from({ length: this.edits % 4 }, (_, at) => `// ${at}\n`).join("");
    const text = above + textOf(Math.floor(Math.random() * this.#files), this.edits);
    try {
      switch (Math.floor(Math.random() * 6)) {
        case 0:
          this.#remove(path);
          break;
        case 1:
          writeFileSync(join(this.root, `${path}.tmp~`), text);
          this.#note(path, text);
          renameSync(join(this.root, `${path}.tmp~`), join(this.root, path));
          break;
        case 2:
          this.#move(folder, `${folder}x`);
          this.#move(`${folder}x`, folder);
          break;
        case 3:
          this.#addFolder(`${folder}/new${this.edits}`, text);
          break;
        case 4:
          this.#remove(join(folder, pick(readdirSync(join(this.root, folder)))));
          break;
        default:
          this.save(path, text);
      }
    } catch {
      // Its file does not exist now.
    }
  }

  /**
   * Adds a folder with a file in it. It removes the oldest such folder, because a growing project would need more
   * memory.
   */
  #addFolder(folder: string, text: string): void {
    mkdirSync(join(this.root, folder));
    this.save(`${folder}/more.ts`, text);
    this.#added.push(folder);
    const [oldest = ""] = this.#added;
    if (this.#added.length <= MAX_ADDED) return;
    this.#added.shift();
    this.#remove(oldest);
  }

  /** Versions of the file at some time since. */
  textsSince(path: string, sinceMs: number): readonly string[] {
    const versions = this.#versions.get(path) ?? [];
    return versions.filter(({ untilMs }) => untilMs >= sinceMs).map(({ text }) => text);
  }

  /** Whether the file existed, with text in it, all the time since. */
  isThereSince(path: string, sinceMs: number): boolean {
    const isThere = this.#versions.get(path)?.at(-1)?.untilMs === Infinity;
    return isThere && (this.#returns.get(path) ?? -Infinity) < sinceMs;
  }

  /** Drops versions that ended before this time. */
  forget(sinceMs: number): void {
    for (const [path, versions] of this.#versions) {
      const kept = versions.filter(({ untilMs }) => untilMs >= sinceMs);
      if (kept.length === 0) this.#versions.delete(path);
      else this.#versions.set(path, kept);
    }
  }

  /** The expected results of a search, read from the files themselves. */
  pathsWith(text: string): string {
    const found = this.#paths().filter((path) => {
      try {
        return readFileSync(join(this.root, path), "utf8").includes(text);
      } catch {
        return false;
      }
    });
    return found.toSorted().join(" ");
  }

  #paths(): readonly string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)));
  }

  #note(path: string, text: string): void {
    const latest = this.#versions.get(path)?.at(-1);
    if (latest?.untilMs !== Infinity || latest.text === "") {
      this.#returns.set(path, performance.now());
    }
    this.#over(path);
    const versions = this.#versions.get(path) ?? [];
    this.#versions.set(path, [...versions, { text, untilMs: Infinity }]);
  }

  #over(path: string): void {
    const latest = this.#versions.get(path)?.at(-1);
    if (latest?.untilMs === Infinity) latest.untilMs = performance.now();
  }

  /** A file, or a folder with its whole content. */
  #remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
    for (const one of this.#versions.keys()) {
      if (one === path || one.startsWith(`${path}/`)) this.#over(one);
    }
  }

  #move(from: string, to: string): void {
    for (const [path, versions] of this.#versions) {
      const latest = versions.at(-1);
      if (latest?.untilMs === Infinity && path.startsWith(`${from}/`)) {
        this.#note(to + path.slice(from.length), latest.text);
      }
    }
    renameSync(join(this.root, from), join(this.root, to));
    for (const path of this.#versions.keys()) if (path.startsWith(`${from}/`)) this.#over(path);
  }
}
