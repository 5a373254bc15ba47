// Names of Terraform: each is in full, and belongs to the files of one folder or to the module that a block there calls.
import { OF_EXPECTED } from "../base/receiver-marks.ts";
import type { Use } from "../parse/references/references.ts";
import { symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";
import { folderOf, foldersAround } from "./modules/paths.ts";
import type { NameResolver } from "./name-resolver.ts";

/** A module, or an element of one with `count` or `for_each`. */
const MODULE = /^(?<call>module\.[^.[\]]+)(?:\[\])*$/;

/** The definitions that a name means, or may mean. */
interface MeantInFolder {
  readonly symbols: readonly SymbolRef[];
  readonly isByName?: true;
}

/** If more modules have a variable of a name, a value of another folder says nothing about them. */
const MAX_VARIABLES = 10;

/** Returns what a use in a file of Terraform means; nothing if it is outside of the project. */
export async function meantInFolder(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver }: Use,
): Promise<MeantInFolder> {
  const isInput = receiver.endsWith(OF_EXPECTED);
  const call = MODULE.exec(isInput ? receiver.slice(0, -1) : receiver)?.groups?.["call"];
  const found =
    call === undefined
      ? await definedInFolder(names, file, `${receiver}.${name}`)
      : await definedInModule(names, file, {
          call,
          inner: `${isInput ? "var" : "output"}.${name}`,
        });
  if (found.length > 0) return { symbols: found };
  // Which module gets the values of another folder is an argument of a command.
  return file.path.endsWith(".tfvars") ? setElsewhere(names, file, name) : { symbols: [] };
}

async function definedInFolder(
  names: NameResolver,
  file: ScopedFile,
  name: string,
): Promise<readonly SymbolRef[]> {
  const { context } = names;
  const paths = [...context.siblingsOf(file)];
  const siblings = await Promise.all(paths.map((path) => context.symbols.file(path)));
  return [file, ...siblings].flatMap((one) => (one === undefined ? [] : symbolsIn(one, name)));
}

/** Returns the definitions of a name in the folder that a module block has as its source. */
async function definedInModule(
  names: NameResolver,
  file: ScopedFile,
  { call, inner }: { readonly call: string; readonly inner: string },
): Promise<readonly SymbolRef[]> {
  const found: SymbolRef[] = [];
  for (const { file: calling } of await definedInFolder(names, file, call)) {
    for (const { module, bindings } of calling.imports) {
      if (!bindings.some(({ local }) => local === call)) continue;
      const paths = names.context.target(calling, module).files;
      // oxlint-disable-next-line no-await-in-loop -- mostly one
      const files = await Promise.all(paths.map((path) => names.context.symbols.file(path)));
      found.push(...files.flatMap((one) => (one === undefined ? [] : symbolsIn(one, inner))));
    }
  }
  return found;
}

/**
 * Returns the variables that a value of another folder may set: those of the nearest folder around that declares it, else those
 * of all modules, if these are few.
 */
async function setElsewhere(
  names: NameResolver,
  { path }: ScopedFile,
  name: string,
): Promise<MeantInFolder> {
  const all = await names.context.symbols.definitionsThat(
    name,
    ({ qualifiedName }) => qualifiedName === `var.${name}`,
  );
  for (const folder of foldersAround(folderOf(path))) {
    const symbols = all.filter((ref) => folderOf(ref.file.path) === folder);
    if (symbols.length > 0) return { symbols, isByName: true };
  }
  const isFew = all.length > 0 && all.length <= MAX_VARIABLES;
  return isFew ? { symbols: all, isByName: true } : { symbols: [] };
}
