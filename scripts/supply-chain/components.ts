// All third-party parts of the executable: packages in the bundle, grammars, Node, the keychain addon
// with the crates linked into it, and the table of word vectors.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { assetFiles } from "../../src/base/assets.ts";
import { GRAMMAR_FILES } from "../../src/base/grammar-files.ts";
import { bundledFiles } from "../bundle.mjs";

export interface Component {
  readonly kind: "package" | "grammar" | "addon" | "crate" | "runtime" | "model";
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Its name in the terms of package-url. */
  readonly purl: string;
  /** The texts of its licence and notices; "" if those of its package include them. */
  readonly text: string;
  /** Hash of the download (SHA-512, of a tarball), or of the file itself (SHA-256); hexadecimal. */
  readonly hash?: { readonly algorithm: "SHA-256" | "SHA-512"; readonly value: string };
}

const ROOT = path.join(import.meta.dirname, "../..");
/** Grammars in a collection whose package does not include their licences. */
const COLLECTED: Readonly<Record<string, string>> = {
  dart: "UserNobody14/tree-sitter-dart",
  solidity: "JoranHonig/tree-sitter-solidity",
};
const COLLECTION = "@repomix/tree-sitter-wasms";
/** pdf.js and its tables of character codes are assets, so esbuild does not know them. */
const PDFJS = "node_modules/pdfjs-dist";
/** Its third-party parts: the tables, and the code that would load its image decoders. */
const PDFJS_LICENSES = [
  "cmaps/LICENSE",
  "wasm/LICENSE_PDFJS_JBIG2",
  "wasm/LICENSE_PDFJS_OPENJPEG",
  "wasm/LICENSE_PDFJS_QCMS",
];
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;
const BUNDLED_LICENSES = "dist/THIRD-PARTY-LICENSES.md";

/** The parts that differ between the executables. */
export interface PackedParts {
  /** The path of the keychain addon in its package, if another than that of this platform; null where none is packed. */
  readonly keyring?: string | null;
  /** The path of Node in its package, and its version, if another than the running one. */
  readonly node?: string;
  readonly nodeVersion?: string;
}

/** Sorted by kind and name. */
export async function components({
  keyring = assetFiles()["keyring.node"] ?? null,
  node = process.execPath,
  nodeVersion = process.versions.node,
}: PackedParts = {}): Promise<readonly Component[]> {
  const bundled = await bundledFiles();
  const folders = foldersOf([...bundled, `${PDFJS}/package.json`]);
  const packages = folders.map((folder) =>
    folder === PDFJS ? pdfjs() : packageIn(folder, "package"),
  );
  const wasm = Object.values(GRAMMAR_FILES).map((file) => `node_modules/${file}`);
  const grammars = foldersOf(wasm).map((folder) => packageIn(folder, "grammar"));
  return [
    ...packages,
    ...grammars,
    ...collected(),
    ...addon(keyring),
    runtime(node, nodeVersion),
    model(),
  ];
}

/** The folders of the packages that hold these files. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) => {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].toSorted();
}

function packageIn(folder: string, kind: Component["kind"], locked?: string): Component {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- manifests of npm packages
  const { name, version, license } = JSON.parse(read(`${folder}/package.json`)) as Record<
    "name" | "version" | "license",
    string
  >;
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    kind,
    name,
    version,
    license,
    purl,
    text: textsIn(folder) || textInReadme(folder) || keptText(name) || keptText(license),
    ...integrity(locked ?? folder),
  };
}

function pdfjs(): Component {
  const main = packageIn(PDFJS, "package");
  const texts = PDFJS_LICENSES.map((file) => `${file}:\n\n${read(`${PDFJS}/${file}`).trim()}`);
  return {
    ...main,
    license: "Apache-2.0 AND BSD-2-Clause AND BSD-3-Clause AND MIT",
    text: [main.text, ...texts].join("\n\n"),
  };
}

function textsIn(folder: string): string {
  const names = readdirSync(path.join(ROOT, folder)).filter((name) => LICENSE_FILE.test(name));
  // A package that bundles other packages has their licence texts there.
  const bundled = existsSync(path.join(ROOT, folder, BUNDLED_LICENSES)) ? [BUNDLED_LICENSES] : [];
  return [...names.toSorted(), ...bundled]
    .map((name) => read(`${folder}/${name}`).trim())
    .join("\n\n");
}

/** The licence text in the README of a package that has no file for it; "" if there is none. */
function textInReadme(folder: string): string {
  const name = readdirSync(path.join(ROOT, folder)).find((one) => /^readme(?:\.md)?$/i.test(one));
  const text = name === undefined ? "" : read(`${folder}/${name}`);
  const section =
    /^#+ *licen[cs]e *$(?<body>[^]*?)(?=^#+ |$(?![^]))/im.exec(text)?.groups?.["body"] ?? "";
  return section.includes("Permission is hereby granted") ? section.trim() : "";
}

/** The licence text for a package without one: that of its project, or a common text. */
function keptText(name: string): string {
  const file = `scripts/supply-chain/licences/${name}.txt`;
  return existsSync(path.join(ROOT, file)) ? read(file).trim() : "";
}

interface LockedPackage {
  readonly integrity?: string;
}

let packagesOfLock: Readonly<Record<string, LockedPackage>> | undefined;

/** The packages of package-lock.json, which is parsed once for all components. */
function lockedPackages(): Readonly<Record<string, LockedPackage>> {
  packagesOfLock ??= JSON.parse(read("package-lock.json")).packages;
  return packagesOfLock ?? {};
}

function integrity(folder: string): Pick<Component, "hash"> {
  const [algorithm, value = ""] = lockedPackages()[folder]?.integrity?.split("-") ?? [];
  if (algorithm !== "sha512") throw new Error(`package-lock.json has no SHA-512 of ${folder}`);
  return { hash: { algorithm: "SHA-512", value: Buffer.from(value, "base64").toString("hex") } };
}

function collected(): readonly Component[] {
  const { version } = packageIn(`node_modules/${COLLECTION}`, "grammar");
  const languages = Object.entries(GRAMMAR_FILES).filter(([, file]) => file.startsWith(COLLECTION));
  return languages.map(([language, file]) => {
    const repository = COLLECTED[language];
    if (repository === undefined)
      throw new Error(`whose grammar of ${language} is in ${COLLECTION}?`);
    const name = `tree-sitter-${language}`;
    return {
      kind: "grammar",
      name,
      version: `in ${COLLECTION} ${version}`,
      license: "MIT",
      purl: `pkg:github/${repository}`.toLowerCase(),
      text: read(`scripts/supply-chain/licences/${name}.txt`).trim(),
      hash: sha256(`node_modules/${file}`),
    };
  });
}

/** The addon, and the crates that are linked into it according to its maker. */
function addon(file: string | null): readonly Component[] {
  if (file === null) return [];
  const folder = path.relative(ROOT, path.dirname(file)).split(path.sep).join("/");
  // The file is named as its package is: keyring.linux-x64-gnu.node.
  const build = path.basename(file).split(".")[1] ?? "";
  const binary = packageIn(folder, "addon", `node_modules/@napi-rs/keyring-${build}`);
  const own = textsIn("node_modules/@napi-rs/keyring");
  const crates = Array.from(
    binary.text.matchAll(/^\| (?<name>[\w-]+) \| (?<version>\d\S*) \| (?<licence>[^|]+) \|$/gm),
    ({ groups }) => linked("cargo", groups ?? {}),
  );
  if (crates.length === 0)
    throw new Error(`${folder} does not list the crates that are linked into it`);
  const library =
    /^## (?<name>libdbus) (?<version>\S+) .*?`(?<licence>AFL-2\.1 OR GPL-2\.0-or-later)`/ms.exec(
      binary.text,
    );
  return [
    { ...binary, text: `${own}\n\n${binary.text}` },
    ...crates,
    ...(library === null ? [] : [linked("generic", library.groups ?? {})]),
  ];
}

function linked(
  type: string,
  { name = "", version = "", licence = "" }: Readonly<Record<string, string | undefined>>,
): Component {
  const purl = `pkg:${type}/${name}@${version}`;
  return { kind: "crate", name, version, license: licence.trim(), purl, text: "" };
}

/** The LICENSE of its version has the notices of V8, ICU, OpenSSL and zlib; the package for Windows has no such file. */
function runtime(node: string, version: string): Component {
  const sameVersion = version === process.versions.node ? process.execPath : node;
  const file = path.join(path.dirname(sameVersion), "../LICENSE");
  return {
    kind: "runtime",
    name: "Node.js",
    version,
    license: "MIT",
    purl: `pkg:github/nodejs/node@v${version}`,
    text: read(path.relative(ROOT, file)).trim(),
  };
}

function model(): Component {
  return {
    kind: "model",
    name: "svc-embed-v1",
    version: "1",
    license: "MIT",
    purl: "pkg:generic/svc-embed@1",
    text: read("assets/embeddings/NOTICE.md").trim(),
    hash: sha256("assets/embeddings/svc-embed-v1.int4.svce"),
  };
}

function sha256(file: string): NonNullable<Component["hash"]> {
  const bytes = readFileSync(path.join(ROOT, file));
  return { algorithm: "SHA-256", value: createHash("sha256").update(bytes).digest("hex") };
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8").replaceAll("\r\n", "\n");
}
