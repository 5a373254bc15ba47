// Prints the exports of the entry points of a TypeScript package, as the compiler sees them.
//
//     node script-api.mjs FOLDER BUILT SOURCES TYPESCRIPT.js
//
// BUILT: a pattern for the build folder, which SOURCES replaces.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { pathToFileURL } from "node:url";

const [path, from, to, typescript] = process.argv.slice(2);
const { default: ts } = await import(pathToFileURL(typescript).href);

const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.Preserve,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
};
const FLAGS =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** The modules that package.json exports, with the files of their sources. */
function entriesOf() {
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const found = {};
  const { exports = { types: manifest.types } } = manifest;
  const isOne =
    typeof exports === "string" || !Object.keys(exports).some((key) => key.startsWith("."));
  for (const [key, value] of Object.entries(isOne ? { ".": exports } : exports)) {
    const [types] = textsIn(value).filter((one) => /\.[mc]?[jt]s$/.test(one));
    if (types === undefined || key.includes("*") || !key.startsWith(".")) continue;
    const built = types.replace(/^\.\//, "").replace(new RegExp(from), to);
    const file = join(path, built.replace(/(?:\.d)?\.[mc]?[jt]s$/, ".ts"));
    const place = [file, file.replace(/\.ts$/, ".tsx")].find((one) => existsSync(one));
    if (place !== undefined) found[`${manifest.name}${key.slice(1)}`] = place;
  }
  return found;
}

function textsIn(value) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).toSorted(
    ([one], [other]) => Number(other === "types") - Number(one === "types"),
  );
  return entries.flatMap(([, inner]) => textsIn(inner));
}

class ExportReader {
  names = {};
  #checker;
  #root;

  constructor(checker, root) {
    this.#checker = checker;
    this.#root = root;
  }

  add(name, exported) {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.#checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined || !this.#isOwn(declaration)) return;
    if ((symbol.flags & ts.SymbolFlags.ValueModule) !== 0) {
      for (const inner of this.#checker.getExportsOfModule(symbol))
        this.add(`${name}.${inner.name}`, inner);
      return;
    }
    this.names[name] = {
      ...this.#facts(symbol, declaration),
      own: true,
      of: this.#idOf(declaration, symbol.name),
    };
    const isLiteral =
      ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type);
    if ((symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) === 0 && !isLiteral)
      return;
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    for (const member of this.#checker.getPropertiesOfType(type))
      this.#addMember(name, member, symbol);
    if ((symbol.flags & ts.SymbolFlags.Class) === 0) return;
    const made = this.#addConstructor(name, symbol, declaration);
    for (const member of this.#checker.getPropertiesOfType(made))
      if (member.name !== "prototype") this.#addMember(name, member, symbol);
  }

  /** Returns the type of the class itself. */
  #addConstructor(name, symbol, declaration) {
    const maker = declaration.members?.find((one) => ts.isConstructorDeclaration(one));
    const made = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration);
    if (maker !== undefined) {
      const parameters = made.getConstructSignatures().map((one) => this.#signature(one, true)[0]);
      const resolved = made.getConstructSignatures().map((one) => this.#signature(one, false)[0]);
      const of = this.#idOf(declaration, `${symbol.name}.constructor`);
      this.names[`${name}.constructor`] = { kind: "function", parameters, resolved, own: true, of };
    }
    return made;
  }

  #addMember(name, member, owner) {
    const declaration = member.declarations?.[0];
    if (declaration === undefined || !this.#isOwn(declaration) || /^(?:__|#)/.test(member.name))
      return;
    if (ts.isPropertyDeclaration(declaration) && ts.isComputedPropertyName(declaration.name))
      return;
    const flags = ts.getCombinedModifierFlags(declaration);
    if ((flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0) return;
    const own =
      owner.declarations?.some((one) =>
        [declaration.parent, declaration.parent?.parent].includes(one),
      ) === true;
    this.names[`${name}.${member.name}`] = {
      ...this.#facts(member, declaration),
      own,
      of: this.#idOf(declaration, `${owner.name}.${member.name}`),
    };
  }

  /** `parameters`: the source text; `resolved`: the types that it refers to. */
  #facts(symbol, declaration) {
    const { flags } = symbol;
    const typeParameters = (declaration.typeParameters ?? []).map((one) => this.#written(one));
    if ((flags & ts.SymbolFlags.Class) !== 0) return both("class", [typeParameters]);
    if ((flags & ts.SymbolFlags.Interface) !== 0) return both("type", [typeParameters]);
    if ((flags & ts.SymbolFlags.TypeAlias) !== 0) {
      const isLiteral = declaration.type !== undefined && ts.isTypeLiteralNode(declaration.type);
      const value =
        isLiteral || declaration.type === undefined ? "" : this.#written(declaration.type);
      return both("type", [typeParameters, value]);
    }
    if ((flags & ts.SymbolFlags.Enum) !== 0) return both("type", null);
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const isOptional = (flags & ts.SymbolFlags.Optional) !== 0;
    if (isFunction(declaration)) {
      const signatures = this.#checker.getNonNullableType(type).getCallSignatures();
      return {
        kind: "function",
        parameters: [[isOptional], ...signatures.map((one) => this.#signature(one, true))],
        resolved: [[isOptional], ...signatures.map((one) => this.#signature(one, false))],
      };
    }
    const annotation = annotationOf(declaration);
    const resolved =
      annotation === undefined ? "" : this.#checker.typeToString(type, declaration, FLAGS);
    const written = annotation === undefined ? "" : this.#written(annotation);
    return {
      kind: "value",
      parameters: [[written, isOptional]],
      resolved: [[resolved, isOptional]],
    };
  }

  #signature(signature, isWritten) {
    const { declaration } = signature;
    const textOf = (node, type) =>
      isWritten ? this.#written(node) : this.#checker.typeToString(type, node, FLAGS);
    const parameters = signature.getParameters().map((one) => {
      const node = one.valueDeclaration;
      const isParameter = node !== undefined && ts.isParameter(node);
      const isOptional = isParameter && this.#checker.isOptionalParameter(node);
      const isRest = isParameter && node.dotDotDotToken !== undefined;
      const isTyped = isParameter && node.type !== undefined;
      const type = isTyped ? this.#checker.getTypeOfSymbolAtLocation(one, node) : undefined;
      return [isTyped ? textOf(node.type, type) : "", isOptional, isRest];
    });
    // The compiler infers undeclared types from the body.
    const result =
      declaration?.type === undefined ? "" : textOf(declaration.type, signature.getReturnType());
    const types = (declaration?.typeParameters ?? []).map((one) => this.#written(one));
    return [parameters, result, types];
  }

  /** The text of a type, without its layout. */
  #written(node) {
    const printer = ts.createPrinter({ removeComments: true });
    return printer
      .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
      .replace(/\s+/g, " ");
  }

  #isOwn(declaration) {
    const { fileName } = declaration.getSourceFile();
    return fileName.startsWith(this.#root) && !fileName.includes("/node_modules/");
  }

  #idOf(declaration, name) {
    return `${declaration.getSourceFile().fileName.slice(this.#root.length)}#${name}`;
  }
}

function both(kind, parameters) {
  return { kind, parameters, resolved: parameters };
}

function isFunction(node) {
  if (ts.isFunctionLike(node) && !ts.isGetAccessor(node) && !ts.isSetAccessor(node)) return true;
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node)) return false;
  const value = node.initializer;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

function annotationOf(node) {
  return node.type;
}

const entries = entriesOf();
const program = ts.createProgram(Object.values(entries), OPTIONS);
const checker = program.getTypeChecker();
const reader = new ExportReader(checker, path);
for (const [name, file] of Object.entries(entries)) {
  const node = program.getSourceFile(file);
  const module = node && checker.getSymbolAtLocation(node);
  if (module === undefined) continue;
  for (const one of checker.getExportsOfModule(module)) reader.add(`${name}.${one.name}`, one);
}
process.stdout.write(JSON.stringify({ modules: Object.keys(entries), names: reader.names }));
