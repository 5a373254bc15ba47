// node bench/packages/typescript-oracle.mjs --typescript DIR --library DIR --name PACKAGE --entry FILE --user DIR
// Prints the library definitions to which the TypeScript 5.9 checker resolves the names of a project: one edge per
// line, as `{path, line, name, target}`, with the path and line of the name of the definition in the library.
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

import { filesBelow } from "../workspace.ts";

const { values } = parseArgs({
  options: {
    typescript: { type: "string", default: "" },
    library: { type: "string", default: "" },
    name: { type: "string", default: "" },
    entry: { type: "string", default: "" },
    user: { type: "string", default: "" },
  },
});
const library = resolve(values.library);
const user = resolve(values.user);
const ts = createRequire(join(resolve(values.typescript), "x.js"))("typescript");

const files = filesBelow(user).filter(
  (file) => /\.[cm]?[jt]sx?$/.test(file) && !/\/(?:node_modules|docs|\.git)\//.test(file),
);
const program = ts.createProgram(files, {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  maxNodeModuleJsDepth: 3,
  esModuleInterop: true,
  types: [],
  paths: { [values.name]: [join(library, values.entry)] },
});
const checker = program.getTypeChecker();
const edges = new Set();

function resolved(node) {
  // `const { pathname } = parse(url)` uses the property.
  if (ts.isBindingElement(node.parent) && (node.parent.propertyName ?? node.parent.name) === node) {
    const property = checker.getTypeAtLocation(node.parent.parent)?.getProperty(node.text);
    if (property !== undefined) return property;
  }
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function visit(file, node) {
  // `const compose = require("koa-compose")` defines a name and uses none.
  const isDefined = ts.isVariableDeclaration(node.parent) && node.parent.name === node;
  if (ts.isIdentifier(node) && !isDefined) {
    for (const declaration of resolved(node)?.declarations ?? []) {
      const source = declaration.getSourceFile();
      if (!source.fileName.startsWith(`${library}/`) || ts.isSourceFile(declaration)) continue;
      const name = ts.getNameOfDeclaration(declaration) ?? declaration;
      const at = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      edges.add(
        JSON.stringify({
          path: relative(user, file.fileName),
          line,
          name: node.text,
          target: `${relative(library, source.fileName)}:${at}`,
        }),
      );
    }
  }
  ts.forEachChild(node, (child) => visit(file, child));
}

for (const file of program.getSourceFiles()) {
  if (file.fileName.startsWith(`${user}/`)) ts.forEachChild(file, (child) => visit(file, child));
}
for (const edge of [...edges].toSorted((one, other) => (one < other ? -1 : 1))) console.log(edge);
