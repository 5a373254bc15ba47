// The names under which users of a project know its definitions, by the rules of each language.

import { languageFamily } from "../../base/language-families.ts";
import type { FileFacts, SymbolFacts } from "../../index/types.ts";
import { ownerName, type ScopedFile } from "../../graph/entity.ts";
import type { ApiVersion } from "./api-version.ts";
import {
  isDefinition,
  type AddName,
  type NamesOptions,
  type PublicNames,
} from "./public-definition.ts";
import { PythonNames } from "./python-names.ts";
import { addExportsOfR } from "./r-exports.ts";
import { RustNames } from "./rust-names.ts";
import { ScriptNames } from "./script-names.ts";

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;
/** Languages in which a subclass in another project may use what is protected. */
const WITH_PROTECTED = new Set(["java", "groovy", "kotlin", "scala", "csharp", "php"]);
/** How the full name of a definition begins. */
const NAMED_BY: Readonly<Record<string, "package" | "folder" | "nothing" | "path">> = {
  java: "package",
  groovy: "package",
  kotlin: "package",
  scala: "package",
  csharp: "package",
  php: "package",
  go: "folder",
  c: "nothing",
  cpp: "nothing",
  objc: "nothing",
  ruby: "nothing",
  swift: "nothing",
  elixir: "nothing",
  dart: "path",
  lua: "path",
  zig: "path",
  haskell: "path",
  ocaml: "path",
  julia: "nothing",
  solidity: "nothing",
  protobuf: "nothing",
  thrift: "nothing",
  graphql: "nothing",
  prisma: "nothing",
};

/** Returns the public names of a version. */
export async function publicNames(
  version: ApiVersion,
  options: NamesOptions,
): Promise<PublicNames> {
  const names: PublicNames = new Map();
  const add: AddName = (name, { path, language }, facts) => {
    const known = names.get(name) ?? [];
    names.set(name, known);
    const isKnown = known.some((one) => one.path === path && one.facts.nameLine === facts.nameLine);
    if (!isKnown) known.push({ path, language, facts });
  };
  const files = Map.groupBy(await version.files(), ({ language }) => languageFamily(language));
  const scripts = files.get("javascript");
  if (scripts !== undefined) await new ScriptNames(version, add).addAll(scripts, options);
  const python = files.get("python");
  if (python !== undefined) await new PythonNames(version, add).addAll(python, options);
  const rust = files.get("rust");
  if (rust !== undefined) await new RustNames(version, add).addAll(rust, options);
  await addExportsOfR(version, files.get("r") ?? [], { ...options, add });
  await addDeclared(version, [...files.values()].flat(), { ...options, add });
  return names;
}

/** Adds what declares itself to be public, wherever it is. */
async function addDeclared(
  version: ApiVersion,
  all: readonly FileFacts[],
  { add, isSame, signal }: NamesOptions & { readonly add: AddName },
): Promise<void> {
  const files = all.filter(({ language }) => NAMED_BY[language] !== undefined);
  const isOpen = openHeaders(files);
  const modules = await goModules(version);
  for (const { path, language } of files) {
    signal.throwIfAborted();
    if (!isOpen(path) || isHiddenFolder(path, language)) continue;
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const file = await version.scope(path);
    if (file === undefined || (language === "go" && file.package === "main")) continue;
    const prefix = prefixOf(file, modules);
    for (const facts of file.symbols) {
      const isProtected =
        facts.access === "internal" &&
        WITH_PROTECTED.has(language) &&
        !isSame(path) &&
        // oxlint-disable-next-line no-await-in-loop -- a file is read once
        (await isDeclaredProtected(version, path, facts));
      if (facts.access !== "exported" && !isProtected) continue;
      if (!isDefinition(facts) || !hasPublicOwner(file, facts)) continue;
      add(prefix + facts.qualifiedName, file, facts);
    }
  }
}

async function isDeclaredProtected(
  version: ApiVersion,
  path: string,
  facts: SymbolFacts,
): Promise<boolean> {
  const declared = await version.declared(path, facts);
  return declared?.declarations.some(({ signature }) => /\bprotected\b/.test(signature)) ?? false;
}

/** Whether the types around a definition are public, as far as the file has them. */
function hasPublicOwner(file: ScopedFile, facts: SymbolFacts): boolean {
  let owner = ownerName({ facts });
  while (owner !== "") {
    const around = (file.byQualifiedName.get(owner) ?? []).flatMap((at) => file.symbols[at] ?? []);
    if (around.length > 0 && !around.some(({ access }) => access === "exported")) return false;
    // In Go a type may be in another file of its package.
    if (around.length === 0 && file.language === "go") return /^\p{Lu}/u.test(owner);
    // Definitions inside a function are not public.
    if (around.length > 0 && around.every(({ kind }) => kind === "function" || kind === "method"))
      return false;
    const [first] = around;
    owner = first === undefined ? "" : ownerName({ facts: first });
  }
  return true;
}

function isC({ language }: FileFacts): boolean {
  return ["c", "cpp", "objc"].includes(language);
}

/** A project of C with a folder for the headers of its users has its own ones elsewhere. */
function openHeaders(files: readonly FileFacts[]): (path: string) => boolean {
  const headers = files.filter((file) => isC(file) && HEADER.test(file.path));
  const inInclude = headers.filter(({ path }) => /(?:^|\/)include\//.test(path));
  const open = new Set((inInclude.length > 0 ? inInclude : headers).map(({ path }) => path));
  const others = new Set(files.filter((file) => !isC(file)).map(({ path }) => path));
  return (path) => open.has(path) || others.has(path);
}

function isHiddenFolder(path: string, language: string): boolean {
  if (language === "go")
    return /(?:^|\/)(?:internal|testdata|vendor)\//.test(path) || path.endsWith("_test.go");
  if (language === "dart") return !/(?:^|\/)lib\/(?!src\/)/.test(path);
  return false;
}

/** The import paths of the Go modules, by the folder of their manifest, the innermost first. */
async function goModules(version: ApiVersion): Promise<readonly (readonly [string, string])[]> {
  const { named } = await version.tree();
  return named("go.mod")
    .map((path) => {
      const text = version.parts.readFile(path) ?? "";
      const name = /^\s*module\s+"?(?<name>[^\s"]+)"?/m.exec(text)?.groups?.["name"] ?? "";
      return [path.slice(0, -"go.mod".length), name] as const;
    })
    .toSorted(([one], [other]) => other.length - one.length);
}

function prefixOf(
  { path, language, package: ofPackage }: ScopedFile,
  modules: readonly (readonly [string, string])[],
): string {
  const by = NAMED_BY[language];
  if (by === "package") return ofPackage === "" ? "" : `${ofPackage}.`;
  if (by === "path") return `${path}#`;
  if (by !== "folder") return "";
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [root = "", name = ""] = modules.find(([one]) => folder.startsWith(one)) ?? [];
  const inside = folder.slice(root.length).replace(/\/$/, "");
  return `${[name, inside].filter((part) => part !== "").join("/")}.`;
}
