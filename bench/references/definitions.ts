// The definitions of a file that others can refer to: without those inside of functions.
import type { NavigationTree } from "./language-service.ts";
import type { KindOfDefinition } from "./truth.ts";

export interface FoundDefinition {
  readonly name: string;
  readonly kind: KindOfDefinition;
  readonly container: string;
  /** Where the name begins, in UTF-16 units. */
  readonly at: number;
}

type Table = Readonly<Record<string, KindOfDefinition | undefined>>;

const OUTERMOST: Table = {
  function: "function",
  class: "class",
  interface: "interface",
  type: "type",
  enum: "enum",
  const: "constant",
  let: "constant",
  var: "constant",
};
const OF_CLASS: Table = { method: "method", getter: "method", setter: "method", property: "field" };
const OF_INTERFACE: Table = { method: "member", property: "member" };

const IDENTIFIER = /^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** `= (a) => `, `= async function`, `: Type = name =>` after the name of a constant. */
const FUNCTION_VALUE =
  /^\s*(?::[^=;]+)?=\s*(?:async\s+)?(?:function\b|\w+\s*=>|(?:<[^>()]*>\s*)?\([^;]*?\)\s*(?::[^;{]+?)?=>)/;
/** Characters after the name within which a function must begin. */
const HEAD_LENGTH = 600;

/** One for each name of a container: overloads and merged interfaces are one definition. */
export function definitionsIn(tree: NavigationTree, text: string): readonly FoundDefinition[] {
  const found = new Map<string, FoundDefinition>();
  collect(tree, { table: OUTERMOST, container: "", text, found });
  return [...found.values()];
}

interface Level {
  readonly table: Table;
  readonly container: string;
  readonly text: string;
  readonly found: Map<string, FoundDefinition>;
}

function collect(tree: NavigationTree, level: Level): void {
  const { table, container, text, found } = level;
  for (const child of tree.childItems ?? []) {
    const { nameSpan } = child;
    const inside = container === "" ? child.text : `${container}.${child.text}`;
    if (child.kind === "module") collect(child, { ...level, container: inside });
    const kind = table[child.kind];
    if (kind === undefined || nameSpan === undefined) continue;
    const name = text.slice(nameSpan.start, nameSpan.start + nameSpan.length);
    if (!IDENTIFIER.test(name)) continue;
    const key = `${container}\0${name}`;
    if (!found.has(key)) {
      const end = nameSpan.start + nameSpan.length;
      const isFunction =
        kind === "constant" && FUNCTION_VALUE.test(text.slice(end, end + HEAD_LENGTH));
      found.set(key, {
        name,
        kind: isFunction ? "function" : kind,
        container,
        at: nameSpan.start,
      });
    }
    if (kind === "class") collect(child, { ...level, table: OF_CLASS, container: inside });
    if (kind === "interface") collect(child, { ...level, table: OF_INTERFACE, container: inside });
  }
}
