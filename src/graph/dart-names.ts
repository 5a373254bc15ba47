// Names of Dart: those of a library, which may consist of several files, and of what it imports.

import type { Binding, Import } from "../parse/references/references.ts";
import { isHidden } from "./dart-definitions.ts";
import { OUTSIDE, symbolsEntity, symbolsIn, type Entity, type ScopedFile } from "./entity.ts";
import { MAX_STEPS, type ResolutionContext } from "./resolution-context.ts";

/** Names of bindings that mark imports; see the rules of Dart. */
const PART = "<part>";
const PART_OF = "<part of>";

/** What the resolution of names of Dart needs of a resolver. */
export interface DartResolver {
  readonly context: ResolutionContext;
  readonly exports: {
    readonly bound: (
      file: ScopedFile,
      one: { readonly import: Import; readonly binding: Binding },
      steps: number,
    ) => Promise<Entity | undefined>;
    readonly inModules: (
      files: readonly string[],
      name: string,
      steps: number,
    ) => Promise<Entity | undefined>;
  };
}

function hasMark({ bindings }: Pick<Import, "bindings">, mark: string): boolean {
  return bindings.some((one) => one.name === mark);
}

/** Resolves an unqualified name of Dart that is no member of a type around it; undefined if it is unknown. */
export async function dartName(
  names: DartResolver,
  file: ScopedFile,
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  if (steps > MAX_STEPS) return undefined;
  const library = await libraryOf(names.context, file);
  if (library === undefined) return undefined;
  for (const part of await filesOf(names.context, library)) {
    const own = symbolsEntity(symbolsIn(part, name));
    if (own !== undefined) return own;
  }
  if (name.startsWith("_")) return OUTSIDE;
  let isAllKnown = true;
  for (const one of library.imports) {
    if (one.isReexport || isHidden(one, name)) continue;
    const binding = one.bindings.find(({ local }) => local === name);
    if (binding === undefined && !one.isWildcard) continue;
    // oxlint-disable-next-line no-await-in-loop -- the first match wins
    const found = await imported(names, library, { one, name, binding }, steps);
    if (found === undefined) isAllKnown = false;
    else if (found.kind !== "outside") return found;
  }
  return isAllKnown ? OUTSIDE : undefined;
}

/** Returns what an import means by a name: `OUTSIDE` if it has no such name. */
async function imported(
  names: DartResolver,
  library: ScopedFile,
  {
    one,
    name,
    binding,
  }: {
    readonly one: Import;
    readonly name: string;
    readonly binding: Binding | undefined;
  },
  steps: number,
): Promise<Entity | undefined> {
  if (binding !== undefined) {
    return names.exports.bound(library, { import: one, binding }, steps + 1);
  }
  const { files, isExternal } = names.context.target(library, one.module);
  if (files.length === 0) return isExternal || isGenerated(one.module) ? OUTSIDE : undefined;
  return (await names.exports.inModules(files, name, steps + 1)) ?? OUTSIDE;
}

/** Generated files are often not in the repository. */
function isGenerated(module: string): boolean {
  return /\.\w+\.dart$/.test(module);
}

/** Returns the main file of the library of a file; undefined if it is unknown. */
async function libraryOf(
  context: ResolutionContext,
  file: ScopedFile,
): Promise<ScopedFile | undefined> {
  const one = file.imports.find((each) => hasMark(each, PART_OF));
  if (one === undefined) return file;
  const [path] = context.target(file, one.module).files;
  if (path !== undefined) return context.symbols.file(path);
  // `part of a.library;`
  const [stem = ""] = /[^/]+(?=\.dart$)/.exec(file.path) ?? [];
  for (const other of await context.reader.importersOf(stem)) {
    // oxlint-disable-next-line no-await-in-loop -- one or two
    const library = await context.symbols.file(other);
    if (library !== undefined && partsOf(context, library).includes(file.path)) return library;
  }
  return undefined;
}

function partsOf(context: ResolutionContext, library: ScopedFile): readonly string[] {
  return library.imports
    .filter((one) => hasMark(one, PART))
    .flatMap(({ module }) => context.target(library, module).files);
}

/** Returns the files of a library, the main one first. */
async function filesOf(
  context: ResolutionContext,
  library: ScopedFile,
): Promise<readonly ScopedFile[]> {
  const parts = await Promise.all(
    partsOf(context, library).map((path) => context.symbols.file(path)),
  );
  return [library, ...parts.filter((part) => part !== undefined)];
}

/** Returns whether two files belong to one library. */
export async function areOfOneLibrary(
  context: ResolutionContext,
  one: ScopedFile,
  other: ScopedFile,
): Promise<boolean> {
  if (one.path === other.path) return true;
  const [first, second] = await Promise.all([libraryOf(context, one), libraryOf(context, other)]);
  return first !== undefined && first.path === second?.path;
}
