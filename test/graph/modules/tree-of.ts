import { ModuleResolver, type Importer } from "../../../src/graph/modules/module-resolver.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";
import { languageOf } from "../../../src/scan/classify.ts";

/** The paths of a project, and the texts of its config files. */
export interface TestTree {
  readonly files: readonly string[];
  readonly configs?: Readonly<Record<string, string>>;
}

/** Returns a resolver for the project. */
export function resolverOf({ files, configs = {} }: TestTree): ModuleResolver {
  const paths = [...new Set([...files, ...Object.keys(configs)])].toSorted();
  return new ModuleResolver({ tree: fileTreeOf(paths), read: (path) => configs[path] });
}

/** Returns an importer for a file. The file name determines the language. */
export function importer(path: string, packageName = ""): Importer {
  return { path, language: languageOf(path) ?? "text", package: packageName };
}

/**
 * Returns the target of an import as text: "a.ts" for a file, "[a.go b.go]" for a package, "a.rs + b.rs" for
 * a file and further files to search, followed by " #" and the rest of the path. "external" or "unknown"
 * without files.
 */
export function describeTarget(resolver: ModuleResolver, from: Importer, module: string): string {
  const { files, isPackage, rest, isExternal } = resolver.resolve(from, module);
  if (files.length === 0) return isExternal ? "external" : "unknown";
  const written = isPackage ? `[${files.join(" ")}]` : files.join(" + ");
  return rest.length === 0 ? written : `${written} #${rest.join(".")}`;
}
