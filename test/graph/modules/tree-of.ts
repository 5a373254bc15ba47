import { ModuleResolver, type Importer } from "../../../src/graph/modules/module-resolver.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";
import { languageOf } from "../../../src/scan/classify.ts";

/** Paths, and the texts of those that are config files. */
export interface TestTree {
  readonly files: readonly string[];
  readonly configs?: Readonly<Record<string, string>>;
}

export function resolverOf({ files, configs = {} }: TestTree): ModuleResolver {
  const paths = [...new Set([...files, ...Object.keys(configs)])].toSorted();
  return new ModuleResolver({ tree: fileTreeOf(paths), read: (path) => configs[path] });
}

/** A file of the tree as one that imports, of the language that its name tells. */
export function importer(path: string, packageName = ""): Importer {
  return { path, language: languageOf(path) ?? "text", package: packageName };
}

/**
 * What a module means, in a line: "a.ts" for a file, "[a.go b.go]" for a package, "a.rs + b.rs" for a file and
 * where else to look, each with "#" and what is left of the path; "external" and "unknown".
 */
export function meaning(resolver: ModuleResolver, from: Importer, module: string): string {
  const { files, isPackage, rest, isExternal } = resolver.resolve(from, module);
  if (files.length === 0) return isExternal ? "external" : "unknown";
  const written = isPackage ? `[${files.join(" ")}]` : files.join(" + ");
  return rest.length === 0 ? written : `${written} #${rest.join(".")}`;
}
