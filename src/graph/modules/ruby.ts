// Ruby files: those that `require` finds on the load path (lib folders of gems, folders of an application),
// those next to the file, and those that autoloading finds for a constant.

import { snakeCase } from "../../base/identifier-case.ts";
import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, joinPath, stemOf } from "./paths.ts";

/** Folders on the load path: lib, app/models, test (for test helpers). */
const LOAD_PATH = /(?:^|\/)(?:lib|ext|app\/\w+|app\/\w+\/concerns|test|spec)$/;
/** Ruby's standard libraries. Projects use the same names for files of their own. */
const STANDARD = new Set(
  `abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc fcntl
   fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net
   nkf objspace observer open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rake
   rdoc readline reline resolv rexml rinda ripper rss rubygems securerandom set shellwords singleton socket
   stringio strscan syslog tempfile thread time timeout tmpdir tracer tsort un uri weakref webrick yaml zlib`
    .trim()
    .split(/\s+/),
);

/** Resolves `require` and constants of Ruby. */
export class RubyModules implements ModuleResolution {
  readonly #search: PathSearch;

  constructor(search: PathSearch) {
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    if (/^(?:::)?[A-Z]/.test(module)) return this.#constant(importer, module);
    const name = module.endsWith(".rb") ? module : `${module}.rb`;
    const sibling = joinPath(folderOf(importer.path), name);
    const isRelative = sibling !== undefined && this.#search.tree.has(sibling);
    if (module.startsWith(".")) return isRelative ? fileTarget([sibling]) : UNKNOWN_MODULE;
    const found = this.#search.filesEnding(name);
    const loaded = nearestPath(
      importer.path,
      found.filter((path) => LOAD_PATH.test(path.slice(0, -name.length - 1))),
    );
    if (loaded !== undefined) return fileTarget([loaded]);
    if (STANDARD.has(module)) return EXTERNAL_MODULE;
    if (isRelative) return fileTarget([sibling]);
    const other = module.includes("/") ? nearestPath(importer.path, found) : undefined;
    return other === undefined ? EXTERNAL_MODULE : fileTarget([other]);
  }

  /**
   * `ActiveRecord::Base` is active_record/base.rb. A constant inside of it is in the file of the enclosing
   * module.
   */
  #constant(importer: Importer, name: string): ModuleTarget {
    const parts = name.split("::").filter(Boolean);
    for (let depth = parts.length; depth > 0; depth--) {
      const path = parts.slice(0, depth).map(snakeCase).join("/");
      const found = this.#search
        .filesEnding(`${path}.rb`)
        .filter((file) => LOAD_PATH.test(file.slice(0, -path.length - 4)));
      const file = nearestPath(importer.path, found);
      if (file !== undefined) return fileTarget([file], parts.slice(depth - 1));
    }
    return UNKNOWN_MODULE;
  }

  lastPartsOf(path: string): readonly string[] {
    return [stemOf(path)];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}
