// The definitions in the code of a component, or of a script: also those in the function that a compiler puts around a script.
import type { FoundDefinition } from "./definitions.ts";
import type { SourceFile, SyntaxNode, TypeScript } from "./language-service.ts";
import type { KindOfDefinition } from "./truth.ts";

/** The function of svelte2tsx around a script. */
const WRAPPER = "$$render";

/** Returns one for each name of a container. */
export function componentDefinitionsIn(
  typescript: TypeScript,
  source: SourceFile,
): readonly FoundDefinition[] {
  const { SyntaxKind: kinds } = typescript;
  const found = new Map<string, FoundDefinition>();
  const add = (node: SyntaxNode, kind: KindOfDefinition, container: string): void => {
    const { name } = node;
    if (name === undefined || name.kind !== kinds["Identifier"]) return;
    const key = `${container}\0${name.getText()}`;
    if (!found.has(key))
      found.set(key, { name: name.getText(), kind, container, at: name.getStart() });
  };
  const members = (node: SyntaxNode, container: string): void => {
    for (const child of childrenOf(typescript, node)) {
      const isMember =
        child.kind === kinds["PropertySignature"] || child.kind === kinds["MethodSignature"];
      if (isMember) add(child, "member", container);
      else if (child.kind === kinds["TypeLiteral"]) members(child, container);
    }
  };
  const variable = (node: SyntaxNode): void => {
    const isFunction = childrenOf(typescript, node).some(({ kind }) =>
      [kinds["ArrowFunction"], kinds["FunctionExpression"]].includes(kind),
    );
    add(node, isFunction ? "function" : "constant", "");
  };
  const statements = (around: SyntaxNode): void => {
    for (const node of childrenOf(typescript, around)) {
      if (node.kind === kinds["FunctionDeclaration"]) {
        if (node.name?.getText() !== WRAPPER) add(node, "function", "");
        else childrenOf(typescript, node).forEach(statements);
      } else if (node.kind === kinds["InterfaceDeclaration"]) {
        add(node, "interface", "");
        members(node, node.name?.getText() ?? "");
      } else if (node.kind === kinds["TypeAliasDeclaration"]) {
        add(node, "type", "");
        members(node, node.name?.getText() ?? "");
      } else if (node.kind === kinds["VariableStatement"]) {
        const [list] = childrenOf(typescript, node).filter(
          ({ kind }) => kind === kinds["VariableDeclarationList"],
        );
        if (list !== undefined) childrenOf(typescript, list).forEach(variable);
      }
    }
  };
  statements(source);
  return [...found.values()];
}

function childrenOf({ forEachChild }: TypeScript, node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => {
    children.push(child);
    return undefined;
  });
  return children;
}
