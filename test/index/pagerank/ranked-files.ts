import type { FileInput } from "../../../src/index/types.ts";
import { textFile } from "../../helpers/segments.ts";

/** A Go file that defines and uses names. */
export function rankedFile(
  path: string,
  { defines = [], uses = [], imports = [] }: Record<string, readonly string[]>,
  more: Partial<FileInput> = {},
): FileInput {
  const symbols = defines.map((name, at) => ({
    name,
    qualifiedName: name,
    kind: "function" as const,
    access: "exported" as const,
    startLine: at + 1,
    endLine: at + 1,
    nameLine: at + 1,
  }));
  const references = {
    uses: uses.map((name, at) => ({
      name,
      line: at + 1,
      role: "call" as const,
      owner: -1,
      target: -1,
      receiver: "",
      binding: -1,
    })),
    imports: imports.map((module) => ({
      line: 1,
      module,
      bindings: [],
      isWildcard: false,
      isReexport: false,
    })),
    types: [],
    package: "",
  };
  return textFile(path, ["text"], { language: "go", role: "code", symbols, references, ...more });
}
