// The definitions of a plain JavaScript file that others can refer to. The navigation tree leaves out what assignments
// and object literals define, so these are read from the syntax tree.
import type { FoundDefinition } from "./definitions.ts";
import type { SourceFile, SyntaxNode, TypeScript } from "./language-service.ts";
import type { KindOfDefinition } from "./truth.ts";

/** A node, with the children that the kinds of nodes below have. */
interface ScriptNode extends SyntaxNode {
  readonly parent?: ScriptNode;
  readonly name?: ScriptNode;
  readonly initializer?: ScriptNode;
  readonly left?: ScriptNode;
  readonly right?: ScriptNode;
  readonly expression?: ScriptNode;
  readonly argumentExpression?: ScriptNode;
  readonly body?: ScriptNode;
}

const IDENTIFIER = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** What properties are assigned to. */
const OWNER = /^(?:module\.exports|[\w$]+(?:\.prototype)?)$/;
const REQUIRED = /^(?:await\s+import|require)\s*\(/;
const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunction"];
const METHODS = ["MethodDeclaration", "GetAccessor", "SetAccessor"];
const BODIES = [...FUNCTIONS, ...METHODS, "Constructor"];

/**
 * One for each name of a container, in the order of the file: functions at any depth, classes with their members, constants
 * of the module, properties that are assigned to `this`, to a prototype, a function or the exports, keys of the literals
 * of a module, and constants of functions that an inner function uses ("local").
 */
export function scriptDefinitionsIn(
  typescript: TypeScript,
  source: SourceFile,
): readonly FoundDefinition[] {
  return new ScriptReader(typescript).read(source);
}

class ScriptReader {
  readonly #typescript: TypeScript;
  readonly #found = new Map<string, FoundDefinition>();

  constructor(typescript: TypeScript) {
    this.#typescript = typescript;
  }

  read(source: SourceFile): readonly FoundDefinition[] {
    this.#visit(source, "");
    return [...this.#found.values()].toSorted((one, other) => one.at - other.at);
  }

  #is(node: ScriptNode | undefined, ...kinds: readonly string[]): boolean {
    return (
      node !== undefined && kinds.some((kind) => this.#typescript.SyntaxKind[kind] === node.kind)
    );
  }

  #visit(node: ScriptNode, container: string): void {
    const inner = this.#define(node, container) ?? container;
    this.#typescript.forEachChild(node, (child) => {
      this.#visit(child, inner);
      return undefined;
    });
  }

  /** Returns the container of the definitions inside, if the node is a definition. */
  #define(node: ScriptNode, container: string): string | undefined {
    const { name } = node;
    if (this.#is(node, "FunctionDeclaration")) return this.#add(name, "function", container);
    if (this.#is(node, "ClassDeclaration", "ClassExpression")) {
      return this.#add(name, "class", container);
    }
    if (this.#is(node, "VariableDeclaration")) return this.#variable(node, container);
    if (this.#is(node, ...METHODS)) {
      return this.#isKept(node) ? this.#add(name, "method", container) : undefined;
    }
    if (this.#is(node, "PropertyDeclaration")) return this.#add(name, "field", container);
    if (this.#is(node, "PropertyAssignment")) {
      const kind = this.#isFunction(node.initializer) ? "method" : "field";
      return this.#isKept(node) ? this.#add(name, kind, container) : undefined;
    }
    return this.#is(node, "BinaryExpression") ? this.#assignment(node, container) : undefined;
  }

  #variable(node: ScriptNode, container: string): string | undefined {
    const { name, initializer } = node;
    if (!this.#is(name, "Identifier") || REQUIRED.test(initializer?.getText() ?? ""))
      return undefined;
    const around = this.#around(node, BODIES);
    if (this.#is(initializer, "ClassExpression")) return this.#add(name, "class", container);
    if (this.#isFunction(initializer)) return this.#add(name, "function", container);
    if (around === undefined) return this.#add(name, "constant", container);
    return this.#isCaptured(name, around) ? this.#add(name, "local", container) : undefined;
  }

  /** `Foo.prototype.m = `, `exports.a = `, `this.x = `. */
  #assignment(node: ScriptNode, container: string): string | undefined {
    const { left, right } = node;
    if (left === undefined || right === undefined) return undefined;
    if (!this.#is(left, "PropertyAccessExpression")) return undefined;
    const written = left.getText();
    if (node.getText().slice(written.length).trimStart()[0] !== "=") return undefined;
    const target = left.expression?.getText() ?? "";
    if (written === "module.exports" || !OWNER.test(target)) return undefined;
    // Each name of an object counts once, whichever of its functions assigns it.
    const owner = target === "this" ? container.replace(/\..*/, "") : target;
    return this.#add(left.name, this.#kindOf(right, target), owner);
  }

  #kindOf(value: ScriptNode, target: string): KindOfDefinition {
    if (this.#is(value, "ClassExpression")) return "class";
    if (!this.#isFunction(value)) return "field";
    return /^(?:module\.)?exports$/.test(target) ? "function" : "method";
  }

  /** Keys of literals that are a value of the module, are exported or returned. Others are arguments. */
  #isKept(member: ScriptNode): boolean {
    const literal = member.parent;
    if (!this.#is(literal, "ObjectLiteralExpression")) return true;
    const around = literal?.parent;
    if (this.#is(around, "ReturnStatement")) return true;
    if (this.#is(around, "VariableDeclaration")) return this.#around(around, BODIES) === undefined;
    return this.#is(around, "BinaryExpression") && around?.right === literal;
  }

  #isFunction(node: ScriptNode | undefined): boolean {
    return this.#is(node, ...FUNCTIONS);
  }

  #around(node: ScriptNode | undefined, kinds: readonly string[]): ScriptNode | undefined {
    let around = node?.parent;
    while (around !== undefined && !this.#is(around, ...kinds)) around = around.parent;
    return around;
  }

  /** Whether a function inside of `around` uses the name. */
  #isCaptured(name: ScriptNode | undefined, around: ScriptNode): boolean {
    const text = name?.getText() ?? "";
    const isUsed = (node: ScriptNode, isInner: boolean): boolean =>
      (isInner && this.#is(node, "Identifier") && node.getText() === text) ||
      this.#typescript.forEachChild(node, (child: ScriptNode) =>
        isUsed(child, isInner || (this.#is(child, ...BODIES) && node !== around))
          ? true
          : undefined,
      ) === true;
    return around.body !== undefined && isUsed(around.body, false);
  }

  #add(
    name: ScriptNode | undefined,
    kind: KindOfDefinition,
    container: string,
  ): string | undefined {
    const text = name?.getText() ?? "";
    if (name === undefined || !IDENTIFIER.test(text)) return undefined;
    const key = `${container}\0${text}`;
    const at = name.getStart();
    if (!this.#found.has(key)) this.#found.set(key, { name: text, kind, container, at });
    return container === "" ? text : `${container}.${text}`;
  }
}
