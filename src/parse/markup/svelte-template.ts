// The markup of a Svelte component as TypeScript: an element of a component becomes a call, `{#each}` a loop, `{#if}` a condition.
import { sourcePart, type SourcePart } from "./appended-text.ts";
import {
  isComponentName,
  isNamePath,
  writeElement,
  writeValue,
  type MarkupCode,
  type PassedProperty,
} from "./element-call.ts";
import {
  isEmptyTag,
  readMarkup,
  type Attribute,
  type ClosingTag,
  type Tag,
} from "./markup-tags.ts";
import { OpenElements } from "./open-elements.ts";
import { copyCode, endOfCode, isWholeCode, topLevelMatches } from "./script-code.ts";

const BLOCK = /^([#:/@])\s*([a-z]+)(?:\s+(if|then|catch)\b)?\s*/;
const AS = /\sas\s/y;
const THEN = /\s(?:then|catch)\s/y;
const COMMA = /,/y;
/** What begins the key of a loop: `item (item.id)`. */
const KEY = /\(/y;
/** A directive that sets no property: what it is, and the name or code that it uses. */
const DIRECTIVE =
  /^(?<kind>on|use|class|style|transition|in|out|animate|let|bind)[:](?<name>[^|\s]+)/;
/** Directives whose names are those of functions. */
const FUNCTION = /^(?:use|transition|in|out|animate)$/;
/** Directives that use a variable of their name if they have no value: `class:wide`. */
const SHORT = /^(?:bind|class|style)$/;
const ATTRIBUTE = /^[A-Za-z_$][\w$]*$/;

/** Writes the markup of a file. `component`: the name of the component in code. */
export function writeSvelteTemplate(code: MarkupCode, text: string, component: string): void {
  new SvelteWriter(code, text, component).write();
}

class SvelteWriter {
  readonly #code: MarkupCode;
  readonly #text: string;
  readonly #component: string;
  readonly #open: OpenElements;
  readonly #reading = {
    syntax: "svelte",
    onElement: (tag: Tag): void => this.#writeElement(tag),
    onClosing: (tag: ClosingTag): void => this.#closeElement(tag),
  } as const;
  /** The values of the open `{#await}` blocks. */
  readonly #awaited: SourcePart[] = [];

  constructor(code: MarkupCode, text: string, component: string) {
    this.#code = code;
    this.#text = text;
    this.#component = component;
    this.#open = new OpenElements((closing) => code.out.add(closing));
  }

  write(): void {
    for (let at = 0; at !== -1 && at < this.#text.length;) {
      MARKUP.lastIndex = at;
      const found = MARKUP.exec(this.#text);
      if (found === null) break;
      at =
        found[0] === "{"
          ? this.#readCode(found.index)
          : readMarkup(this.#text, found.index, this.#reading);
    }
    this.#open.closeAll();
  }

  #closeElement(closing: ClosingTag): void {
    const name = closing.isOnLine ? undefined : this.#componentName(closing.name);
    if (name !== undefined) this.#writeName({ text: name, at: closing.at });
    this.#open.close(`<${closing.name}`);
  }

  /** Reads code in braces, or the head of a block. */
  #readCode(at: number): number {
    const head = BLOCK.exec(this.#text.slice(at + 1, at + 60));
    const end = endOfCode(this.#text, at + 1 + (head?.[0].length ?? 0));
    if (end === -1) return -1;
    const start = at + 1 + (head?.[0].length ?? 0);
    const code = { text: this.#text.slice(start, end), at: start };
    if (head === null) this.#write(code, ["(", ");"]);
    else if (head[1] === "#") this.#openBlock(head[2] ?? "", code);
    else if (head[1] === ":") this.#continueBlock(head[2] ?? "", head[3] ?? "", code);
    else if (head[1] === "/") this.#closeBlock(head[2] ?? "");
    else this.#writeTag(head[2] ?? "", code);
    return end + 1;
  }

  #write(code: SourcePart, around?: readonly [string, string]): boolean {
    return writeValue(this.#code, code, around);
  }

  /** Copies names that are declared. */
  #declare(before: string, names: SourcePart, after: string): void {
    if (names.text.trim() === "" || !isWholeCode(names.text)) return;
    this.#code.out.add(before);
    copyCode(this.#code.out, names);
    this.#code.out.add(after);
  }

  #openBlock(name: string, code: SourcePart): void {
    const { out } = this.#code;
    const mayOpen = this.#open.mayOpenScope;
    if (name === "await") this.#awaited.push(code);
    if (!mayOpen) {
      this.#open.open(`#${name}`);
      return;
    }
    if (name === "if") {
      if (!this.#write(code, ["if (", ") {"])) out.add("if (0) {");
    } else if (name === "each") this.#openLoop(code);
    else if (name === "await") this.#openAwait(code);
    else if (name === "snippet" && isWholeCode(code.text) && code.text.includes("(")) {
      out.add("function ");
      copyCode(out, code);
      out.add(" {");
    } else {
      this.#write(code, ["(", ");"]);
      out.add("{");
    }
    this.#open.open(`#${name}`, "}");
  }

  /** Opens the loop of `items as item, index (item.id)`. */
  #openLoop(code: SourcePart): void {
    const { out } = this.#code;
    const as = topLevelMatches(code.text, AS).at(-1);
    const list = sourcePart(code, 0, as?.start ?? code.text.length);
    const rest = sourcePart(code, as?.end ?? code.text.length, code.text.length);
    const key = topLevelMatches(rest.text, KEY).at(0);
    const names = sourcePart(rest, 0, key?.start ?? rest.text.length);
    const comma = topLevelMatches(names.text, COMMA).at(0);
    const item = sourcePart(names, 0, comma?.start ?? names.text.length);
    const isLoop = item.text.trim() !== "" && isWholeCode(item.text) && isWholeCode(list.text);
    if (isLoop && list.text.trim() !== "") {
      this.#declare("for (const ", item, " of ");
      this.#write(list, ["(", ")) {"]);
    } else {
      this.#write(list, ["(", ");"]);
      out.add("{");
    }
    if (comma !== undefined) {
      this.#declare("const ", sourcePart(names, comma.end, names.text.length), " = 0;");
    }
    if (key !== undefined) this.#write(sourcePart(rest, key.start, rest.text.length), ["(", ");"]);
  }

  /** Opens `value then name`. */
  #openAwait(code: SourcePart): void {
    const [then] = topLevelMatches(code.text, THEN);
    const value = sourcePart(code, 0, then?.start ?? code.text.length);
    this.#awaited[this.#awaited.length - 1] = value;
    this.#write(value, ["(", ");"]);
    this.#code.out.add("{");
    if (then !== undefined) {
      const isThen = code.text.slice(then.start, then.end).includes("then");
      this.#declareAwaited(sourcePart(code, then.end, code.text.length), isThen);
    }
  }

  /** The value is in the code once more, without a place in the file: it is not used there. */
  #declareAwaited(name: SourcePart, isResult: boolean): void {
    const value = isResult ? this.#awaited.at(-1)?.text : undefined;
    const isKnown = value !== undefined && value.trim() !== "" && isWholeCode(value);
    this.#declare("const ", name, isKnown ? ` = (${value}\n);` : " = null;");
  }

  #continueBlock(name: string, second: string, code: SourcePart): void {
    const { out } = this.#code;
    if (name === "then" || name === "catch") {
      const rest = second === "" ? code : undefined;
      if (!this.#open.closeInside("#await")) return;
      out.add("} {");
      if (rest !== undefined) this.#declareAwaited(rest, name === "then");
      return;
    }
    if (name !== "else") return;
    const isCondition = second === "if" || this.#isInIf();
    if (!this.#open.closeInside(isCondition ? "#if" : "#each")) return;
    if (second === "if") {
      if (!this.#write(code, ["} else if (", ") {"])) out.add("} {");
    } else out.add(isCondition ? "} else {" : "} {");
  }

  /** Returns whether the innermost block that has an `{:else}` is a condition. */
  #isInIf(): boolean {
    return this.#open.innermostOf("#if", "#each") === "#if";
  }

  #closeBlock(name: string): void {
    if (this.#open.close(`#${name}`) && name === "await") this.#awaited.pop();
  }

  /** Writes `{@render …}`, `{@html …}`, `{@const …}` and the like. */
  #writeTag(name: string, code: SourcePart): void {
    const [equals] = name === "const" ? topLevelMatches(code.text, /=(?![=>])/y) : [];
    if (equals === undefined) {
      this.#write(code, ["(", ");"]);
      return;
    }
    const value = sourcePart(code, equals.end, code.text.length);
    if (!isWholeCode(value.text) || value.text.trim() === "") return;
    this.#declare("const ", sourcePart(code, 0, equals.start), " = ");
    this.#write(value, ["(", ");"]);
  }

  #writeElement(tag: Tag): void {
    const called = this.#componentName(tag.name.text);
    const properties: PassedProperty[] = [];
    const others: Attribute[] = [];
    for (const one of tag.attributes) {
      const property = called === undefined ? undefined : propertyOf(one);
      if (property === undefined || isMixed(one)) others.push(one);
      if (property !== undefined) properties.push(property);
    }
    if (called !== undefined) {
      writeElement(this.#code, { text: called, at: tag.name.at }, properties);
      this.#code.out.add(";");
    }
    const declared = others.filter(({ name }) => name.startsWith("let:"));
    const isScope = declared.length > 0 && this.#open.mayOpenScope;
    if (isScope) this.#code.out.add("{");
    for (const one of others) this.#writeAttribute(one);
    const name = `<${tag.name.text}`;
    this.#open.open(name, isScope ? "}" : "");
    if (isEmptyTag(tag)) this.#open.close(name);
  }

  #componentName(tag: string): string | undefined {
    if (tag === "svelte:self") return this.#component;
    return isComponentName(tag) ? tag : undefined;
  }

  #writeAttribute(attribute: Attribute): void {
    const { name, at, value, quote } = attribute;
    const { kind = "", name: used = "" } = DIRECTIVE.exec(name)?.groups ?? {};
    const named = { text: used, at };
    if (kind === "let") {
      const names = quote === "{" && value !== undefined ? value : named;
      if (isNamePath(used)) this.#declare("const ", names, " = null;");
      return;
    }
    const isUsed = FUNCTION.test(kind) || (value === undefined && SHORT.test(kind));
    if (isUsed && isNamePath(used)) this.#writeName(named);
    if (value !== undefined) this.#writeParts(value, quote);
  }

  #writeName(name: SourcePart): void {
    copyCode(this.#code.out, name, this.#code.rename);
    this.#code.out.add(";");
  }

  /** Writes the code of a value: `{code}`, or `"text {code} text"`. */
  #writeParts(value: SourcePart, quote: string): void {
    if (quote === "{") {
      const tag = /^\s*(?:\.\.\.|@attach\b)/.exec(value.text)?.[0].length ?? 0;
      this.#write(sourcePart(value, tag, value.text.length), ["(", ");"]);
      return;
    }
    for (let at = value.text.indexOf("{"); at !== -1; at = value.text.indexOf("{", at)) {
      const end = endOfCode(value.text, at + 1);
      if (end === -1) return;
      this.#write(sourcePart(value, at + 1, end), ["(", ");"]);
      at = end + 1;
    }
  }
}

const MARKUP = /[<{]/g;

/** Returns what an attribute of a component sets; undefined if it sets no property. */
function propertyOf({ name, at, value, quote }: Attribute): PassedProperty | undefined {
  if (name === "" && value !== undefined) {
    const spread = /^\s*\.\.\./.exec(value.text)?.[0].length;
    if (spread !== undefined) {
      return { key: undefined, value: sourcePart(value, spread, value.text.length) };
    }
    // `{name}` is short for `name={name}`.
    const text = value.text.trim();
    return ATTRIBUTE.test(text) ? { key: { text, at: value.at }, value } : undefined;
  }
  const bound = name.startsWith("bind:") ? name.slice("bind:".length) : name;
  if (!ATTRIBUTE.test(bound) || bound === "this" || bound === "slot") return undefined;
  const key = { text: bound, at };
  if (value === undefined) {
    return bound === name ? { key, value: undefined } : { key, value: { text: bound, at } };
  }
  if (quote === "{") return { key, value };
  const isWhole = value.text.startsWith("{") && endOfCode(value.text, 1) === value.text.length - 1;
  return { key, value: isWhole ? sourcePart(value, 1, value.text.length - 1) : undefined };
}

/** Returns whether a value is a text with code in it. */
function isMixed({ value, quote }: Attribute): boolean {
  if (value === undefined || quote === "{" || !value.text.includes("{")) return false;
  return !value.text.startsWith("{") || endOfCode(value.text, 1) !== value.text.length - 1;
}
