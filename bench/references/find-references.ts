// Finds the users of a definition with the language service.
import { relative, sep } from "node:path";

import type {
  LanguageService,
  Place,
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
 */
export function findReferences(
  of: Service,
  file: string,
  at: number,
): readonly TrueReference[] | undefined {
  const groups = of.service.findReferences(file, at);
  const program = of.service.getProgram();
  if (groups === undefined || program === undefined) return undefined;
  const entries = groups.flatMap(({ references }) => references);
  const definitions = new Set([keyOf({ fileName: file, textSpan: { start: at, length: 0 } })]);
  for (const place of of.service.getDefinitionAtPosition(file, at) ?? []) {
    definitions.add(keyOf(place));
  }
  const found = new Map<string, TrueReference>();
  for (const entry of entries) {
    const source = program.getSourceFile(entry.fileName);
    const path = relative(of.root, entry.fileName).split(sep).join("/");
    if (source === undefined || path.startsWith("../") || path.includes("node_modules/")) continue;
    const role = nodeAt(of, entry)?.role;
    if (role === undefined) continue;
    const isDefinition = definitions.has(keyOf(entry));
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

/** Undefined if there is no identifier: in a comment or a string. */
function nodeAt(
  { typescript, service }: Service,
  { fileName, textSpan: { start } }: Place,
): { readonly node: SyntaxNode; readonly role: "import" | "use" } | undefined {
  const { SyntaxKind: kinds, forEachChild } = typescript;
  let node: SyntaxNode | undefined = service.getProgram()?.getSourceFile(fileName);
  let role: "import" | "use" = "use";
  for (let inner = node; inner !== undefined;) {
    node = inner;
    const { kind } = node;
    if (IMPORTS.some((name) => kinds[name] === kind)) role = "import";
    inner = forEachChild(node, (child) =>
      child.getStart() <= start && start < child.end ? child : undefined,
    );
  }
  return node && NAMES.some((name) => kinds[name] === node.kind) ? { node, role } : undefined;
}

const IMPORTS = ["ImportDeclaration", "ImportEqualsDeclaration", "ExportDeclaration"];
const NAMES = ["Identifier", "PrivateIdentifier", "DefaultKeyword"];

function keyOf({ fileName, textSpan }: Place): string {
  return `${fileName}:${textSpan.start}`;
}
