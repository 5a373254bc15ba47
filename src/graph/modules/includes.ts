// Includes of C, C++ and Objective-C. The build defines the include folders and is not read, so headers are
// found by the end of their path.

import {
  EXTERNAL_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { sortByDistance, nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, foldersAround, inFolder, joinPath, stemOf } from "./paths.ts";

/** Headers of C, POSIX and Windows. Projects may have headers with the same names. */
const STANDARD = new Set(
  `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
   stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
   wchar wctype aio cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen malloc memory mqueue
   ndbm netdb nl_types poll pthread pwd regex sched search semaphore spawn strings stropts syslog tar termios
   trace ulimit unistd utime utmpx wordexp alloca windows winsock2 ws2tcpip io direct process getopt ifaddrs`
    .trim()
    .split(/\s+/)
    .map((name) => `${name}.h`),
);
/** Folders of system headers in a project that is a C library. */
const SYSTEM_ROOT = /(?:^|\/)include\/(?:\w+\.h|(?:sys|net|netinet|arpa|bits|linux|asm)\/.+)$/;
const SYSTEM_FOLDER = /^(?:sys|net|netinet|arpa|bits|linux|asm|mach)\//;
const SOURCES = [".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".cu"];
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|cuh)$/;

/** A header with its sources. Most includes are followed to the header only. */
class HeaderTarget implements ModuleTarget {
  readonly first: string;
  readonly isPackage = false;
  readonly rest: readonly string[] = [];
  readonly isExternal = false;
  readonly #sources: () => readonly string[];
  #files: readonly string[] | undefined;

  constructor(header: string, sources: () => readonly string[]) {
    this.first = header;
    this.#sources = sources;
  }

  get files(): readonly string[] {
    this.#files ??= [this.first, ...this.#sources()];
    return this.#files;
  }
}

/**
 * The headers to which an include may lead that no header in the folder of the importer answers. Which one is the nearest
 * depends only on the folders that the importer shares with one of them: for most importers, on none.
 */
class HeaderCandidates {
  readonly #paths: readonly string[];
  readonly #folders: ReadonlySet<string>;
  readonly #nearest = new Map<string, string>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    const isOne = paths.length < 2;
    this.#folders = new Set(isOne ? [] : paths.flatMap((path) => foldersAround(folderOf(path))));
  }

  nearestTo(importer: string): string | undefined {
    if (this.#folders.size === 0) return this.#paths[0];
    let shared = folderOf(importer);
    while (shared !== "" && !this.#folders.has(shared)) shared = folderOf(shared);
    const known = this.#nearest.get(shared);
    if (known !== undefined) return known;
    const nearest = nearestPath(importer, this.#paths);
    if (nearest !== undefined) this.#nearest.set(shared, nearest);
    return nearest;
  }
}

/** Resolves includes of C, C++ and Objective-C. */
export class IncludeModules implements ModuleResolution {
  readonly #search: PathSearch;
  /** By module. */
  readonly #candidates = new Map<string, HeaderCandidates>();
  /** By header: it and its sources. */
  readonly #targets = new Map<string, ModuleTarget>();

  constructor(search: PathSearch) {
    this.#search = search;
  }

  resolve(importer: Importer, written: string): ModuleTarget {
    const module = written.replaceAll(/^[<"]|[>"]$/g, "").replaceAll("\\", "/");
    const header = this.#find(importer.path, module);
    if (header === undefined) return EXTERNAL_MODULE;
    let target = this.#targets.get(header);
    if (target === undefined) {
      target = new HeaderTarget(header, () => this.#sourcesOf(header));
      this.#targets.set(header, target);
    }
    return target;
  }

  #find(importer: string, module: string): string | undefined {
    const sibling = joinPath(folderOf(importer), module);
    if (sibling !== undefined && this.#search.tree.has(sibling)) return sibling;
    let candidates = this.#candidates.get(module);
    if (candidates === undefined) {
      candidates = new HeaderCandidates(this.#candidatesFor(module));
      this.#candidates.set(module, candidates);
    }
    return candidates.nearestTo(importer);
  }

  #candidatesFor(module: string): readonly string[] {
    const suffix = module.replace(/^(?:\.{1,2}\/)+/, "").replaceAll("/./", "/");
    const inner = joinPath("", suffix) ?? suffix;
    const found = this.#search.filesEnding(inner);
    if (!STANDARD.has(module) && !SYSTEM_FOLDER.test(module)) return found;
    return found.filter((path) => SYSTEM_ROOT.test(path));
  }

  /**
   * Returns the source files of a header: those with the same name in its folder, or else the nearest ones.
   */
  #sourcesOf(header: string): readonly string[] {
    if (!HEADER.test(header)) return [];
    const stem = stemOf(header);
    const names = SOURCES.map((extension) => `${stem}${extension}`);
    const sibling = names.map((name) => inFolder(folderOf(header), name));
    const found = sibling.filter((path) => this.#search.tree.has(path));
    if (found.length > 0) return found;
    const elsewhere = names.flatMap((name) => this.#search.tree.named(name));
    // Names such as `util` are common, and such files are unrelated.
    return elsewhere.length > 3 ? [] : sortByDistance(header, elsewhere);
  }

  lastPartsOf(path: string): readonly string[] {
    return [stemOf(path)];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}
