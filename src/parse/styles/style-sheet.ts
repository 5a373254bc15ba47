// Reads a style sheet: the names that it defines and uses, and what it imports.

import { lineNumbers } from "../shared-names/named-text.ts";
import type { SymbolKind } from "../languages/definition-rules.ts";
import type { Import } from "../references/references.ts";
import { blockRule, parametersIn } from "./block-rules.ts";
import { indentedStatements } from "./indented-statements.ts";
import { selectorNames, type SelectorName } from "./selectors.ts";
import type { StyleDialect, StyleSyntax } from "./style-dialect.ts";
import type { StyleDefinition, StyleFacts, StyleName } from "./style-facts.ts";
import { styleImports } from "./style-imports.ts";
import type { StyleStatement } from "./style-statement.ts";
import { styleStatements } from "./style-statements.ts";
import { animationNames, valueNames, type ValueName } from "./value-names.ts";

/** Maximum definitions of a style sheet. */
const MAX_DEFINITIONS = 4000;
/** Maximum rules of one name that count as its definitions; the others use it. */
const MAX_RULES = 8;
/** Maximum uses of a style sheet. */
const MAX_USES = 20_000;
/** Deeper blocks are read like those around them. */
const MAX_DEPTH = 100;

const VARIABLE = /^([$@][\p{L}_-][\p{L}\p{N}_-]*)\s*:([^]*)$/u;
const PROPERTY = /^(--[\p{L}\p{N}_-]+)\s*:([^]*)$/u;
const RULE = /^@([\w-]+)\s*([^]*)$/;
/** `:global { … }` has rules for all components. */
const GLOBAL = /(?:^|[\s>+~&]):(?:global|:ng-deep|:v-deep)$/;
const DECLARATION = /^([\w-]+)\s*:(?!:)([^]*)$/;

/** What a style sheet belongs to. */
export interface StyleSheetOptions extends StyleSyntax {
  /** Whether its classes are only those of one component or module. */
  readonly isScoped: boolean;
  /** The line on which it begins; 1-based. */
  readonly firstLine: number;
}

/** Returns what a style sheet defines, uses and imports. */
export function readStyleSheet(text: string, options: StyleSheetOptions): StyleFacts {
  const reading = new StyleSheetReading(options);
  const { dialect, isIndented } = options;
  const statements = isIndented
    ? indentedStatements(text)
    : styleStatements(text, { hasLineComments: dialect !== "css" });
  for (const statement of statements) reading.take(statement);
  return reading.finish();
}

interface Block {
  /** Whether its rules are not only those of the component. */
  readonly isGlobal: boolean;
  /** What `&` stands for. */
  readonly parents: readonly string[];
  /** Variables that exist only in the block. */
  locals: Set<string> | undefined;
  /** What the block is the definition of. */
  readonly definitions: StyleDefinition[];
}

/** A text in a statement, and its line. */
interface Part {
  readonly text: string;
  readonly line: number;
}

class StyleSheetReading {
  readonly #dialect: StyleDialect;
  readonly #isScoped: boolean;
  readonly #shift: number;
  readonly #definitions: StyleDefinition[] = [];
  readonly #uses: StyleName[] = [];
  readonly #imports: Import[] = [];
  /** The local names of modules of Sass itself. */
  readonly #builtIn = new Set<string>();
  readonly #blocks: Block[] = [];
  /** How many more blocks are open. */
  #deeper = 0;
  readonly #rules = new Map<string, number>();
  /** Names that rules mention, and where first. */
  readonly #mentioned = new Map<string, StyleName>();

  constructor({ dialect, isScoped, firstLine }: StyleSheetOptions) {
    this.#dialect = dialect;
    this.#isScoped = isScoped;
    this.#shift = firstLine - 1;
  }

  take({ kind, text, line: at }: StyleStatement): void {
    const line = at + this.#shift;
    if (kind === "plain") {
      this.#statement({ text, line });
    } else if (kind === "open") {
      if (this.#blocks.length < MAX_DEPTH) this.#blocks.push(this.#block({ text, line }));
      else this.#deeper += 1;
    } else if (this.#deeper > 0) this.#deeper -= 1;
    else for (const one of this.#blocks.pop()?.definitions ?? []) one.endLine = line;
  }

  /** A name that no rule is about is defined where it is first mentioned. */
  finish(): StyleFacts {
    const uses = new Set(this.#uses);
    for (const [name, first] of this.#mentioned) {
      if (this.#rules.has(name) || this.#definitions.length >= MAX_DEFINITIONS) continue;
      const { line } = first;
      this.#define(name, { kind: "section", line, isGlobal: false });
      uses.delete(first);
    }
    return { definitions: this.#definitions, uses: [...uses], imports: this.#imports };
  }

  #block(head: Part): Block {
    const { parents = [], isGlobal = false } = this.#blocks.at(-1) ?? {};
    const block: Block = { parents, isGlobal, locals: undefined, definitions: [] };
    const [, rule, rest = ""] = RULE.exec(head.text) ?? [];
    const variable = this.#dialect === "less" ? VARIABLE.exec(head.text)?.[1] : undefined;
    if (variable !== undefined) {
      this.#defineVariable(variable, { value: "", line: head.line });
    } else if (rule === undefined || rule === "at-root") {
      const at = head.text.length - rest.length;
      return this.#ruleBlock(rule === undefined ? head : partAt(head, rest, at), block);
    } else {
      this.#openRule(rule, partAt(head, rest, head.text.length - rest.length), block);
    }
    return block;
  }

  /** `@media`, `@mixin`, `@each` and the like. */
  #openRule(rule: string, rest: Part, block: Block): void {
    const { defined, locals, isRead } = blockRule(rule, rest.text);
    if (defined !== undefined) {
      const { name, kind } = defined;
      const definition = this.#define(name, { kind, line: rest.line, isGlobal: true });
      if (definition !== undefined) block.definitions.push(definition);
    }
    block.locals = locals;
    if (!isRead) return;
    this.#blocks.push(block);
    // The name of a mixin is followed by its parameters, as in a call.
    const from = defined?.name.length ?? 0;
    this.#namesOfRule(rule, partAt(rest, rest.text.slice(from), from));
    this.#blocks.pop();
  }

  #ruleBlock(head: Part, block: Block): Block {
    const { names, parents } = selectorNames(head.text, block.parents);
    const isMixin = this.#dialect === "less" && head.text.includes("(");
    const inner: Block = {
      ...block,
      parents: parents.length > 0 ? parents : block.parents,
      isGlobal: block.isGlobal || GLOBAL.test(head.text),
    };
    if (isMixin) inner.locals = parametersIn(head.text);
    this.#addSelector(head, names, inner);
    if (this.#dialect !== "css" && /[#@]\{/.test(head.text)) {
      this.#addValues(head, ({ isCall }) => !isCall);
    }
    return inner;
  }

  #addSelector(head: Part, names: readonly SelectorName[], block: Block): void {
    const lineAt = linesOf(head);
    const own = new Set<string>();
    for (const { name, at, isSubject, isGlobal } of names) {
      const line = lineAt(at);
      if (!isSubject) {
        this.#mention({ name, line, isMention: true });
        continue;
      }
      if (own.has(name)) continue;
      own.add(name);
      const rules = (this.#rules.get(name) ?? 0) + 1;
      this.#rules.set(name, rules);
      if (rules > MAX_RULES) {
        this.#use({ name, line, isMention: true });
        continue;
      }
      const defined = this.#define(name, {
        kind: "section",
        line,
        isGlobal: isGlobal || block.isGlobal,
      });
      if (defined !== undefined) block.definitions.push(defined);
    }
  }

  #mention(use: StyleName): void {
    if (!this.#mentioned.has(use.name)) this.#mentioned.set(use.name, use);
    this.#use(use);
  }

  #statement(whole: Part): void {
    const { text, line } = whole;
    if (text.startsWith("$") || (text.startsWith("@") && this.#dialect === "less")) {
      const [, variable, value = ""] = VARIABLE.exec(text) ?? [];
      if (variable !== undefined) {
        this.#addValues(partAt(whole, value, text.length - value.length));
        this.#defineVariable(variable, { value, line });
        return;
      }
    }
    if (text.startsWith("--")) this.#property(whole);
    else if (text.startsWith("@")) this.#plainRule(whole);
    else if (this.#dialect === "less" && /^[.#](?!\{)/.test(text)) this.#lessCall(whole);
    else this.#declaration(whole);
  }

  #property(whole: Part): void {
    const [, name, value = ""] = PROPERTY.exec(whole.text) ?? [];
    if (name === undefined) return;
    this.#define(name, { kind: "constant", line: whole.line, isGlobal: true });
    this.#addValues(partAt(whole, value, whole.text.length - value.length));
  }

  #plainRule(whole: Part): void {
    const imports = styleImports(whole.text, whole.line);
    if (imports.length > 0) {
      this.#imports.push(...imports);
      for (const { module, bindings } of imports)
        if (module.startsWith("sass:")) for (const { local } of bindings) this.#builtIn.add(local);
      this.#addConfigured(whole, imports[0]);
      return;
    }
    const [, rule = "", rest = ""] = RULE.exec(whole.text) ?? [];
    this.#namesOfRule(rule, partAt(whole, rest, whole.text.length - rest.length));
  }

  /** `@use "theme" with ($width: 2px)` uses a variable of that style sheet. */
  #addConfigured(whole: Part, one: Import | undefined): void {
    const at = whole.text.search(/\bwith\s*\(/);
    if (at === -1) return;
    const lineAt = linesOf(whole);
    const module = one?.bindings[0]?.local;
    for (const { 1: name = "", index } of whole.text
      .slice(at)
      .matchAll(/(\$[\p{L}_-][\p{L}\p{N}_-]*)\s*:/gu)) {
      this.#use({ name, line: lineAt(at + index), module });
    }
    this.#addValues(partAt(whole, whole.text.slice(at), at));
  }

  #namesOfRule(rule: string, rest: Part): void {
    if (rule === "extend") {
      const lineAt = linesOf(rest);
      for (const { name, at } of selectorNames(rest.text, []).names)
        this.#use({ name, line: lineAt(at) });
    } else if (rule === "apply") {
      this.#addClasses(rest);
    } else if (rule === "include") {
      const [whole = "", module, name = ""] =
        /^(?:([\p{L}_-][\p{L}\p{N}_-]*)\.)?(-?[\p{L}_][\p{L}\p{N}_-]*)/u.exec(rest.text) ?? [];
      if (name !== "") this.#use({ name, line: rest.line, isCall: true, module });
      this.#addValues(partAt(rest, rest.text.slice(whole.length), whole.length));
    } else if (this.#dialect === "less" && /^\w[\w-]*\s*\(\s*\)$/.test(`${rule}${rest.text}`)) {
      this.#use({ name: `@${rule}`, line: rest.line, isCall: true });
    } else if (rule !== "charset" && rule !== "layer") {
      this.#addValues(rest);
    }
  }

  /** `@apply btn-primary rounded`. */
  #addClasses(rest: Part): void {
    const lineAt = linesOf(rest);
    for (const { 0: word, index } of rest.text.matchAll(/\S+/g)) {
      if (/^-?[\p{L}_][\p{L}\p{N}_-]*$/u.test(word))
        this.#use({ name: `.${word}`, line: lineAt(index) });
    }
  }

  /** `.rounded(4px);` and `#shapes > .rounded();` */
  #lessCall(whole: Part): void {
    const bracket = whole.text.indexOf("(");
    const path = bracket === -1 ? whole.text : whole.text.slice(0, bracket);
    const lineAt = linesOf(whole);
    for (const { name, at } of selectorNames(path, []).names)
      this.#use({ name, line: lineAt(at), isCall: true });
    if (bracket === -1) return;
    const passed = partAt(whole, whole.text.slice(bracket), bracket);
    if (path.endsWith(":extend")) this.#addExtended(passed);
    else this.#addValues(passed);
  }

  #addExtended(part: Part): void {
    const lineAt = linesOf(part);
    const { names } = selectorNames(part.text.replaceAll(/[()]/g, " "), []);
    for (const { name, at } of names) this.#use({ name, line: lineAt(at) });
  }

  #declaration(whole: Part): void {
    const extend = whole.text.indexOf(":extend(");
    if (extend !== -1 && whole.text.startsWith("&")) {
      this.#addExtended(partAt(whole, whole.text.slice(extend + 7), extend + 7));
      return;
    }
    const [, property = "", value = ""] = DECLARATION.exec(whole.text) ?? [];
    const part = partAt(whole, value, whole.text.length - value.length);
    if (property === "composes") this.#composes(part);
    else if (/^(?:-\w+-)?animation(?:-name)?$/.test(property)) {
      this.#add(part, [...animationNames(value)]);
    }
    this.#addValues(property === "" ? whole : part);
  }

  /** `composes: base wide from "./layout.css"` of CSS modules. */
  #composes(part: Part): void {
    const [, classes = "", module] =
      /^([^]*?)(?:\sfrom\s+(?:global|["']([^"']+)["'])\s*)?$/.exec(part.text) ?? [];
    const lineAt = linesOf(part);
    for (const { 0: word, index } of classes.matchAll(/[\p{L}_-][\p{L}\p{N}_-]*/gu))
      this.#use({ name: `.${word}`, line: lineAt(index), module });
    if (module === undefined) return;
    const bindings = [{ name: "*", local: module }];
    this.#imports.push({ line: part.line, module, bindings, isWildcard: false, isReexport: false });
  }

  #addValues(part: Part, accepts?: (name: ValueName) => boolean): void {
    const found = [...valueNames(part.text, this.#dialect)];
    this.#add(part, accepts === undefined ? found : found.filter((one) => accepts(one)));
  }

  #add(part: Part, names: readonly ValueName[]): void {
    if (names.length === 0) return;
    const lineAt = linesOf(part);
    for (const { name, at, module, isCall } of names) {
      if (module === undefined && this.#isLocal(name)) continue;
      this.#use({ name, line: lineAt(at), isCall, module });
    }
  }

  #isLocal(name: string): boolean {
    return this.#blocks.some(({ locals }) => locals?.has(name) === true);
  }

  /** A variable that a block assigns exists only there. */
  #defineVariable(name: string, { value, line }: { value: string; line: number }): void {
    const block = this.#blocks.at(-1);
    if (block === undefined || /!global\b/.test(value)) {
      this.#define(name, { kind: "constant", line, isGlobal: true });
    } else {
      block.locals ??= new Set();
      block.locals.add(name);
    }
  }

  #use(use: StyleName): void {
    if (use.module !== undefined && this.#builtIn.has(use.module)) return;
    if (this.#uses.length < MAX_USES) this.#uses.push(use);
  }

  #define(
    name: string,
    { kind, line, isGlobal }: { kind: SymbolKind; line: number; isGlobal: boolean },
  ): StyleDefinition | undefined {
    if (this.#definitions.length >= MAX_DEFINITIONS) return undefined;
    const isScoped = this.#isScoped && !isGlobal;
    const defined = { name, kind, line, endLine: line, isScoped };
    this.#definitions.push(defined);
    return defined;
  }
}

function partAt({ text, line }: Part, part: string, at: number): Part {
  return { text: part, line: linesOf({ text, line })(at) };
}

function linesOf({ text, line }: Part): (at: number) => number {
  const lineAt = lineNumbers(text);
  return (at) => lineAt(at) + line - 1;
}
