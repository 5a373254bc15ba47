// The template of a Vue component as TypeScript: an element of a component becomes a call, `v-for` a loop, `v-if` a condition.
import { camelCase, pascalCase } from "../../base/identifier-case.ts";
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
import { copyCode, isWholeCode, topLevelMatches, type Renamed } from "./script-code.ts";
import { declaredNames, decoded, vueProperty } from "./vue-attributes.ts";

const OWN_ELEMENTS =
  /^(?:component|slot|template|transition|transition-group|keep-alive|teleport|suspense)$/i;
const SLOT = /^(?:#|v-slot\b|slot-scope$)/;
const CONDITION = /^v-(?:if|else-if|else)$/;
const HANDLER = /^(?:@|v-on:)/;
const FUNCTION = /^\s*(?:async\s+)?function\b/;
const LOOP_WORD = /\s(?:in|of)\s/y;
/** Further names are taken for those of the script. */
const MAX_DECLARED = 500;
const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Writes a template. `words`: the names in the scripts. */
export function writeVueTemplate(
  code: MarkupCode,
  template: SourcePart,
  words: ReadonlySet<string>,
): void {
  new VueWriter(code, template, words).write();
}

class VueWriter {
  readonly #code: MarkupCode;
  readonly #text: string;
  readonly #base: number;
  readonly #words: ReadonlySet<string>;
  readonly #open: OpenElements;
  readonly #reading = {
    syntax: "vue",
    onElement: (tag: Tag): void => this.#writeElement(tag),
    onClosing: (tag: ClosingTag): void => this.#closeElement(tag),
  } as const;
  /** Where `else` can be written: after the end of a condition. */
  #afterCondition = -1;
  /** Offset of the next `{{`, as far as it is known; -1 if there is no further one. */
  #mustache: number;
  /** The names that the open elements declare. */
  readonly #declared: string[] = [];

  constructor(code: MarkupCode, { text, at }: SourcePart, words: ReadonlySet<string>) {
    const { rename } = code;
    const inElements = (name: string): Renamed | undefined =>
      this.#declared.includes(name) ? undefined : rename?.(name);
    this.#code = { out: code.out, rename: inElements };
    this.#text = text;
    this.#base = at;
    this.#mustache = text.indexOf("{{");
    this.#words = words;
    this.#open = new OpenElements((closing) => {
      code.out.add(closing);
      if (closing.endsWith("}/**/")) this.#afterCondition = code.out.length;
    });
  }

  write(): void {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const next = text.indexOf("<", at);
      const after = this.#writeText(at, next === -1 ? text.length : next);
      if (next === -1) break;
      // `{{ a < b }}`
      const end = after > next ? after : readMarkup(text, next, this.#reading);
      if (end === -1) break;
      at = end;
    }
    this.#open.closeAll();
  }

  #closeElement(closing: ClosingTag): void {
    const name = closing.isOnLine ? undefined : this.#componentName(closing.name);
    if (name !== undefined) this.#writeName({ text: name, at: this.#base + closing.at });
    this.#open.close(closing.name);
  }

  /** Writes the code in a text. Returns the offset after the last code. */
  #writeText(from: number, to: number): number {
    let at = from;
    while (at < to) {
      const start = this.#mustacheFrom(at);
      if (start === -1 || start >= to) return at;
      const end = this.#text.indexOf("}}", start + 2);
      if (end === -1) {
        this.#mustache = -1;
        return at;
      }
      this.#write({ text: this.#text.slice(start + 2, end), at: start + 2 }, ["(", ");"]);
      at = end + 2;
    }
    return at;
  }

  /** Returns the offset of the first `{{` from an offset; -1 if there is none. */
  #mustacheFrom(at: number): number {
    if (this.#mustache !== -1 && this.#mustache < at) this.#mustache = this.#text.indexOf("{{", at);
    return this.#mustache;
  }

  /** Writes code at an offset of the template. */
  #write({ text, at }: SourcePart, around?: readonly [string, string]): boolean {
    return writeValue(this.#code, { text, at: this.#base + at }, around);
  }

  #writeElement(tag: Tag): void {
    const mayOpen = this.#open.mayOpenScope;
    const declared = this.#declared.length;
    let closing = "";
    if (mayOpen) {
      for (const one of tag.attributes) if (one.name === "v-for") closing += this.#openLoop(one);
      closing = this.#openCondition(tag) + closing;
      if (tag.name.text === "template") closing = this.#openSlot(tag) + closing;
    }
    const isComponent = this.#writeCall(tag);
    if (mayOpen && tag.name.text !== "template") closing = this.#openSlot(tag) + closing;
    for (const one of tag.attributes) this.#writeDirective(one, isComponent);
    const name = tag.name.text;
    this.#open.open(name, closing, () => {
      this.#declared.length = declared;
    });
    if (isEmptyTag(tag)) this.#open.close(name);
  }

  /** Opens the loop of `(item, index) in items`. */
  #openLoop({ value }: Attribute): string {
    if (value === undefined) return "";
    const code = decoded(value);
    const [word] = topLevelMatches(code.text, LOOP_WORD);
    if (word === undefined) return "";
    const list = sourcePart(code, word.end, code.text.length);
    const [item, ...others] = declaredNames(sourcePart(code, 0, word.start));
    if (item === undefined || !isWholeCode(list.text) || list.text.trim() === "") return "";
    const { out } = this.#code;
    out.add("for (const ");
    this.#declare(item);
    out.add(" of ");
    this.#write(list, ["(", ")) {"]);
    for (const other of others) {
      out.add("const ");
      this.#declare(other);
      out.add(" = 0;");
    }
    return "}";
  }

  #openCondition({ attributes }: Tag): string {
    const condition = attributes.find(({ name }) => CONDITION.test(name));
    if (condition === undefined) return "";
    const { out } = this.#code;
    const isElse = condition.name !== "v-if";
    if (isElse && this.#afterCondition === out.length) out.add(" else ");
    const { value } = condition;
    if (condition.name === "v-else" || value === undefined) out.add("{");
    else if (!this.#write(decoded(value), ["if (", ") {"])) out.add("if (0) {");
    return "}/**/";
  }

  /** Opens the scope of `#item="{ name }"`. */
  #openSlot({ attributes }: Tag): string {
    const slot = attributes.find(({ name }) => SLOT.test(name));
    if (slot?.value === undefined || slot.value.text.trim() === "") return "";
    const pattern = decoded(slot.value);
    if (!isWholeCode(pattern.text)) return "";
    const { out } = this.#code;
    out.add("{const ");
    this.#declare(pattern);
    out.add(" = null;");
    return "}";
  }

  /** Copies a name or a pattern. Its names are not those of the script up to the end of the element. */
  #declare({ text, at }: SourcePart): void {
    copyCode(this.#code.out, { text, at: this.#base + at });
    const names = text.match(NAMES) ?? [];
    this.#declared.push(...names.slice(0, MAX_DECLARED - this.#declared.length));
  }

  /** Returns whether the element is one of a component. */
  #writeCall({ name, attributes }: Tag): boolean {
    const called = this.#componentName(name.text);
    if (called === undefined) return false;
    const properties = attributes.flatMap((one) => this.#propertyOf(one) ?? []);
    writeElement(this.#code, { text: called, at: this.#base + name.at }, properties);
    this.#code.out.add(";");
    return true;
  }

  /** Returns the name of a component as in the script; undefined for elements of HTML. */
  #componentName(tag: string): string | undefined {
    if (this.#words.has(tag) && /^\p{Lu}/u.test(tag)) return tag;
    if (OWN_ELEMENTS.test(tag) || OWN_ELEMENTS.test(pascalCase(tag))) return undefined;
    if (isComponentName(tag)) return tag;
    if (!tag.includes("-")) return undefined;
    const [camel, pascal] = [camelCase(tag), pascalCase(tag)];
    const name = !this.#words.has(pascal) && this.#words.has(camel) ? camel : pascal;
    return isNamePath(name) ? name : undefined;
  }

  /** Returns what an attribute of a component sets. */
  #propertyOf(attribute: Attribute): PassedProperty | undefined {
    const set = vueProperty(attribute);
    if (set === undefined) return undefined;
    const { key, value } = set;
    return { key: key && this.#inFile(key), value: value && this.#inFile(value) };
  }

  #inFile({ text, at }: SourcePart): SourcePart {
    return { text, at: this.#base + at };
  }

  /** Writes the code of an attribute, unless the call of the component has it. */
  #writeDirective(attribute: Attribute, isComponent: boolean): void {
    this.#writeDirectiveName(attribute);
    this.#writeDynamicName(attribute);
    const { name, value } = attribute;
    if (name === "v-for" || CONDITION.test(name) || SLOT.test(name)) return;
    const property = this.#propertyOf(attribute);
    if (isComponent && property !== undefined) return;
    if (value === undefined) {
      // `:name` is short for `:name="name"`.
      if (property?.value !== undefined) this.#writeName(property.value);
    } else if (HANDLER.test(name)) {
      this.#writeHandler(decoded(value));
    } else if (name === "ref") {
      if (this.#words.has(value.text)) this.#writeName(this.#inFile(value));
    } else if (/^(?:v-|:|\.)/.test(name)) {
      this.#write(decoded(value), ["(", ");"]);
    }
  }

  #writeName(name: SourcePart): void {
    if (!isNamePath(name.text)) return;
    copyCode(this.#code.out, name, this.#code.rename);
    this.#code.out.add(";");
  }

  /** Writes the code of `:[name]` and `@[event]`. */
  #writeDynamicName({ name, at }: Attribute): void {
    const dynamic = /^(?:[:@#]|v-[\w-]+:)\[([^\]\s]+)\]/.exec(name);
    if (dynamic?.[1] === undefined) return;
    const start = dynamic[0].length - dynamic[1].length - 1;
    this.#write({ text: dynamic[1], at: at + start }, ["(", ");"]);
  }

  /** `v-focus` uses the local directive `vFocus`. */
  #writeDirectiveName({ name, at }: Attribute): void {
    const [directive = ""] = /^v-[\w-]+/.exec(name) ?? [];
    const local = camelCase(directive);
    if (directive !== "" && this.#words.has(local)) {
      this.#writeName({ text: local, at: this.#base + at });
    }
  }

  #writeHandler(code: SourcePart): void {
    if (FUNCTION.test(code.text)) this.#write(code, ["(", ");"]);
    else this.#write(code, ["{const $event = 0;", "}"]);
  }
}
