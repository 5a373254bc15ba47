// Extension methods of C#: a call of a member whose receiver has none of its own.

import type { Use } from "../parse/references/references.ts";
import type { ScopedFile, SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";
import { inVisibleNamespaces } from "./visible-definitions.ts";

const EXTENDED = "this ";

/**
 * Returns the extension methods that a call may refer to if its receiver has no member of the name: those of the receiver's
 * type, or those of the name if the project has no other method of it.
 */
export async function calledExtensions(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver }: Pick<Use, "name" | "receiver">,
): Promise<readonly SymbolRef[]> {
  const all = await names.context.symbols.definitionsThat(name, (hit) => hit.path.endsWith(".cs"));
  const extensions = inVisibleNamespaces(
    file,
    all.filter((ref) => extendedType(ref) !== undefined),
    await names.context.sharedNamespaces(file),
  );
  const [, type] = /^@([\w$]+)$/.exec(receiver) ?? [];
  const ofType = extensions.filter((ref) => extendedType(ref) === type);
  if (ofType.length > 0) return ofType;
  const isOnly = type === undefined && all.every((ref) => extendedType(ref) !== undefined);
  return isOnly && areOfOneType(extensions) ? extensions : [];
}

function extendedType({ file, number }: SymbolRef): string | undefined {
  const mark = file.signatures?.[number] ?? "";
  return mark.startsWith(EXTENDED) ? mark.slice(EXTENDED.length) : undefined;
}

function areOfOneType(extensions: readonly SymbolRef[]): boolean {
  return new Set(extensions.map(extendedType)).size === 1;
}
