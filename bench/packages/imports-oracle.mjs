// node bench/packages/imports-oracle.mjs --typescript DIR --project DIR
// Prints the place where TypeScript 5.9 finds the definition of each name that a project imports from an installed
// package: one import per line, as `{path, name, module, target}`. `target` is the file below `node_modules` and the
// line of the name of the definition.
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

import { filesBelow } from "../workspace.ts";

const { values } = parseArgs({
  options: {
    typescript: { type: "string", default: "" },
    project: { type: "string", default: "" },
  },
});
const project = resolve(values.project);
const packages = join(project, "node_modules/");
const ts = createRequire(join(resolve(values.typescript), "x.js"))("typescript");

const files = filesBelow(project).filter(
  (file) => /\.[cm]?[jt]sx?$/.test(file) && !/\/(?:node_modules|dist|fixtures?|\.git)\//.test(file),
);
const program = ts.createProgram(files, {
  allowJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  maxNodeModuleJsDepth: 3,
  esModuleInterop: true,
});
const checker = program.getTypeChecker();
const found = new Map();

function visit(file, node) {
  if (ts.isImportDeclaration(node) && node.importClause !== undefined) {
    const module = node.moduleSpecifier.text;
    const { name, namedBindings } = node.importClause;
    const names = [
      ...(name === undefined ? [] : [name]),
      ...(namedBindings !== undefined && ts.isNamedImports(namedBindings)
        ? namedBindings.elements.map((element) => element.propertyName ?? element.name)
        : []),
    ];
    if (/^(?:[./#]|node:)/.test(module)) return;
    for (const one of names) add(file, one, module);
  }
}

function add(file, name, module) {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return;
  const aliased = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const targets = (aliased.declarations ?? []).flatMap((declaration) => {
    const source = declaration.getSourceFile();
    const path = relative(packages, source.fileName);
    if (path.startsWith("..") || ts.isSourceFile(declaration)) return [];
    const at = ts.getNameOfDeclaration(declaration) ?? declaration;
    return [`${path}:${source.getLineAndCharacterOfPosition(at.getStart(source)).line + 1}`];
  });
  if (targets.length === 0) return;
  // Each name of a package once, because the same import in another file has the same answer.
  const key = `${module} ${name.text}`;
  const path = relative(project, file.fileName);
  const line = file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1;
  if (!found.has(key)) found.set(key, { path, line, name: name.text, module, targets });
}

for (const file of program.getSourceFiles()) {
  if (!file.fileName.startsWith(`${project}/`) || file.fileName.startsWith(packages)) continue;
  ts.forEachChild(file, (child) => visit(file, child));
}
for (const one of found.values()) console.log(JSON.stringify(one));
