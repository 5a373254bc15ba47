// What a name of a style sheet means: a definition in the file itself, in a style sheet to which an import leads, or else one of
// that name anywhere.

import {
  BY_STYLE_NAME,
  isStyleName,
  mayHaveStyles,
  OF_ANY_STYLES,
  OF_OWN_STYLES,
  STYLES,
} from "../base/style-names.ts";
import type { Use } from "../parse/references/references.ts";
import type { ScopedFile, SymbolRef } from "./entity.ts";
import { ImportGraph } from "./import-graph.ts";
import { firstFileOf } from "./modules/module-target.ts";
import type { NameResolver } from "./name-resolver.ts";
import type { ResolutionContext } from "./resolution-context.ts";
import type { UseResolution } from "./use-resolution.ts";

/** A class means all its rules on a page, so that more files may define it than a function. */
const MAX_FILES = 40;
/** Maximum style sheets that imports are followed to. */
const MAX_SHEETS = 300;
/** Maximum style sheets that import one. */
const MAX_AROUND = 30;
const SHEET = /\.(?:css|scss|sass|less|styl|pcss)$/;
const OUTSIDE: UseResolution = { kind: "outside" };

/** Resolves a use of a name that only style sheets define. */
export async function resolveStyleUse(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<UseResolution> {
  const { context } = names;
  const all = (await context.symbols.definitions(use.name)).filter((ref) => mayBeMeant(ref, use));
  if (all.length === 0) return OUTSIDE;
  const rest = use.receiver.slice(BY_STYLE_NAME.length);
  if (rest.startsWith(".")) {
    return exactIn(all, await sheetsOfImport(context, file, rest.slice(1))) ?? OUTSIDE;
  }
  const own = exactIn(all, new Set([file.path]));
  if (own !== undefined || rest === OF_OWN_STYLES) return own ?? OUTSIDE;
  const near = exactIn(all, await sheetsSeenBy(names, file));
  if (near !== undefined) return near;
  const open = all.filter((ref) => isOpen(ref, rest === OF_ANY_STYLES));
  const files = new Set(open.map((ref) => ref.file.path));
  if (files.size === 0 || files.size > MAX_FILES) return OUTSIDE;
  return { kind: "overloads", symbols: open, isByName: true };
}

/** Whether other files may mean a definition. The classes of a module have other names in the page. */
function isOpen({ file, facts }: SymbolRef, isSought: boolean): boolean {
  if (facts.access !== "private") return true;
  return isSought && !/\.module\.\w+$/.test(file.path);
}

function exactIn(all: readonly SymbolRef[], paths: ReadonlySet<string>): UseResolution | undefined {
  const symbols = all.filter((ref) => paths.has(ref.file.path));
  return symbols.length === 0 ? undefined : { kind: "exact", symbols };
}

/** Whether a definition is one of a style sheet, and a call means what can be called. */
function mayBeMeant({ file, facts }: SymbolRef, { name, role }: Use): boolean {
  if (file.language !== STYLES) {
    const isStyle = facts.kind === "section" || facts.kind === "constant";
    return mayHaveStyles(file.language) && /^(?:[.#]|--)/.test(name) && isStyle;
  }
  return isStyleName(name) || (facts.kind === "function") === (role === "call");
}

/** Returns the style sheets to which the import with a local name leads. */
async function sheetsOfImport(
  context: ResolutionContext,
  file: ScopedFile,
  local: string,
): Promise<ReadonlySet<string>> {
  const found = file.imports.find(({ bindings }) => bindings.some((one) => one.local === local));
  const first = found && sheetOf(context, file, found.module);
  return first === undefined ? new Set() : withImported(context, [first]);
}

/**
 * Returns the style sheets that a file imports, and those that these import. What imports a style sheet may import others for it:
 * its names are those of one whole.
 */
function sheetsSeenBy(names: NameResolver, file: ScopedFile): Promise<ReadonlySet<string>> {
  const { context } = names;
  return context.memo.getOrResolve(`styles ${file.id}`, 0, async () => {
    const imported = file.imports.flatMap(({ module }) => sheetOf(context, file, module) ?? []);
    const around = file.language === STYLES ? await sheetsAround(names, file.path) : [];
    return withImported(context, [...imported, ...sheetsBeside(context, file), ...around]);
  });
}

/** Returns the style sheets that import one, directly or not. */
async function sheetsAround(names: NameResolver, path: string): Promise<readonly string[]> {
  const imports = new ImportGraph(names);
  const found = new Set([path]);
  for (const one of found) {
    if (found.size >= MAX_AROUND) break;
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    for (const { path: importer } of await imports.importersOf(one))
      if (SHEET.test(importer)) found.add(importer);
  }
  return [...found];
}

/** Angular has the style sheet of `hero.component.html` in `hero.component.css`. */
function sheetsBeside({ modules }: ResolutionContext, { path }: ScopedFile): readonly string[] {
  const [stem = ""] = /^.*\.component(?=\.(?:html|ts)$)/.exec(path) ?? [];
  if (stem === "") return [];
  const importer = { path, language: STYLES, package: "" };
  const name = stem.slice(stem.lastIndexOf("/") + 1);
  return ["css", "scss", "less", "sass"].flatMap(
    (ending) => firstFileOf(modules.resolve(importer, `./${name}.${ending}`)) ?? [],
  );
}

async function withImported(
  context: ResolutionContext,
  first: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set(first);
  for (const path of found) {
    if (found.size >= MAX_SHEETS) break;
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const sheet = await context.symbols.file(path);
    for (const { module } of sheet?.language === STYLES ? sheet.imports : []) {
      const next = sheet && sheetOf(context, sheet, module);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}

/** Returns the style sheet that an import leads to; undefined if it leads to none of the project. */
function sheetOf(context: ResolutionContext, file: ScopedFile, module: string): string | undefined {
  const isOfStyles = file.language === STYLES;
  const written = module.replace(/\?.*$/, "");
  if (!isOfStyles && !mayHaveStyles(file.language) && !SHEET.test(written)) return undefined;
  const target = firstFileOf(context.target(file, module));
  if (target !== undefined) return SHEET.test(target) ? target : undefined;
  if (isOfStyles) return undefined;
  const other = firstFileOf(
    context.target({ path: file.path, language: STYLES, package: "" }, written),
  );
  return other !== undefined && SHEET.test(other) ? other : undefined;
}
