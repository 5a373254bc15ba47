// Paths of an index as someone at a shell writes and reads them: relative to the working directory.

import { isAbsolute, join, relative, resolve, sep } from "node:path";

import { isInside, realOrSame, realPath } from "../sources/confined-path.ts";
import type { Source } from "../sources/registry/records.ts";

type Folder = Pick<Source, "root" | "prefix" | "url">;

interface ShellPathsOptions {
  readonly workingDirectory: string;
  /** The sources of the namespace. */
  readonly folders: readonly Folder[];
  /** The folder of the project that the command is about; undefined if the user only named a namespace. */
  readonly project: string | undefined;
  /** Show absolute paths, because the user wrote one. */
  readonly isAbsolute: boolean;
}

/** Characters that mean something in a glob. */
const SPECIAL = /[*?[\]{}\\!,]/g;
/** `src/a.ts:12`, `src/a.ts:10-40`, `src/a.ts#open`. */
const TARGET = /^(.*?)((?:#.*|:\d+(?:-\d+)?)?)$/s;
/** No name of a symbol or a commit begins like this. */
const PLAIN_PATH = /^(?:\.{1,2})?\//;

/** Converts between paths of an index and those of a shell. */
export class ShellPaths {
  readonly #options: ShellPathsOptions;
  /** The longest prefix first: the prefix of the first source is "", which matches every path. */
  readonly #folders: readonly Folder[];
  /** Those that are on this machine. Others are clones, or folders of other machines that share the index. */
  readonly #local: ReadonlySet<Folder>;
  readonly #here: string;

  constructor(options: ShellPathsOptions) {
    this.#options = options;
    this.#here = realOrSame(options.workingDirectory);
    this.#folders = options.folders.toSorted((a, b) => b.prefix.length - a.prefix.length);
    this.#local = new Set(
      options.folders.filter(({ url, root }) => url === undefined && realIfThere(root) === root),
    );
  }

  /**
   * Returns the path of a file as the shell shows it: relative to the working directory if that is in the project or above
   * it, else absolute. A file that this machine does not have in a folder keeps its path in the index.
   */
  shown(path: string): string {
    const file = this.fileOf(path);
    if (file === undefined) return path;
    if (this.#options.isAbsolute) return file;
    const root = this.#folderOf(path)?.root ?? "";
    if (!isInside(root, this.#here) && !isInside(this.#here, root)) return file;
    return relative(this.#here, file).split(sep).join("/") || ".";
  }

  /** Returns the file of a path of the index; undefined for one of a clone or of another machine. */
  fileOf(path: string): string | undefined {
    const folder = this.#folderOf(path);
    if (folder === undefined || !this.#local.has(folder)) return undefined;
    return join(folder.root, path.slice(folder.prefix.length));
  }

  /** Returns the path in the index of a real path; "" for all of it, and undefined outside it. */
  indexed(real: string): string | undefined {
    const folder = [...this.#local]
      .filter(({ root }) => isInside(root, real))
      .toSorted((a, b) => b.root.length - a.root.length)[0];
    if (folder === undefined) return undefined;
    return `${folder.prefix}${relative(folder.root, real).split(sep).join("/")}`.replace(/\/$/, "");
  }

  /**
   * Returns a file, place or symbol as the index names it: `a.ts`, `a.ts:12` and `a.ts#open` are relative to the working
   * directory if there is such a file. If there is none, a path of the index stays as it is.
   */
  target(text: string, isPath: boolean): string {
    const { head, place } = partsOf(text);
    if (head === "" || (!isPath && pathIn(text) === undefined)) return text;
    const mustBePath = isPath || PLAIN_PATH.test(head) || (place !== "" && head.includes("/"));
    const file = this.#fileFor(head, mustBePath);
    const indexed = file === undefined ? undefined : this.indexed(file);
    return indexed === undefined ? text : `${indexed}${place}`;
  }

  /** Returns the real path that a user means; undefined for a path of the index, and for what must be no path. */
  #fileFor(path: string, mustBePath: boolean): string | undefined {
    const named = resolve(this.#here, path);
    const real = realIfThere(named);
    return real === undefined && mustBePath && !this.#isThere(path) ? named : real;
  }

  /**
   * Returns a glob as the index matches it. With a slash it is relative to the working directory if that is in the
   * project, and to the project otherwise; `/src/**` is always relative to the project.
   */
  glob(glob: string | undefined): string | undefined {
    if (glob === undefined) return undefined;
    const negation = glob.startsWith("!") ? "!" : "";
    const plain = glob.slice(negation.length).replace(/^(?:\.\/)+/, "");
    if (!plain.includes("/") || plain.startsWith("/") || isAbsolute(plain)) return glob;
    const { project } = this.#options;
    if (project === undefined) return glob;
    const here = this.indexed(this.#here);
    if (here !== undefined && isInside(project, this.#here)) {
      const from = below(here, plain);
      return from === undefined ? glob : `${negation}${from}`;
    }
    const start = `${relative(this.#here, project).split(sep).join("/")}/`;
    const own = plain.startsWith(start) ? plain.slice(start.length) : plain;
    const from = below(this.indexed(project) ?? "", own);
    return from === undefined ? glob : `${negation}${from}`;
  }

  /** Whether the file or folder of a path of the index exists on this machine. */
  #isThere(path: string): boolean {
    const file = this.fileOf(path);
    return file !== undefined && realIfThere(file) !== undefined;
  }

  #folderOf(path: string): Folder | undefined {
    return this.#folders.find(({ prefix }) => path.startsWith(prefix));
  }
}

/**
 * Returns what may be the path in a target, to find its project: that of `src/a.ts:12`; undefined for a plain name. A name
 * with a dot may be one too.
 */
export function pathIn(target: string | undefined): string | undefined {
  const { head, place } = partsOf(target ?? "");
  return head !== "" && (place !== "" || /[./\\]/.test(head)) ? head : undefined;
}

/** Returns the same, but undefined for a route of HTTP such as `/users/{id}`: it begins like a path, and no file has it. */
export function pathOrRouteIn(target: string): string | undefined {
  const path = pathIn(target);
  const isRoute = /^\/[^.]*$/.test(path ?? "") && realIfThere(path ?? "") === undefined;
  return isRoute || /^[A-Z]{3,7} \//.test(target) ? undefined : path;
}

/** Divides `src/a.ts:12` into `src/a.ts` and `:12`. */
function partsOf(target: string): { readonly head: string; readonly place: string } {
  const [, head = "", place = ""] = TARGET.exec(target) ?? [];
  return { head, place };
}

function realIfThere(path: string): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}

/** A glob that is relative to a folder of the index; undefined if it leads out of the index. */
function below(folder: string, glob: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  let rest = glob;
  while (rest.startsWith("../")) {
    if (parts.pop() === undefined) return undefined;
    rest = rest.slice(3);
  }
  return [...parts.map((part) => part.replaceAll(SPECIAL, String.raw`\$&`)), rest].join("/");
}
