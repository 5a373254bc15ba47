// The packages that a project defines, and those that it depends on, with their versions: a text that a search for the
// users of a package reads without the files of the project.

/** A registry of packages, with names of its own. */
export const ECOSYSTEMS = [
  "npm",
  "go",
  "cargo",
  "pypi",
  "maven",
  "composer",
  "gem",
  "nuget",
  "swift",
] as const;

export type Ecosystem = (typeof ECOSYSTEMS)[number];

/** A package of the project. */
export interface DefinedPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** "" if its manifest does not say it. */
  readonly version: string;
  /** The folder of its manifest; "" for the root. */
  readonly folder: string;
  /** The name in imports if it is not that of the package, such as the library of a crate; else "". */
  readonly importName: string;
  /** The path of its manifest; set by `PackageFacts`. */
  readonly manifest?: string;
}

/** A package that the project depends on. */
export interface RequiredPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** A version, or the versions that are allowed; "" for any. */
  readonly version: string;
  /** True if `version` is the only one that is used. */
  readonly isLocked: boolean;
  /** The folder whose files get this version; "" for the root. */
  readonly folder: string;
  /** The name in the imports of the project if it has another one there; else "". */
  readonly alias: string;
}

/** What one manifest or lock file says. Folders are relative to the folder of the file. */
export interface ManifestFacts {
  readonly defines: readonly DefinedPackage[];
  readonly requires: readonly RequiredPackage[];
}

/** The facts of a manifest, with the state of the file that they were read from. */
export interface ManifestEntry {
  readonly path: string;
  readonly stamp: string;
  /** Lines with the facts. */
  readonly text: string;
}

/** The version of crates that take it from their workspace. */
export const WORKSPACE_VERSION = "workspace";

/** Begins the text of each project, so that a project without packages differs from one that nobody has read. */
const HEADER = "packages\n";
const UNSAFE = /[\t\n\r]/;

/** Returns the lines of the facts of one manifest in a folder. */
export function encodeFacts({ defines, requires }: ManifestFacts, folder: string): string {
  const lines = [
    ...defines.map((one) =>
      line("d", one.ecosystem, one.name, one.version, within(folder, one.folder), one.importName),
    ),
    ...requires.map((one) =>
      line(
        "r",
        one.ecosystem,
        one.name,
        one.version,
        one.isLocked ? "=" : "~",
        within(folder, one.folder),
        one.alias,
      ),
    ),
  ];
  return [...new Set(lines)].join("");
}

function line(...fields: readonly string[]): string {
  return fields.some((field) => UNSAFE.test(field)) ? "" : `${fields.join("\t")}\n`;
}

function within(folder: string, inner: string): string {
  return [folder, inner].filter((part) => part !== "").join("/");
}

/** Returns the text of the facts of a project. `tags`: versions of the sources, by the prefix of their paths. */
export function encodeEntries(
  entries: readonly ManifestEntry[],
  tags: ReadonlyMap<string, string>,
): string {
  const versions = [...tags].map(([prefix, tag]) => line("t", tag, prefix)).join("");
  return (
    HEADER +
    versions +
    entries.map(({ path, stamp, text }) => line("f", stamp, path) + text).join("")
  );
}

/** Returns the entries of a text of `encodeEntries`. */
export function decodeEntries(text: string): readonly ManifestEntry[] {
  const entries: { path: string; stamp: string; text: string }[] = [];
  for (const one of text.split(/(?<=\n)/)) {
    const [kind, stamp = "", path = ""] = one.trimEnd().split("\t");
    if (kind === "f") entries.push({ path, stamp, text: "" });
    const last = entries.at(-1);
    if (last !== undefined && (kind === "d" || kind === "r")) last.text += one;
  }
  return entries;
}

/** Returns the versions of the sources in a text of `encodeEntries`. */
export function decodeVersions(text: string): ReadonlyMap<string, string> {
  const rows = text.matchAll(/^t\t(?<tag>[^\t\n]*)\t(?<prefix>[^\t\n]*)$/gm);
  return new Map([...rows].map(({ groups }) => [groups?.["prefix"] ?? "", groups?.["tag"] ?? ""]));
}

/** Reads a text of `encodeEntries`. */
export class PackageFacts {
  readonly #text: string;
  #defined: readonly DefinedPackage[] | undefined;
  #required: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.#text = `\n${text}`;
  }

  /** Returns the packages of the project. */
  get defined(): readonly DefinedPackage[] {
    this.#defined ??= this.#readDefined();
    return this.#defined;
  }

  /** Returns whether the project depends on a package, of any version. */
  isRequired(ecosystem: Ecosystem, name: string): boolean {
    return this.#text.includes(`\nr\t${ecosystem}\t${name}\t`);
  }

  /** Returns the keys of all packages that the project depends on: see `packageKey`. */
  get requiredKeys(): ReadonlySet<string> {
    this.#required ??= new Set(
      [...this.#text.matchAll(/^r\t(?<key>[^\t\n]*\t[^\t\n]*)/gm)].map(
        ({ groups }) => groups?.["key"] ?? "",
      ),
    );
    return this.#required;
  }

  /** Yields what the project says of all packages that it depends on, with the path of the file that says it. */
  *allRequired(): Generator<RequiredPackage & { readonly manifest: string }> {
    let manifest = "";
    for (const row of this.#text.split("\n")) {
      const [kind, first, name = "", version = "", lock, folder = "", alias = ""] = row.split("\t");
      if (kind === "f") manifest = name;
      const ecosystem = kind === "r" ? ECOSYSTEMS.find((one) => one === first) : undefined;
      if (ecosystem === undefined) continue;
      yield { ecosystem, name, version, isLocked: lock === "=", folder, alias, manifest };
    }
  }

  /** Returns what the project says of a package that it depends on. */
  required(ecosystem: Ecosystem, name: string): readonly RequiredPackage[] {
    const start = `\nr\t${ecosystem}\t${name}\t`;
    const found: RequiredPackage[] = [];
    for (let at = this.#text.indexOf(start); at !== -1; at = this.#text.indexOf(start, at + 1)) {
      const row = this.#text.slice(at + start.length, this.#text.indexOf("\n", at + 1));
      const [version = "", lock, folder = "", alias = ""] = row.split("\t");
      found.push({ ecosystem, name, version, isLocked: lock === "=", folder, alias });
    }
    return found;
  }

  /** Returns the packages whose files a path is among, the innermost first. */
  packagesAround(path: string): readonly DefinedPackage[] {
    return this.defined
      .filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`))
      .toSorted((one, other) => other.folder.length - one.folder.length);
  }

  #readDefined(): readonly DefinedPackage[] {
    const text = this.#text;
    const tags = [...decodeVersions(text)].toSorted(([one], [two]) => two.length - one.length);
    const found: DefinedPackage[] = [];
    let ofWorkspace = "";
    for (let at = text.indexOf("\nd\t"); at !== -1; at = text.indexOf("\nd\t", at + 1)) {
      const row = text.slice(at + 1, text.indexOf("\n", at + 1));
      const [, first = "", name = "", version = "", folder = "", importName = ""] = row.split("\t");
      const ecosystem = ECOSYSTEMS.find((one) => one === first);
      if (ecosystem === undefined) continue;
      const file = text.lastIndexOf("\nf\t", at);
      const [, , manifest = ""] = text.slice(file + 1, text.indexOf("\n", file + 1)).split("\t");
      if (name === "") ofWorkspace = version;
      else found.push({ ecosystem, name, version, folder, importName, manifest });
    }
    return found.map((one) => {
      if (one.version === WORKSPACE_VERSION) return { ...one, version: ofWorkspace };
      if (one.version !== "") return one;
      const [, tag = ""] = tags.find(([prefix]) => `${one.folder}/`.startsWith(prefix)) ?? [];
      return { ...one, version: versionOfTag(tag, one) };
    });
  }
}

/** Identifies a package in all ecosystems. */
export function packageKey({
  ecosystem,
  name,
}: Pick<DefinedPackage, "ecosystem" | "name">): string {
  return `${ecosystem}\t${name}`;
}

/** `v1.2.3`, `1.2.3`, `name-1.2.3` and, of a Go module in a folder, `folder/v1.2.3`. */
function versionOfTag(tags: string, { folder }: DefinedPackage): string {
  const all = tags.split(" ");
  const own = all.find((tag) => folder !== "" && tag.startsWith(`${folder}/v`));
  const [first = ""] = own === undefined ? all.filter((tag) => !tag.includes("/")) : [own];
  return /(?:^|[-_/@])v?(?<version>\d[\w.+-]*)$/.exec(first)?.groups?.["version"] ?? "";
}
