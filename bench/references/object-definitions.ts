// The members of objects in a file of TypeScript: keys of the literals of variables without a declared type, at the outermost level
// and in each other, and what functions without a declared result return in a literal.
import type { FoundDefinition } from "./definitions.ts";
import type { SourceFile, SyntaxNode, TypeScript } from "./language-service.ts";

/** A node, with the children that the kinds of nodes below have. */
interface ObjectNode extends SyntaxNode {
  readonly parent?: ObjectNode;
  readonly name?: ObjectNode;
  readonly type?: ObjectNode;
  readonly initializer?: ObjectNode;
  readonly expression?: ObjectNode;
  readonly body?: ObjectNode;
  readonly statements?: readonly ObjectNode[];
  readonly properties?: readonly ObjectNode[];
}

/** `askedAt`: where the service is asked for the uses, if not at the name. */
export interface ObjectMember extends FoundDefinition {
  readonly askedAt?: number;
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const FUNCTIONS = [
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunction",
  "MethodDeclaration",
];
const MAX_LEVEL = 3;

/** In the order of the file. */
export function objectDefinitionsIn(
  typescript: TypeScript,
  source: SourceFile,
): readonly ObjectMember[] {
  return new ObjectReader(typescript).read(source);
}

class ObjectReader {
  readonly #typescript: TypeScript;
  readonly #found: ObjectMember[] = [];

  constructor(typescript: TypeScript) {
    this.#typescript = typescript;
  }

  read(source: SourceFile): readonly ObjectMember[] {
    this.#visit(source, "", false);
    return this.#found;
  }

  #is(node: ObjectNode | undefined, ...kinds: readonly string[]): boolean {
    return (
      node !== undefined && kinds.some((kind) => this.#typescript.SyntaxKind[kind] === node.kind)
    );
  }

  #visit(node: ObjectNode, container: string, isInFunction: boolean): void {
    const name = node.name?.getText() ?? "";
    const isFunction = this.#is(node, ...FUNCTIONS);
    const isNamed = this.#is(node, "VariableDeclaration", ...FUNCTIONS) && IDENTIFIER.test(name);
    const inner = isNamed ? `${container === "" ? "" : `${container}.`}${name}` : container;
    if (this.#is(node, "VariableDeclaration") && isNamed && !isInFunction && !node.type) {
      this.#members(this.#literal(node.initializer), inner, 1);
    }
    if (isFunction && inner !== "" && !node.type && !isInFunction) {
      this.#members(this.#literal(this.#returned(node)), inner, 1, node.body);
    }
    this.#typescript.forEachChild(node, (child) => {
      this.#visit(child, inner, isInFunction || isFunction);
      return undefined;
    });
  }

  #returned({ body }: ObjectNode): ObjectNode | undefined {
    if (!this.#is(body, "Block")) return body;
    const last = body?.statements?.at(-1);
    return this.#is(last, "ReturnStatement") ? last?.expression : undefined;
  }

  #literal(value: ObjectNode | undefined): ObjectNode | undefined {
    let inner = value;
    while (
      this.#is(inner, "ParenthesizedExpression") ||
      (this.#is(inner, "AsExpression") && inner?.type?.getText() === "const") ||
      (this.#is(inner, "SatisfiesExpression") && /^Record\b/.test(inner?.type?.getText() ?? ""))
    )
      inner = inner?.expression;
    return this.#is(inner, "ObjectLiteralExpression") ? inner : undefined;
  }

  #members(
    literal: ObjectNode | undefined,
    container: string,
    level: number,
    body?: ObjectNode,
  ): void {
    for (const member of literal?.properties ?? []) {
      const { name } = member;
      const text = name?.getText() ?? "";
      if (name === undefined || !IDENTIFIER.test(text)) continue;
      const at = name.getStart();
      if (this.#is(member, "ShorthandPropertyAssignment")) {
        const variable = body && this.#declaredIn(body, text);
        if (variable === undefined) continue;
        this.#found.push({ name: text, kind: "local", container, at: variable, askedAt: at });
        continue;
      }
      const isMethod =
        this.#is(member, "MethodDeclaration") || this.#is(member.initializer, ...FUNCTIONS);
      this.#found.push({ name: text, kind: isMethod ? "method" : "field", container, at });
      if (level < MAX_LEVEL)
        this.#members(this.#literal(member.initializer), `${container}.${text}`, level + 1);
    }
  }

  /** Where a body declares a name, in its own statements. */
  #declaredIn({ statements = [] }: ObjectNode, name: string): number | undefined {
    let found: number | undefined;
    const search = (node: ObjectNode): void => {
      if (this.#is(node, "VariableDeclaration", "BindingElement", "FunctionDeclaration")) {
        if (node.name?.getText() === name) found ??= node.name.getStart();
      }
      if (this.#is(node, ...FUNCTIONS)) return;
      this.#typescript.forEachChild(node, (child) => {
        search(child);
        return undefined;
      });
    };
    for (const statement of statements) search(statement);
    return found;
  }
}
