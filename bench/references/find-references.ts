// Finds the users of a definition with the language service.
import { relative, sep } from "node:path";

import type {
  LanguageService,
  Place,
  ReferenceEntry,
  SourceFile,
  SyntaxNode,
  TypeScript,
} from "./language-service.ts";
import type { TruePlace, TrueReference } from "./truth.ts";

interface Service {
  readonly typescript: TypeScript;
  readonly service: LanguageService;
  readonly root: string;
}

/**
 * Every identifier that refers to the definition whose name begins at `at`, itself among them, in the order of
 * files and lines. Names in comments and in strings are omitted, and so are files outside of the repository.
 * `scripts`: files of plain JavaScript. From a definition, the service does not find those who use it through
 * `module.exports = { name }`, but from each of them it finds the definition.
 */
export function findReferences(
  of: Service,
  file: string,
  at: number,
  scripts?: readonly string[],
): readonly TrueReference[] | undefined {
  const groups = of.service.findReferences(file, at);
  const program = of.service.getProgram();
  if (groups === undefined || program === undefined) return undefined;
  const here = { fileName: file, textSpan: { start: at, length: 0 } };
  const definitions = new Set([here, ...definitionsOf(of, here)].map(keyOf));
  const found = new Map<string, TrueReference>();
  const entries = groups.flatMap(({ references }) => references);
  if (scripts !== undefined) {
    const name = nameIn(program.getSourceFile(file), at);
    entries.push(...usersByDefinition(of, { name, files: scripts, definitions }));
  }
  for (const entry of entries) {
    const source = program.getSourceFile(entry.fileName);
    const path = relative(of.root, entry.fileName).split(sep).join("/");
    if (source === undefined || path.startsWith("../") || path.includes("node_modules/")) continue;
    const role = nodeAt(of, entry)?.role;
    if (role === undefined) continue;
    const isDefinition = definitions.has(keyOf(entry));
    if (found.has(keyOf(entry))) continue;
    found.set(keyOf(entry), {
      ...placeIn(source, path, entry.textSpan.start),
      isDefinition: isDefinition || entry.isDefinition === true,
      isImport: role === "import",
      isDirect: isDefinition || leadsTo(of, entry, definitions),
    });
  }
  return [...found.values()].toSorted(
    (one, other) =>
      (one.path < other.path ? -1 : Number(one.path > other.path)) ||
      one.line - other.line ||
      one.column - other.column,
  );
}

/** Where an offset is in the text of a file. */
export function placeIn(source: SourceFile, path: string, at: number): TruePlace {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  return { path, line: line + 1, column: character + 1 };
}

function leadsTo(of: Service, from: Place, definitions: ReadonlySet<string>): boolean {
  const targets = [...definitionsOf(of, from), ...declarationsOf(of, from)];
  if (targets.some((target) => definitions.has(keyOf(target)))) return true;
  // From `{ open }` the service goes to the import of `open`, and only from there to its definition.
  return targets
    .filter((target) => nodeAt(of, target)?.role === "import")
    .flatMap((target) => definitionsOf(of, target))
    .some((target) => definitions.has(keyOf(target)));
}

function definitionsOf({ service }: Service, { fileName, textSpan }: Place): readonly Place[] {
  return service.getDefinitionAtPosition(fileName, textSpan.start) ?? [];
}

/** From a call the service goes to the function itself, and so past the field that holds it. */
function declarationsOf(of: Service, place: Place): readonly Place[] {
  const checker = of.service.getProgram()?.getTypeChecker();
  const node = nodeAt(of, place)?.node;
  const symbol = node && checker?.getSymbolAtLocation(node);
  const symbols = symbol === undefined ? [] : (checker?.getRootSymbols(symbol) ?? []);
  return symbols.flatMap(({ declarations = [] }) =>
    declarations.flatMap((declaration) => {
      const start = declaration.name?.getStart();
      const { fileName } = declaration.getSourceFile();
      return start === undefined ? [] : [{ fileName, textSpan: { start, length: 0 } }];
    }),
  );
}

function nameIn(source: SourceFile | undefined, at: number): string {
  return /^[\w$#]+/.exec(source?.text.slice(at) ?? "")?.[0] ?? "";
}

/** More frequent names belong to many definitions, and each place takes a while. */
const MAX_PLACES = 2000;

/** The places with the name from which "go to definition" leads to one of the definitions. */
function usersByDefinition(
  of: Service,
  {
    name,
    files,
    definitions,
  }: { name: string; files: readonly string[]; definitions: ReadonlySet<string> },
): readonly ReferenceEntry[] {
  const program = of.service.getProgram();
  const word = new RegExp(
    String.raw`(?<![\w$#])${name.replaceAll("$", String.raw`\$`)}(?![\w$])`,
    "gu",
  );
  const places = files.flatMap((fileName) => {
    const text = program?.getSourceFile(fileName)?.text ?? "";
    return [...text.matchAll(word)].map(({ index }) => ({
      fileName,
      textSpan: { start: index, length: name.length },
    }));
  });
  if (places.length > MAX_PLACES) return [];
  return places.filter(
    (place) => nodeAt(of, place) !== undefined && leadsTo(of, place, definitions),
  );
}

/** Undefined if there is no identifier: in a comment or a string. */
function nodeAt(
  of: Service,
  { fileName, textSpan: { start } }: Place,
): { readonly node: SyntaxNode; readonly role: "import" | "use" } | undefined {
  const { SyntaxKind: kinds, forEachChild } = of.typescript;
  let node: SyntaxNode | undefined = of.service.getProgram()?.getSourceFile(fileName);
  let role: "import" | "use" = "use";
  for (let inner = node; inner !== undefined;) {
    node = inner;
    const { kind } = node;
    if (IMPORTS.some((name) => kinds[name] === kind) || isRequire(of, node)) role = "import";
    inner = forEachChild(node, (child) =>
      child.getStart() <= start && start < child.end ? child : undefined,
    );
  }
  return node && NAMES.some((name) => kinds[name] === node.kind) ? { node, role } : undefined;
}

/** `const { a } = require("b")`. */
function isRequire({ typescript: { SyntaxKind: kinds } }: Service, node: SyntaxNode): boolean {
  if (node.kind !== kinds["VariableDeclaration"]) return false;
  return /^[^=]*=\s*require\([^()]*\)[.\w]*$/.test(node.getText());
}

const IMPORTS = ["ImportDeclaration", "ImportEqualsDeclaration", "ExportDeclaration"];
const NAMES = ["Identifier", "PrivateIdentifier", "DefaultKeyword"];

function keyOf({ fileName, textSpan }: Place): string {
  return `${fileName}:${textSpan.start}`;
}
