import { pythonConditions } from "./conditions.ts";
import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import type { TextName } from "../../references/text-names.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type {
  CallResult,
  Container,
  Declaration,
  NodeRule,
  ReferenceRules,
} from "../reference-rules.ts";

const WRAPPER_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };

const COMPREHENSION: NodeRule = { scope: "block", value: { is: "list", type: "list" } };
const EACH: NodeRule = { pattern: { is: "each", step: "[]", inLoop: ["?", "[]"] } };
const UNKNOWN: NodeRule = { pattern: { is: "each", step: "?" } };
const RETURNS_ARGUMENT: CallResult = { argument: 0, returns: "value" };
const RETURNS_ELEMENT: CallResult = { argument: 0, returns: "element" };
const RETURNS_INSTANCE: CallResult = { argument: 0, returns: "instance" };
const LOOP: Declaration = { names: "left", value: "right", step: "[]" };

/** Also of a class in a module, `models.Store`, and of the class of a method, `cls`. */
const CLASS_NAME = /(?:^|\.)_*[A-Z]\w*[a-z]\w*$|^cls$/;
/** Maximum characters of a called expression that are read, from its end: the expression may be long. */
const MAX_NAME = 60;

export const pythonReferences: ReferenceRules = {
  names: { identifier: "value", string_content: "member" },
  returns: ["return_statement"],
  blocks: ["block"],
  members: "body",
  hasSelfParameter: true,
  baseFunction: "super",
  conditionsOn: pythonConditions,
  selfType: "Self",
  unionType: "Union",
  ignored: ["super", "Self", "__name__", "__file__"],
  containers: {
    Optional: WRAPPER_OF,
    Awaitable: WRAPPER_OF,
    ClassVar: WRAPPER_OF,
    Final: WRAPPER_OF,
    Annotated: WRAPPER_OF,
    ContextManager: WRAPPER_OF,
    AsyncContextManager: WRAPPER_OF,
    Coroutine: { argument: 2, isCollection: false },
    list: ELEMENT_OF,
    List: ELEMENT_OF,
    set: ELEMENT_OF,
    Set: ELEMENT_OF,
    frozenset: ELEMENT_OF,
    FrozenSet: ELEMENT_OF,
    tuple: ELEMENT_OF,
    Tuple: ELEMENT_OF,
    deque: ELEMENT_OF,
    Deque: ELEMENT_OF,
    Sequence: ELEMENT_OF,
    MutableSequence: ELEMENT_OF,
    Collection: ELEMENT_OF,
    Iterable: ELEMENT_OF,
    Iterator: ELEMENT_OF,
    Generator: ELEMENT_OF,
    AsyncIterable: ELEMENT_OF,
    AsyncIterator: ELEMENT_OF,
    AsyncGenerator: ELEMENT_OF,
    dict: VALUE_OF,
    Dict: VALUE_OF,
    defaultdict: VALUE_OF,
    DefaultDict: VALUE_OF,
    OrderedDict: VALUE_OF,
    Mapping: VALUE_OF,
    MutableMapping: VALUE_OF,
  },
  calls: {
    next: RETURNS_ELEMENT,
    anext: RETURNS_ELEMENT,
    iter: RETURNS_ARGUMENT,
    aiter: RETURNS_ARGUMENT,
    list: RETURNS_ARGUMENT,
    set: RETURNS_ARGUMENT,
    tuple: RETURNS_ARGUMENT,
    frozenset: RETURNS_ARGUMENT,
    sorted: RETURNS_ARGUMENT,
    reversed: RETURNS_ARGUMENT,
    enumerate: RETURNS_ARGUMENT,
    "copy.copy": RETURNS_ARGUMENT,
    "copy.deepcopy": RETURNS_ARGUMENT,
    cast: RETURNS_INSTANCE,
    "t.cast": RETURNS_INSTANCE,
    "typing.cast": RETURNS_INSTANCE,
  },
  collectionMembers: {
    values: "same",
    copy: "same",
    get: "element",
    pop: "element",
    popleft: "element",
    send: "element",
    asend: "element",
  },
  nodes: {
    // Scopes and declarations.
    function_definition: {
      scope: "function",
      value: { is: "function", returns: "return_type", body: "body" },
      declares: [{ names: "name", value: ".", when: (node, tree) => !isInClass(node, tree) }],
    },
    lambda: { scope: "function", value: { is: "function", body: "body" } },
    class_definition: { scope: "type", self: "own", declares: [{ names: "name" }] },
    list_comprehension: COMPREHENSION,
    set_comprehension: COMPREHENSION,
    dictionary_comprehension: { scope: "block" },
    generator_expression: COMPREHENSION,
    parameters: { declares: [{ names: "*", isParameter: true }] },
    lambda_parameters: { declares: [{ names: "*", isParameter: true }] },
    default_parameter: { declares: [{ names: "name", value: "value", isParameter: true }] },
    typed_parameter: { declares: [{ names: 0, type: "type", isParameter: true }] },
    typed_default_parameter: {
      declares: [{ names: "name", type: "type", value: "value", isParameter: true }],
    },
    assignment: {
      declares: [{ names: "left", type: "type", value: "right" }],
      holds: { type: "type", value: "right" },
      sets: { member: "left", type: "type", value: "right" },
      value: { is: "through", of: "right" },
    },
    named_expression: {
      declares: [{ names: "name", value: "value", in: "function" }],
      value: { is: "through", of: "value" },
    },
    for_statement: { declares: [LOOP] },
    for_in_clause: { declares: [LOOP] },
    as_pattern: {
      declares: [
        { names: "alias", type: 0, when: isCaught },
        { names: "alias", value: 0, when: (node, tree) => !isCaught(node, tree) },
      ],
    },
    case_pattern: {},
    type_alias_statement: { holds: { type: 1 } },
    // Patterns.
    as_pattern_target: { pattern: { is: "through", of: 0 } },
    pattern_list: EACH,
    tuple_pattern: EACH,
    list_pattern: EACH,
    list_splat_pattern: UNKNOWN,
    dictionary_splat_pattern: UNKNOWN,
    // Expressions.
    attribute: { value: { is: "member", object: "object", name: "attribute" } },
    subscript: {
      value: { is: "element", of: "value" },
      type: { is: "generic", name: "value", arguments: "." },
    },
    call: {
      value: { is: "call", callee: "function", arguments: "arguments" },
      roles: { function: "call" },
    },
    parenthesized_expression: { value: { is: "through", of: 0 } },
    await: { value: { is: "through", of: 0 } },
    boolean_operator: { value: { is: "either", of: ["left", "right"] } },
    conditional_expression: { value: { is: "either", of: [0, 2] } },
    list: { value: { is: "list", type: "list" }, imports: readExported },
    tuple: { value: { is: "list", type: "tuple" }, imports: readExported },
    set: { value: { is: "list", type: "set" } },
    dictionary: { value: { is: "literal", type: "dict" } },
    string: {
      value: { is: "literal", type: "str" },
      type: { is: "quoted" },
      text: namesInType,
    },
    concatenated_string: { value: { is: "literal", type: "str" } },
    integer: { value: { is: "literal", type: "int" } },
    float: { value: { is: "literal", type: "float" } },
    true: { value: { is: "literal", type: "bool" } },
    false: { value: { is: "literal", type: "bool" } },
    // Types.
    type: { type: { is: "through", of: 0 }, isType: true },
    generic_type: { type: { is: "generic", name: 0, arguments: 1 } },
    member_type: { type: { is: "path" } },
    union_type: { type: { is: "union" } },
    binary_operator: { type: { is: "union" } },
    none: { type: { is: "nothing" } },
    // Other uses of names.
    argument_list: {
      roles: (node, tree) =>
        tree.fieldName(node) === "superclasses" ? { "*": "inherit" } : undefined,
    },
    keyword_argument: {
      value: { is: "member", object: classAround, name: "name", isKey: true },
    },
    decorator: { roles: { "*": "call" }, leads: true },
    // Imports.
    import_statement: { imports: readImport },
    import_from_statement: { imports: readImportFrom },
    future_import_statement: { imports: () => true },
  },
};

/** Returns the class that is called with a keyword argument: by convention, the names of classes begin with a capital letter. */
function classAround(argument: number, tree: FlatSyntaxTree): number {
  const list = tree.parent(argument);
  const call = list === -1 ? -1 : tree.parent(list);
  const callee = call === -1 ? -1 : tree.childInField(call, "function");
  return callee !== -1 && CLASS_NAME.test(tree.textOf(callee).slice(-MAX_NAME)) ? callee : -1;
}

/** Reads the names in `__all__ = ["open"]`: they are uses. Returns false: a list may contain other names. */
function readExported(node: number, { tree, add }: ImportReader): boolean {
  const around = tree.parent(node);
  if (!/^(?:augmented_)?assignment$/.test(tree.typeName(around))) return false;
  const left = tree.childInField(around, "left");
  if (left === -1 || tree.textOf(left) !== "__all__") return false;
  const bindings = tree.childrenOfType(node, "string").flatMap((text): readonly FoundBinding[] => {
    const name = tree.literalOf(text);
    const [content] = tree.childrenOfType(text, "string_content");
    return content === undefined ? [] : [{ name, local: "", node: content }];
  });
  if (bindings.length > 0) add({ node, module: "", bindings, isReexport: true });
  return false;
}

function isInClass(node: number, tree: FlatSyntaxTree): boolean {
  let around = tree.parent(node);
  if (tree.typeName(around) === "decorated_definition") around = tree.parent(around);
  return tree.typeName(tree.parent(around)) === "class_definition";
}

/** Returns whether the node is `except Error as error`, which declares a value of that type. */
function isCaught(node: number, tree: FlatSyntaxTree): boolean {
  return tree.typeName(tree.parent(node)) === "except_clause";
}

/** Reads `import a.b, c as d`. The local name of `a.b` is `a.b`. */
function readImport(node: number, { tree, add }: ImportReader): boolean {
  for (const child of tree.children(node)) {
    const isAliased = tree.typeName(child) === "aliased_import";
    const named = isAliased ? tree.childInField(child, "name") : child;
    if (named === -1) continue;
    const module = tree.textOf(named);
    const alias = isAliased ? tree.childInField(child, "alias") : -1;
    const local = alias === -1 ? module : tree.textOf(alias);
    add({ node: child, module, bindings: [{ name: "*", local, node: -1 }] });
  }
  return true;
}

function readImportFrom(node: number, { tree, add }: ImportReader): boolean {
  const from = tree.childInField(node, "module_name");
  if (from === -1) return true;
  const bindings: FoundBinding[] = [];
  for (const child of tree.children(node)) {
    if (tree.fieldName(child) !== "name") continue;
    const isAliased = tree.typeName(child) === "aliased_import";
    const named = isAliased ? tree.childInField(child, "name") : child;
    if (named === -1) continue;
    const alias = isAliased ? tree.childInField(child, "alias") : -1;
    const name = tree.textOf(named);
    const local = alias === -1 ? name : tree.textOf(alias);
    bindings.push({ name, local, node: tree.isLeaf(named) ? named : tree.child(named, 0) });
  }
  const isWildcard = tree.childrenOfType(node, "wildcard_import").length > 0;
  add({ node, module: tree.textOf(from), bindings, isWildcard });
  return true;
}

/** Nodes around the text of a type. */
const AROUND_TYPE =
  /^(?:type|type_parameter|generic_type|subscript|union_type|binary_operator|list)$/;
/** Maximum depth of nodes that are visited in a type; a sum of thousands of strings is deeper. */
const MAX_LEVELS = 16;
/** A longer text is not a type. */
const MAX_TYPE_CHARS = 1000;

/** Returns the names in the text of a type: `"Store | None"`. */
function namesInType(text: number, tree: FlatSyntaxTree): readonly TextName[] {
  if (!isInType(text, tree)) return [];
  const type = tree.textOf(text);
  if (type.length > MAX_TYPE_CHARS) return [];
  const start = tree.start(text);
  return [...type.matchAll(/(?:([A-Za-z_][\w.]*)\.)?([A-Za-z_]\w*)/g)].map(
    ({ 1: receiver = "", 2: name = "", index }) => ({
      name,
      role: "type",
      receiver,
      offset: start + index,
    }),
  );
}

/** Returns whether a text is a part of a type, except of `Literal["text"]`. */
function isInType(text: number, tree: FlatSyntaxTree): boolean {
  let around = tree.parent(text);
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const name = tree.typeName(around);
    if (!AROUND_TYPE.test(name) || isLiteralType(around, tree)) return false;
    const parent = tree.parent(around);
    if (name === "type" && !AROUND_TYPE.test(tree.typeName(parent))) return true;
    around = parent;
  }
  return false;
}

/** Only the end of the name is read: what an index is taken of may be long. */
function isLiteralType(node: number, tree: FlatSyntaxTree): boolean {
  return /(?:^|\W)Literal$/.test(tree.textOf(node + 1).slice(-8));
}
