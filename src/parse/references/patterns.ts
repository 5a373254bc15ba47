// Destructures patterns: finds the names that they declare, and the steps from the matched value to each.
import type { PatternRule } from "../languages/reference-rules.ts";
import { NO_NAME, partOf, type GrammarRules } from "./grammar-rules.ts";
import type { FlatSyntaxTree } from "../flat-tree/flat-syntax-tree.ts";

/** Maximum nesting. Deeper patterns declare nothing. */
const MAX_DEPTH = 30;
/** Maximum steps to a value. Longer paths have no expression anyway. */
const MAX_STEPS = 20;

/** Callbacks of `PatternReader`. */
export interface PatternNames {
  /** Called with a declared name, and the steps to its value. */
  readonly declared: (leaf: number, steps: readonly string[]) => void;
  /** Called with a member name, and the steps to the value that has the member. */
  readonly member: (leaf: number, steps: readonly string[]) => void;
}

/** Reads the patterns of one file. */
export class PatternReader {
  readonly #tree: FlatSyntaxTree;
  readonly #grammar: GrammarRules;

  constructor(tree: FlatSyntaxTree, grammar: GrammarRules) {
    this.#tree = tree;
    this.#grammar = grammar;
  }

  /** Reads a pattern. `steps` lead to the matched value; a pattern of a loop has one step. */
  read(pattern: number, steps: readonly string[], names: PatternNames): void {
    const rule = this.#ruleOf(pattern);
    if (steps.length === 0 || rule?.is !== "each" || rule.inLoop === undefined) {
      this.#read({ node: pattern, steps, depth: 0 }, names);
      return;
    }
    for (const [at, child] of this.#tree.children(pattern).entries()) {
      const step = rule.inLoop[at];
      const inside =
        step === undefined ? [...steps, stepOf(rule, pattern, this.#tree, child)] : [step];
      this.#read({ node: child, steps: inside, depth: 1 }, names);
    }
  }

  #ruleOf(node: number): PatternRule | undefined {
    return this.#grammar.nodes[this.#tree.types[node] ?? 0]?.pattern;
  }

  #isName(node: number): boolean {
    return this.#tree.isLeaf(node) && this.#grammar.names[this.#tree.types[node] ?? 0] !== NO_NAME;
  }

  #read(
    { node, steps, depth }: { node: number; steps: readonly string[]; depth: number },
    names: PatternNames,
  ): void {
    if (node === -1 || depth > MAX_DEPTH || steps.length > MAX_STEPS) return;
    const tree = this.#tree;
    const rule = this.#ruleOf(node);
    const inside = (child: number, step: string): void => {
      const further = step === "" ? steps : [...steps, step];
      this.#read({ node: child, steps: further, depth: depth + 1 }, names);
    };
    if (rule === undefined) {
      if (this.#isName(node)) names.declared(node, steps);
    } else if (rule.is === "through") inside(partOf(tree, node, rule.of), "");
    else if (rule.is === "each") {
      const isPattern = (child: number): boolean =>
        rule.except === undefined || tree.fieldName(child) !== rule.except;
      for (const child of tree.children(node).filter(isPattern))
        inside(child, stepOf(rule, node, tree, child));
    } else if (rule.is === "shorthand") {
      names.declared(node, [...steps, `.${tree.textOf(node)}`]);
      names.member(node, steps);
    } else {
      const key = partOf(tree, node, rule.key);
      const value = partOf(tree, node, rule.value);
      const isPattern = value === -1 && rule.isMemberOnly !== true;
      inside(value, this.#readKey({ key, steps, isPattern }, names));
    }
  }

  /** Reads a key. Returns the step to the value after it. `isPattern`: whether the key is the pattern too. */
  #readKey(
    { key, steps, isPattern }: { key: number; steps: readonly string[]; isPattern: boolean },
    names: PatternNames,
  ): string {
    if (key === -1 || !this.#isName(key)) return "?";
    const step = `.${this.#tree.textOf(key)}`;
    names.member(key, steps);
    if (isPattern) names.declared(key, [...steps, step]);
    return step;
  }
}

function stepOf(
  { step }: Extract<PatternRule, { is: "each" }>,
  node: number,
  tree: FlatSyntaxTree,
  child: number,
): string {
  return typeof step === "function" ? step(node, tree, child) : step;
}
