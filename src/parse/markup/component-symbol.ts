// The symbol of a component: a file is one, whatever its scripts define.
import type { Node } from "web-tree-sitter";

import type { Definition, ParsedOutline } from "../languages/definition-rules.ts";
import type { TextLines } from "../text-lines.ts";
import type { FileReferences } from "../references/references.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { ComponentFile } from "./component-file.ts";

/** The owner of members of the component, whose name is that of the file, and the name of an options object without a name. */
export const COMPONENT = "default";

/** Returns whether the scripts end before the code that is made of the markup: an open bracket would continue there. */
export function isApart(root: Node, { length }: ComponentFile): boolean {
  if (root.type === "ERROR") return false;
  return root.children.every(
    ({ startIndex, endIndex }) => startIndex > length || endIndex <= length,
  );
}

/** Returns the file with its scripts only. */
export function withoutMarkup(file: ComponentFile, scripts: string): ComponentFile {
  return { ...file, text: scripts, originOf: (offset) => offset };
}

/** Adds the component to the definitions of a file, or makes the object with its options the component. */
export function withComponent(
  { definitions, cuts }: ParsedOutline,
  file: ComponentFile,
  lines: TextLines,
): ParsedOutline {
  const options = definitions.find(isOptions);
  const name = options?.owner === undefined ? file.name : options.name;
  const placed = definitions.map((one) =>
    one === options ? withName(one, name, file) : withOwner(one, name, file),
  );
  if (options !== undefined) return { definitions: placed, cuts };
  return { definitions: [componentOf(file, lines), ...placed], cuts };
}

function isOptions({ kind, name, owner, isSymbol }: Definition): boolean {
  return kind === "class" && (owner === COMPONENT || (name === COMPONENT && !isSymbol));
}

function withName(options: Definition, name: string, { nameIndex }: ComponentFile): Definition {
  const signature = options.owner === undefined ? `component ${name}` : options.signature;
  return { ...options, name, owner: undefined, isSymbol: true, nameIndex, signature };
}

/** Properties that variables or types declare are members of the component. */
function withOwner(definition: Definition, component: string, file: ComponentFile): Definition {
  const { owner, isScope, members, nameIndex, kind } = definition;
  const isMember = owner === COMPONENT || (kind === "constant" && file.isProperty(nameIndex));
  const inside = isScope ? members : members.map((one) => withOwner(one, component, file));
  return { ...definition, owner: isMember ? component : owner, members: inside };
}

function componentOf({ name, nameIndex }: ComponentFile, lines: TextLines): Definition {
  const { count } = lines;
  return {
    name,
    owner: undefined,
    kind: "class",
    startLine: 1,
    endLine: count > 1 && lines.isBlank(count) ? count - 1 : count,
    nameLine: 1,
    nameIndex,
    access: "exported",
    signature: `component ${name}`,
    docLine: undefined,
    isSymbol: true,
    isTitle: false,
    isInline: true,
    isScope: true,
    members: [],
  };
}

interface NamedSymbols {
  readonly symbols: readonly Pick<SymbolDefinition, "name">[];
  /** By symbol: the offset of its name. */
  readonly names: readonly number[];
}

/** Makes the component the owner of what no other definition of the file uses, and its default export. */
export function withComponentUses(
  references: FileReferences,
  { symbols, names }: NamedSymbols,
  { nameIndex }: ComponentFile,
): FileReferences {
  const component = names.indexOf(nameIndex);
  const name = symbols[component]?.name ?? "";
  const uses = references.uses.map((use) =>
    use.owner === -1 && use.role !== "import" ? { ...use, owner: component } : use,
  );
  const hasDefault = references.imports.some(
    ({ isReexport, bindings }) => isReexport && bindings.some(({ local }) => local === COMPONENT),
  );
  if (hasDefault) return { ...references, uses };
  const bindings = [{ name, local: COMPONENT }];
  const exported = { line: 1, module: "", bindings, isWildcard: false, isReexport: true };
  return { ...references, uses, imports: [...references.imports, exported] };
}
