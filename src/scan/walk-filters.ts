// The filters by which the owner of an index, and the project in its .svc.toml, narrow the index. A file must pass each
// filter: none of them can include what another one, or an ignore rule, excludes.

import { fileRole, languageOf } from "./classify.ts";
import { toBinary } from "./glob.ts";
import {
  compileIgnoreFile,
  enterDirectory,
  matchRules,
  NO_RULES,
  withRules,
  type DirectoryRules,
} from "./ignore.ts";

/** The file in the root of a source with the settings of its project. */
export const PROJECT_SETTINGS_FILE = ".svc.toml";

export interface GlobFilter {
  /** Globs in .gitignore syntax. A file is included if it or a directory above it matches one; all files if empty. */
  readonly include?: readonly string[] | undefined;
  /** Globs in .gitignore syntax for files to skip, whether or not git tracks them. */
  readonly exclude?: readonly string[] | undefined;
}

/** A filter by globs and by kinds of files. */
export interface ProjectFilter extends GlobFilter {
  /** The only languages to include, other than documents; all if empty. The names of files decide. */
  readonly languages?: readonly string[];
  /** False to skip documents: prose such as Markdown, and the files of documentation. */
  readonly documents?: boolean;
}

/** The globs of one filter in one directory. */
interface DirectoryFilter {
  readonly include: DirectoryRules;
  readonly exclude: DirectoryRules;
  /** Whether there are no `include` globs, or one matched this directory or one above it. */
  readonly isIncluded: boolean;
}

/** The filters with globs, in one directory. */
export type DirectoryFilters = readonly DirectoryFilter[];

/** Compiles the globs of the filters for the root. */
export function rootFilters(filters: readonly GlobFilter[]): DirectoryFilters {
  return filters.flatMap(({ include = [], exclude = [] }) =>
    include.length === 0 && exclude.length === 0
      ? []
      : {
          include: compileGlobs(include),
          exclude: compileGlobs(exclude),
          isIncluded: include.length === 0,
        },
  );
}

/** The filters in the sub-directory `name`. */
export function enterFilters(filters: DirectoryFilters, name: string): DirectoryFilters {
  if (filters.length === 0) return filters;
  return filters.map(({ include, exclude, isIncluded }) => ({
    include: enterDirectory(include, name),
    exclude: enterDirectory(exclude, name),
    isIncluded: isIncluded || matchRules(include, name, true) === true,
  }));
}

/** Whether a filter excludes the directory with everything below it. */
export function excludeFolder(filters: DirectoryFilters, name: string): boolean {
  return filters.some(({ exclude }) => matchRules(exclude, name, true) === true);
}

/** Whether a filter excludes the file. */
export function excludeFile(filters: DirectoryFilters, name: string): boolean {
  return filters.some(
    ({ include, exclude, isIncluded }) =>
      matchRules(exclude, name, false) === true ||
      (!isIncluded && matchRules(include, name, false) !== true),
  );
}

/** Returns which paths the filter includes by the kind of the file; undefined for all. */
export function kindFilter({ languages = [], documents = true }: ProjectFilter = {}):
  | ((path: string) => boolean)
  | undefined {
  if (languages.length === 0 && documents) return undefined;
  const wanted = new Set(languages);
  return (path) => {
    const language = languageOf(path);
    if (fileRole(path, language) === "docs") return documents;
    if (wanted.size === 0) return true;
    return language !== undefined && namesOf(path, language).some((name) => wanted.has(name));
  };
}

/** The languages that a file counts as: only the content of a header shows which one it is of. */
function namesOf(path: string, language: string): readonly string[] {
  if (language === "tsx") return ["tsx", "typescript"];
  return /\.h$/i.test(path) ? [language, "cpp", "objc"] : [language];
}

function compileGlobs(globs: readonly string[]): DirectoryRules {
  return withRules(NO_RULES, compileIgnoreFile(toBinary(globs.join("\n"))));
}
