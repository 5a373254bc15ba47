// Finds what to color in a file, for any grammar: the types of nodes have similar names in all of them.
import type { Language, Node } from "web-tree-sitter";

import { COLOR_KINDS } from "./color-kinds.ts";
import { FlatSyntaxTree, type GrammarShape } from "./flat-tree/flat-syntax-tree.ts";
import { ANONYMOUS, INNER_NODE, LEAF_NODE } from "./flat-tree/flatten-tree.ts";

type Color = (typeof COLOR_KINDS)[number];

const WORD = /^[A-Za-z_]\w*$/;
const QUOTE = /^(?:"{1,3}|'{1,3}|`)$/;
const COMMENT = /comment/;
const STRING = /(?:^|_)(?:strings?|heredoc|template)(?:_(?:literal|array|body))?$|^string_value$/;
const STRING_PART =
  /^(?:string|heredoc|template|char|character)_\w+$|escape_sequence|^(?:rune|char|character)(?:_literal)?$/;
const EMBEDDED = /interpolat|substitution|embedded|expansion/;
const LITERAL =
  /^(?:number|integer|float|real|numeric|decimal|true|false|null|nil|none|undefined|bool|boolean)(?:_(?:literal|scalar|lit))?$|(?:int|integer|float|number|decimal|real|boolean|null|numeric)_(?:literal|scalar)$/i;
const TYPE =
  /^(?:type_identifier|(?:primitive|predefined|builtin|integral|floating_point|void|boolean)_type|type_name)$/;
/** Nodes whose children are not visited. */
const WHOLE = new RegExp(`${COMMENT.source}|${TYPE.source}`);
const SELF = /^(?:this|super|self|this_expression|super_expression)$/;
const PROPERTY = /^(?:bare_key|attribute_name|property_name)$/;
const CALL = /call|invocation|command$|new_expression|object_creation/;
const MEMBER = /member|field|selector|attribute|scoped|navigation|qualified|directly_assignable/;
const FUNCTION = /function|method|constructor|func_/;
const FUNCTION_VALUE =
  /^(?:arrow_function|function|function_expression|lambda|closure_expression)$/;
const TYPE_DEFINITION =
  /(?:class|struct|interface|enum|trait|type|protocol|object|record|union|alias).*(?:declaration|definition|item|spec)|^(?:class|module)$/;
const CALLED_FIELD = /^(?:function|name|method|macro|constructor|callee|)$/;

interface ColorShape extends GrammarShape {
  /** By type: the color of a leaf, whatever is around it. */
  readonly colors: readonly (Color | undefined)[];
}

const shapes = new WeakMap<Language, ColorShape>();

/**
 * Returns three numbers for each colored piece: its distance from the end of the previous one and its length, in UTF-16
 * code units, and its color as an index in `COLOR_KINDS`. `root` must be the tree of `text`.
 */
export function codeColors(root: Node, text: string): number[] {
  const shape = colorShapeOf(root.tree.language);
  const tree = new FlatSyntaxTree(root, text, shape);
  const pieces: number[] = [];
  let end = 0;
  for (let node = 0; node < tree.count;) {
    const isWhole = isWholeString(tree, node);
    const color = isWhole ? stringColor(tree, node) : leafColor(tree, node, shape.colors);
    if (color !== undefined) {
      const start = tree.start(node);
      const length = tree.end(node) - start;
      // A grammar may have tokens without text.
      if (start >= end && length > 0) {
        pieces.push(start - end, length, COLOR_KINDS.indexOf(color));
        end = start + length;
      }
    }
    node = isWhole ? tree.next(node) : node + 1;
  }
  return pieces;
}

/** True for a string without code in it. */
function isWholeString(tree: FlatSyntaxTree, node: number): boolean {
  if (tree.isLeaf(node) || !STRING.test(tree.typeName(node))) return false;
  for (let inner = node + 1; inner < tree.next(node); inner += 1) {
    if (EMBEDDED.test(tree.typeName(inner))) return false;
  }
  return true;
}

/** The keys of JSON are strings. */
function stringColor(tree: FlatSyntaxTree, node: number): Color {
  return tree.fieldName(node) === "key" ? "property" : "string";
}

function leafColor(
  tree: FlatSyntaxTree,
  node: number,
  colors: ColorShape["colors"],
): Color | undefined {
  if (!tree.isLeaf(node)) return undefined;
  const color = colors[tree.types[node] ?? 0];
  if (color !== undefined) return color;
  const field = tree.fieldName(node);
  if (field === "key") return "property";
  const parent = tree.parent(node);
  if (parent < 0) return undefined;
  const around = tree.typeName(parent);
  const isName = field === "name" || field === "declarator";
  if (isName && (FUNCTION.test(around) || holdsFunction(tree, parent))) return "function";
  if (field === "name" && TYPE_DEFINITION.test(around)) return "type";
  return isCalled(tree, node, { parent, around }) ? "function" : undefined;
}

/** True for `f = () => 1`. */
function holdsFunction(tree: FlatSyntaxTree, declaration: number): boolean {
  const value = tree.childInField(declaration, "value");
  return value >= 0 && FUNCTION_VALUE.test(tree.typeName(value));
}

/** True for `f` in `f()` and for `g` in `a.g()`. */
function isCalled(
  tree: FlatSyntaxTree,
  node: number,
  { parent, around }: { readonly parent: number; readonly around: string },
): boolean {
  const isFirst = node === parent + 1;
  if (CALL.test(around)) {
    const field = tree.fieldName(node);
    return CALLED_FIELD.test(field) && (field !== "" || isFirst);
  }
  const outer = tree.parent(parent);
  if (!MEMBER.test(around) || outer < 0 || isFirst || tree.next(node) !== tree.next(parent)) {
    return false;
  }
  const isCallee = parent === outer + 1 && CALLED_FIELD.test(tree.fieldName(parent));
  return isCallee && CALL.test(tree.typeName(outer));
}

function colorShapeOf(language: Language): ColorShape {
  let shape = shapes.get(language);
  if (shape === undefined) {
    const typeNames = language.types.map((name) => name ?? "");
    const classes = new Uint8Array(typeNames.length);
    const colors: (Color | undefined)[] = [];
    for (const [id, name] of typeNames.entries()) {
      const isNamed = language.nodeTypeIsNamed(id);
      const color = isNamed ? namedColor(name) : anonymousColor(name);
      colors.push(color);
      if (isNamed) classes[id] = WHOLE.test(name) ? LEAF_NODE : INNER_NODE;
      else classes[id] = color === undefined ? ANONYMOUS : LEAF_NODE;
    }
    shape = { typeNames, fieldNames: language.fields, classes, colors };
    shapes.set(language, shape);
  }
  return shape;
}

function anonymousColor(name: string): Color | undefined {
  if (QUOTE.test(name)) return "string";
  if (!WORD.test(name)) return undefined;
  return LITERAL.test(name) ? "literal" : "keyword";
}

function namedColor(name: string): Color | undefined {
  if (COMMENT.test(name)) return "comment";
  if (LITERAL.test(name)) return "literal";
  if (STRING_PART.test(name) || STRING.test(name)) return "string";
  if (TYPE.test(name)) return "type";
  if (SELF.test(name) || name.startsWith("keyword_") || name === "tag_name") return "keyword";
  return PROPERTY.test(name) ? "property" : undefined;
}
