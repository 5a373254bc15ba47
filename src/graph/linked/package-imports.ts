// Which package an import names.

import { splitPackage } from "../modules/javascript-aliases.ts";
import type { FileTree } from "../../index/port.ts";
import type { DefinedPackage, Ecosystem, PackageFacts } from "../packages/package-facts.ts";

/** The registry whose packages the imports of a language name. */
const ECOSYSTEM_OF: Readonly<Record<string, Ecosystem>> = {
  javascript: "npm",
  typescript: "npm",
  tsx: "npm",
  vue: "npm",
  svelte: "npm",
  go: "go",
  rust: "cargo",
  python: "pypi",
  notebook: "pypi",
  java: "maven",
  kotlin: "maven",
  scala: "maven",
  groovy: "maven",
  php: "composer",
  ruby: "gem",
  csharp: "nuget",
  vb: "nuget",
  swift: "swift",
};

export function ecosystemOf(language: string): Ecosystem | undefined {
  return ECOSYSTEM_OF[language];
}

/** Packages of Python's projects that are not installed. */
const NOT_INSTALLED =
  /^(?:tests?|testing|docs?|examples?|samples?|scripts?|tools?|bench(?:mark)?s?|build|dist|ci|tasks?)$/;

/**
 * Returns the module to look for in the project that defines a package: that of the import, or the same with the
 * package's own name. Undefined if the import does not name the package.
 */
export function moduleInPackage(
  module: string,
  { name, ecosystem, importName }: DefinedPackage,
  importer: PackageFacts,
  {
    modules,
    isInstalled,
  }: {
    /** Those of a Python package. */
    readonly modules: ReadonlySet<string>;
    /** Then a package of types describes another one. */
    readonly isInstalled: boolean;
  },
): string | undefined {
  const names = [name, ...importer.required(ecosystem, name).map(({ alias }) => alias)].filter(
    (one) => one !== "",
  );
  if (ecosystem === "npm") {
    const [first, ...rest] = splitPackage(module);
    const isNamed = names.includes(first) || (isInstalled && describedBy(name) === first);
    return isNamed ? [name, ...rest].join("/") : undefined;
  }
  if (ecosystem === "go") {
    const own = names.find((one) => module === one || module.startsWith(`${one}/`));
    return own && name + module.slice(own.length);
  }
  if (ecosystem === "cargo") {
    const [first = "", ...rest] = module.replace(/^::/, "").split("::");
    const library = inPaths(importName === "" ? name : importName);
    const isNamed =
      first === library || names.some((one) => one !== name && inPaths(one) === first);
    return isNamed ? [library, ...rest].join("::") : undefined;
  }
  if (ecosystem === "pypi") return modules.has(module.split(".", 1)[0] ?? "") ? module : undefined;
  return module;
}

/** `@types/koa` describes `koa`, and `@types/koa__router` the package `@koa/router`. */
function describedBy(name: string): string | undefined {
  return /^@types\/(?<name>.+)$/
    .exec(name)
    ?.groups?.["name"]?.replace(/^(?=.+__)/, "@")
    .replace("__", "/");
}

function inPaths(name: string): string {
  return name.replaceAll("-", "_");
}

/** Returns the modules that a Python package installs. */
export function modulesOfPackage({ name, folder, ecosystem }: DefinedPackage, tree: FileTree) {
  const found = new Set<string>();
  if (ecosystem !== "pypi") return found;
  const inFolder = (...parts: readonly string[]): string =>
    [folder, ...parts].filter((part) => part !== "").join("/");
  const own = name.replaceAll("-", "_");
  for (const root of ["src", "lib", ""]) {
    for (const inner of tree.foldersIn(inFolder(root))) {
      const isPackage = tree
        .filesIn(inFolder(root, inner))
        .some((file) => /^__init__\.pyi?$/.test(file));
      if ((isPackage && !NOT_INSTALLED.test(inner)) || inner.toLowerCase() === own)
        found.add(inner);
    }
    for (const file of tree.filesIn(inFolder(root))) {
      const stem = /^(?<stem>\w+)\.py$/.exec(file)?.groups?.["stem"] ?? "";
      if (stem.toLowerCase() === own || (root !== "" && stem !== "")) found.add(stem);
    }
    if (found.size > 0) break;
  }
  return found;
}
