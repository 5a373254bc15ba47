// Which of several definitions of a name a C file means, by the headers that it includes. A project may have several trees
// of headers with the same names: a file of Linux in `fs` that includes `linux/list.h` means `include/linux/list.h`, and one
// in `tools` means `tools/include/linux/list.h`.

import { isCHeader } from "../../base/c-header.ts";

/** A file, and the modules that it includes as its text has them. */
export interface IncludingFile {
  readonly path: string;
  readonly modules: () => readonly string[];
}

/** Relative likelihoods. The file includes the header, or the definition is that of a declaration in such a header. */
const INCLUDED_WEIGHT = 8;
const SAME_FOLDER_WEIGHT = 3;
/** Another header includes it, or nothing is known. */
const OTHER_WEIGHT = 1;
/** The definition belongs to another tree of headers. */
const OTHER_TREE_WEIGHT = 0.1;

const INCLUDE_FOLDER = /(?:^|\/)include\//;
const FROM_HERE = /^(?:\.{1,2}\/)+/;

/** Files are numbers, by their index in the list that the constructor is given. */
export class IncludedDefinitions {
  readonly #files: readonly IncludingFile[];
  readonly #isHeader: readonly boolean[];
  readonly #headersByName = new Map<string, number[]>();
  /** By what the text has: the headers whose paths end like that. */
  readonly #candidates = new Map<string, readonly number[]>();
  readonly #headers: (readonly number[] | undefined)[] = [];

  constructor(files: readonly IncludingFile[]) {
    this.#files = files;
    this.#isHeader = files.map(({ path }) => isCHeader(path));
    for (const [file, { path }] of files.entries()) {
      if (this.#isHeader[file] !== true) continue;
      const name = baseNameOf(path);
      const others = this.#headersByName.get(name);
      if (others === undefined) this.#headersByName.set(name, [file]);
      else others.push(file);
    }
  }

  /** Returns those of the files that define a name which a file includes itself, and those that include the same header. */
  seenBy(user: number, definers: readonly number[]): readonly number[] {
    const included = this.#includedBy(user, definers);
    if (included.length === 0) return included;
    return definers.filter(
      (definer) =>
        included.includes(definer) ||
        (this.#isHeader[definer] !== true && this.#includesOne(definer, included)),
    );
  }

  /** Returns those of some files that are headers which a file includes itself. */
  #includedBy(file: number, among: readonly number[]): readonly number[] {
    const headers = this.#headersOf(file);
    return among.filter((one) => this.#isHeader[one] === true && headers.includes(one));
  }

  /** Returns how likely a file means each of the files that define a name. */
  weights(user: number, definers: readonly number[]): readonly number[] {
    const included = this.#includedBy(user, definers);
    const declaring =
      included.length > 0 ? included : definers.filter((one) => this.#isAbove(one, user));
    return definers.map((definer) => {
      if (included.includes(definer)) return INCLUDED_WEIGHT;
      const isHeader = this.#isHeader[definer] === true;
      const own = isHeader ? [] : this.#includedBy(definer, definers);
      const isDeclared = own.some((header) => declaring.includes(header));
      if (isDeclared && included.length > 0) return INCLUDED_WEIGHT;
      if (folderOf(this.#pathOf(definer)) === folderOf(this.#pathOf(user)))
        return SAME_FOLDER_WEIGHT;
      const isOfOtherTree = isHeader ? !declaring.includes(definer) : own.length > 0 && !isDeclared;
      return isOfOtherTree ? OTHER_TREE_WEIGHT : OTHER_WEIGHT;
    });
  }

  #includesOne(file: number, headers: readonly number[]): boolean {
    const own = this.#headersOf(file);
    return headers.some((header) => own.includes(header));
  }

  /** Whether the folder above the headers' folder `include`, else the folder of the header, is above the file. */
  #isAbove(header: number, file: number): boolean {
    if (this.#isHeader[header] !== true) return false;
    const path = this.#pathOf(header);
    const above = path.slice(0, INCLUDE_FOLDER.exec(path)?.index ?? path.lastIndexOf("/"));
    return above === "" || this.#pathOf(file).startsWith(`${above}/`);
  }

  /** Returns the headers that a file includes: of those that an include can mean, the nearest. */
  #headersOf(file: number): readonly number[] {
    let headers = this.#headers[file];
    if (headers === undefined) {
      const modules = this.#files[file]?.modules() ?? [];
      headers = modules.flatMap((module) => this.#nearest(file, this.#candidatesOf(module)) ?? []);
      this.#headers[file] = headers;
    }
    return headers;
  }

  #candidatesOf(module: string): readonly number[] {
    let candidates = this.#candidates.get(module);
    if (candidates === undefined) {
      const end = module.replaceAll(/[<">]/g, "").replaceAll("\\", "/").replace(FROM_HERE, "");
      const named = this.#headersByName.get(baseNameOf(end)) ?? [];
      candidates = named.filter((header) => endsInParts(this.#pathOf(header), end));
      this.#candidates.set(module, candidates);
    }
    return candidates;
  }

  /** Returns the header that shares most folders with a file; of several, the one with the shortest path. */
  #nearest(file: number, headers: readonly number[]): number | undefined {
    if (headers.length < 2) return headers[0];
    const path = this.#pathOf(file);
    let nearest: number | undefined;
    let most = -1;
    let length = 0;
    for (const header of headers) {
      const other = this.#pathOf(header);
      const shared = sharedFolders(path, other);
      if (shared < most || (shared === most && other.length >= length)) continue;
      [nearest, most, length] = [header, shared, other.length];
    }
    return nearest;
  }

  #pathOf(file: number): string {
    return this.#files[file]?.path ?? "";
  }
}

function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function endsInParts(path: string, end: string): boolean {
  return path.endsWith(end) && (path.length === end.length || path.at(-end.length - 1) === "/");
}

/** Returns how many folders two paths share. */
function sharedFolders(one: string, other: string): number {
  let folders = 0;
  for (let at = 0; at < one.length && one[at] === other[at]; at += 1)
    if (one[at] === "/") folders += 1;
  return folders;
}
