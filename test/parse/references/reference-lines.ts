import type { ChunkedFile } from "../../../src/chunk/chunk.ts";
import { chunk } from "../../chunk/helpers.ts";

/** Returns `line role receiver.name -> target from import in owner`, without the missing parts. */
export async function usesIn(language: string, source: string): Promise<readonly string[]> {
  const file = await chunk(language, source);
  return file.references.uses.map((use) => {
    const { line, role, receiver, name, target, binding, owner } = use;
    const path = receiver === "" ? name : `${receiver}.${name}`;
    const meant = target === -1 ? "" : ` -> ${symbolName(file, target)}`;
    const bound = binding === -1 ? "" : ` from ${binding}`;
    const inside = owner === -1 ? "" : ` in ${symbolName(file, owner)}`;
    return `${line} ${role} ${path}${meant}${bound}${inside}`;
  });
}

/** Returns `line module name>local … wildcard reexport`. */
export async function importsIn(language: string, source: string): Promise<readonly string[]> {
  const { references } = await chunk(language, source);
  return references.imports.map(({ line, module, bindings, isWildcard, isReexport }) =>
    [
      `${line} ${module}`,
      ...bindings.map(({ name, local }) => `${name}>${local}`),
      ...(isWildcard ? ["wildcard"] : []),
      ...(isReexport ? ["reexport"] : []),
    ].join(" "),
  );
}

/** Returns `qualified name type` for the symbols with a known type. */
export async function typesIn(language: string, source: string): Promise<readonly string[]> {
  const file = await chunk(language, source);
  return file.references.types.flatMap((type, symbol) =>
    type === "" ? [] : [`${symbolName(file, symbol)} ${type}`],
  );
}

function symbolName({ symbols }: ChunkedFile, symbol: number): string {
  return symbols[symbol]?.qualifiedName ?? "none";
}
