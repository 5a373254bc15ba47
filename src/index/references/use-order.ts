// The order in which every backend returns the uses of a file, and the uses that follow from its imports.

import {
  isSheetImport,
  type FileReferences,
  type Import,
  type Use,
} from "../../parse/references/references.ts";
import type { NamesUsed } from "../pagerank/project-ranks.ts";

/** Maps an import number and a binding number to the line of the binding's name, relative to the import, plus 1. */
export type BindingLines = ReadonlyMap<string, number>;

/**
 * Each binding of an import is also a use of it, with nothing new but its line. Returns the lines of those uses, and
 * the other uses.
 */
export function withoutBindingUses({ uses, imports }: FileReferences): {
  readonly lines: BindingLines;
  readonly uses: readonly Use[];
} {
  const lines = new Map<string, number>();
  const others = uses.filter((use) => {
    // Most uses are of no binding. An array has no number -1, and to ask for it is slow.
    const imported = use.binding < 0 ? undefined : imports[use.binding];
    if (imported === undefined || use.line < imported.line || !isOfBinding(use)) return true;
    const at = imported.bindings.findIndex(
      ({ name }, number) => name === use.name && !lines.has(`${use.binding} ${number}`),
    );
    if (at === -1) return true;
    lines.set(`${use.binding} ${at}`, use.line - imported.line + 1);
    return false;
  });
  return { lines, uses: others };
}

function isOfBinding({ role, owner, target, receiver }: Use): boolean {
  return role === "import" && owner === -1 && target === -1 && receiver === "";
}

/** Returns the use that a binding is. `binding`: the number of its import. */
export function bindingUse(name: string, line: number, binding: number): Use {
  return { name, line, role: "import", owner: -1, target: -1, receiver: "", binding };
}

/**
 * Returns references as every backend returns them: uses by line, on one line the bindings of imports first and then
 * the others by name, and types up to the last known one.
 */
export function inUseOrder(references: FileReferences): FileReferences {
  const { bindings, others } = grouped(references);
  const { imports, types, signatures = [], package: ofPackage } = references;
  const known = upToLast(signatures);
  return {
    uses: [...bindings, ...others].toSorted(byLine),
    imports,
    types: upToLast(types),
    ...(known.length === 0 ? {} : { signatures: known }),
    package: ofPackage,
  };
}

function upToLast(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

/** Returns the distinct names that a file uses, those of bindings first, and the modules that it imports. */
export function namesUsedIn(references: FileReferences): NamesUsed {
  const { bindings, others } = grouped(references);
  return {
    names: new Set([...bindings, ...others].map(({ name }) => name)),
    modules: modulesIn(references.imports),
  };
}

/** Returns what code imports: that a component has a style sheet says nothing of its code. */
export function modulesIn(imports: readonly Import[]): readonly string[] {
  return imports.flatMap((one) => (isSheetImport(one) ? [] : one.module));
}

export function byLine(one: Use, other: Use): number {
  return one.line - other.line;
}

/** The uses that are bindings, in the order of the imports, and the others, in the order of their names. */
function grouped(references: FileReferences): {
  readonly bindings: readonly Use[];
  readonly others: readonly Use[];
} {
  const { lines, uses } = withoutBindingUses(references);
  const bindings = references.imports.flatMap((one, number) =>
    one.bindings.flatMap(({ name }, at) => {
      const below = lines.get(`${number} ${at}`);
      return below === undefined ? [] : [bindingUse(name, one.line + below - 1, number)];
    }),
  );
  return { bindings, others: uses.toSorted(byName) };
}

function byName({ name: one }: Use, { name: other }: Use): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
