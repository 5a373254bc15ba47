// Members of Dart that are defined outside of their type, in extensions.

import { ownerName, symbolsIn, type ScopedFile, type SymbolRef } from "./entity.ts";
import { isDartExtension } from "./dart-definitions.ts";
import { areOfOneLibrary, dartName, type DartResolver } from "./dart-names.ts";

/** Returns the extension that a member belongs to; undefined for members of other types. */
function extensionOf(member: SymbolRef): SymbolRef | undefined {
  const owner = ownerName(member);
  return owner === "" ? undefined : symbolsIn(member.file, owner).find(isDartExtension);
}

/**
 * Returns the members of extensions that a name means after an object. `types`: the names of its type and of the types above,
 * the nearest first, with "*" for each collection around it.
 */
export async function dartExtensions(
  names: DartResolver,
  file: ScopedFile,
  name: string,
  types: readonly string[],
): Promise<readonly SymbolRef[]> {
  const { context } = names;
  const all = await context.symbols.definitionsThat(
    name,
    (hit) => hit.path.endsWith(".dart") && ownerName({ facts: hit }) !== "",
  );
  const found: { readonly ref: SymbolRef; readonly rank: number }[] = [];
  for (const ref of all) {
    const extension = extensionOf(ref);
    if (extension === undefined) continue;
    const rank = types.indexOf(extendedBy(extension));
    // oxlint-disable-next-line no-await-in-loop -- few extensions have one name
    if (rank !== -1 && (await isVisible(names, file, extension))) found.push({ ref, rank });
  }
  const nearest = Math.min(...found.map(({ rank }) => rank));
  return found.flatMap(({ ref, rank }) => (rank === nearest ? [ref] : []));
}

/** Returns the name of the type that an extension is on. */
function extendedBy({ file, number }: SymbolRef): string {
  const [, name = "", layers = ""] =
    /^@(?:[\w$]+\.)*([\w$]+)(\**)$/.exec(file.types[number] ?? "") ?? [];
  return name + layers;
}

/** An extension without a name is only visible in its library. */
async function isVisible(
  names: DartResolver,
  file: ScopedFile,
  extension: SymbolRef,
): Promise<boolean> {
  if (await areOfOneLibrary(names.context, file, extension.file)) return true;
  const { name } = extension.facts;
  if (name.includes(" ")) return false;
  const found = await dartName(names, file, name, 0);
  if (found?.kind === "symbols") return found.symbols.some((ref) => isSame(ref, extension));
  // With a prefix, an import has no bare names, but its extensions are visible.
  const prefixed = file.imports.filter(({ bindings }) => bindings.some((one) => one.name === "*"));
  for (const { module } of prefixed) {
    const { files } = names.context.target(file, module);
    // oxlint-disable-next-line no-await-in-loop -- few
    const inside = await names.exports.inModules(files, name, 1);
    if (inside?.kind === "symbols" && inside.symbols.some((ref) => isSame(ref, extension)))
      return true;
  }
  return false;
}

function isSame(one: SymbolRef, other: SymbolRef): boolean {
  return one.file.path === other.file.path && one.number === other.number;
}
