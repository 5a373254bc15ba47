// The known references of a definition, in their format: one JSON object a line.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const KINDS_OF_DEFINITION = [
  "function",
  "class",
  "method",
  "field",
  "interface",
  "member",
  "type",
  "enum",
  "constant",
  "constructor",
  "overload",
  "enum constant",
  "nested class",
  "record",
  "annotation",
  "local class",
  "local method",
  "property",
  "local",
] as const;
/**
 * "member": of an interface. "constant": of a module, other than a function. "overload": a method whose type has
 * others of its name. "local class", "local method": in a function, or of an anonymous class. "local": a variable of a
 * function that an inner function uses.
 */
export type KindOfDefinition = (typeof KINDS_OF_DEFINITION)[number];

export interface TruePlace {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

export interface TrueReference extends TruePlace {
  readonly isDefinition: boolean;
  /** Part of an import or of a list of exports. */
  readonly isImport: boolean;
  /**
   * "Go to definition" leads from here to this definition. Others are found through another one: a
   * method of the same name in a base class, the variable that a property was destructured into.
   */
  readonly isDirect: boolean;
  /** The compiler does not know what the name means here, because a library is missing. Such a line is not judged. */
  readonly isUnknown?: true;
}

export interface Truth extends TruePlace {
  readonly name: string;
  readonly kind: KindOfDefinition;
  /** Names of its containers, joined by "."; "" at the outermost level. */
  readonly container: string;
  /** In order of files, lines and columns. */
  readonly references: readonly TrueReference[];
}

export interface Manifest {
  readonly name: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly commit: string;
  readonly tool: string;
  /** "installed", or why not. */
  readonly packages: string;
  readonly seed: string;
  /** A regular expression: the paths in which the tool searched for uses. Undefined for TypeScript's own. */
  readonly files?: string;
  /** Definitions there are, and how many of them are in the sample, by kind. */
  readonly definitions: Readonly<
    Record<string, { readonly known: number; readonly sampled: number }>
  >;
  readonly references: number;
}

const MANIFEST = ".manifest.json";
export const TRUTH_FOLDER = join(import.meta.dirname, "truth");

/** The files that are searched for uses. */
const LOOKED_THROUGH = /\.(?:[cm]?[jt]sx?|java|kt|cs)$/;

/** Whether the compiler or language service covers a file. Uses elsewhere cannot be checked. */
export function isLookedThrough(path: string): boolean {
  return LOOKED_THROUGH.test(path);
}

/** The same for the tool of a manifest. */
export function lookedThrough({ files }: Pick<Manifest, "files">): (path: string) => boolean {
  const expression = files === undefined ? LOOKED_THROUGH : new RegExp(files);
  return (path) => expression.test(path);
}

/** By path, line and column. */
export function inOrder(references: readonly TrueReference[]): readonly TrueReference[] {
  return references.toSorted(
    (one, other) =>
      (one.path < other.path ? -1 : Number(one.path > other.path)) ||
      one.line - other.line ||
      one.column - other.column,
  );
}

/** For a manifest: how many definitions there are, and how many are in the sample. */
export function countsOf(
  known: readonly { readonly kind: KindOfDefinition }[],
  sampled: readonly { readonly kind: KindOfDefinition }[],
): Manifest["definitions"] {
  const countIn = (list: typeof known, kind: KindOfDefinition): number =>
    list.filter((definition) => definition.kind === kind).length;
  return Object.fromEntries(
    KINDS_OF_DEFINITION.map((kind) => [
      kind,
      { known: countIn(known, kind), sampled: countIn(sampled, kind) },
    ]),
  );
}

/** By path, "12:3 14:8i": lines and columns, `d` for a definition, `i` import, `r` one that is not direct, `u` unknown. */
type Packed = Readonly<Record<string, string>>;

export function packReferences(references: readonly TrueReference[]): Packed {
  const byPath = Map.groupBy(references, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, places]) => [
      path,
      places
        .map(({ line, column, isDefinition, isImport, isDirect, isUnknown }) => {
          const flags = `${isImport ? "i" : ""}${isDefinition ? "d" : ""}${isDirect ? "" : "r"}${isUnknown ? "u" : ""}`;
          return `${line}:${column}${flags}`;
        })
        .join(" "),
    ]),
  );
}

export function unpackReferences(packed: Packed): readonly TrueReference[] {
  return Object.entries(packed).flatMap(([path, places]) =>
    places.split(" ").map((text): TrueReference => {
      const {
        line,
        column,
        flags = "",
      } = /^(?<line>\d+):(?<column>\d+)(?<flags>\w*)$/.exec(text)?.groups ?? {};
      return {
        path,
        line: Number(line),
        column: Number(column),
        isDefinition: flags.includes("d"),
        isImport: flags.includes("i"),
        isDirect: !flags.includes("r"),
        ...(flags.includes("u") ? { isUnknown: true } : {}),
      };
    }),
  );
}

export function writeTruth(folder: string, manifest: Manifest, truths: readonly Truth[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = truths.map(({ references, ...definition }) =>
    JSON.stringify({ ...definition, references: packReferences(references) }),
  );
  writeFileSync(truthFile(folder, manifest.name), `${lines.join("\n")}\n`);
  writeFileSync(manifestFile(folder, manifest.name), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The names of all repositories with a truth. */
export function truthNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(MANIFEST))
    .map((file) => file.slice(0, -MANIFEST.length))
    .toSorted();
}

/** Throws if there is none. */
export function readTruth(
  folder: string,
  name: string,
): { readonly manifest: Manifest; readonly truths: readonly Truth[] } {
  const manifest: Manifest = JSON.parse(readFileSync(manifestFile(folder, name), "utf8"));
  const truths = parseTruths(readFileSync(truthFile(folder, name), "utf8"));
  return { manifest, truths };
}

/** Reads one definition per line. */
export function parseTruths(text: string): readonly Truth[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Truth => {
      const packed: Omit<Truth, "references"> & { readonly references: Packed } = JSON.parse(line);
      return { ...packed, references: unpackReferences(packed.references) };
    });
}

function truthFile(folder: string, name: string): string {
  return join(folder, `${name}.jsonl`);
}

function manifestFile(folder: string, name: string): string {
  return join(folder, `${name}${MANIFEST}`);
}
