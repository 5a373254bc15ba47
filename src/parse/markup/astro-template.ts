// The markup of an Astro component as TypeScript: an element of a component becomes a call, also in code: `{posts.map((post) => <Card post={post} />)}`.
import type { AppendedText, SourcePart } from "./appended-text.ts";
import {
  isComponentName,
  writeElement,
  writeValue,
  type MarkupCode,
  type PassedProperty,
} from "./element-call.ts";
import {
  endOfComment,
  endOfRawElement,
  isEmptyTag,
  isRawElement,
  readClosingTag,
  readTag,
  type Attribute,
  type Tag,
} from "./markup-tags.ts";
import { CodeReader } from "./script-code.ts";

const MARKUP = /[<{]/g;
const ATTRIBUTE = /^[A-Za-z_$][\w$-]*$/;
const KEY = /^[A-Za-z_$][\w$]*$/;
/** Markup in code in markup may be this deep. */
const MAX_LEVELS = 100;

/** Markup, or code in it. */
type Level =
  | { readonly kind: "markup"; depth: number }
  | { readonly kind: "code"; readonly reader: CodeReader };

/** Writes the markup of a file from an offset. `component`: the name of the component in code. */
export function writeAstroTemplate(
  code: MarkupCode,
  text: string,
  { from, component }: { readonly from: number; readonly component: string },
): void {
  new AstroWriter(code, text, component).write(from);
}

class AstroWriter {
  readonly #code: MarkupCode;
  readonly #out: AppendedText;
  readonly #text: string;
  readonly #component: string;
  readonly #levels: Level[] = [{ kind: "markup", depth: 0 }];
  /** The place before the outermost code that is open. */
  #whole: ReturnType<AppendedText["mark"]>;

  constructor(code: MarkupCode, text: string, component: string) {
    this.#code = code;
    this.#out = code.out;
    this.#text = text;
    this.#component = component;
    this.#whole = code.out.mark();
  }

  write(from: number): void {
    for (let at = from; at !== -1 && at < this.#text.length;) {
      const level = this.#levels.at(-1);
      if (level === undefined) return;
      at = level.kind === "markup" ? this.#inMarkup(at, level) : this.#inCode(at, level.reader);
    }
    // Code without an end would also change what comes after it.
    if (this.#levels.length > 1) this.#out.cutBack(this.#whole);
  }

  get #separator(): string {
    return this.#levels.length > 1 ? "," : ";";
  }

  /** Returns the offset from which to go on; -1 if there is no further markup. */
  #inMarkup(from: number, level: Extract<Level, { kind: "markup" }>): number {
    MARKUP.lastIndex = from;
    const at = MARKUP.exec(this.#text)?.index ?? -1;
    if (at === -1) return -1;
    if (this.#text[at] === "{") {
      if (this.#levels.length > MAX_LEVELS) return -1;
      if (this.#levels.length === 1) this.#whole = this.#out.mark();
      this.#out.add("[");
      this.#levels.push({ kind: "code", reader: new CodeReader(this.#text) });
      return at + 1;
    }
    const comment = endOfComment(this.#text, at);
    if (comment > at) return comment;
    const closing = readClosingTag(this.#text, at);
    if (closing !== undefined) {
      const name = closing.isOnLine ? undefined : this.#componentName(closing.name);
      if (name !== undefined) {
        this.#out.copy({ text: name, at: closing.at });
        this.#out.add(this.#separator);
      }
      level.depth -= 1;
      this.#endMarkup(level);
      return closing.end;
    }
    const tag = readTag(this.#text, at, "astro");
    if (tag === undefined) return at + 1;
    return tag === "open" ? -1 : this.#readElement(tag, level);
  }

  #readElement(tag: Tag, level: Extract<Level, { kind: "markup" }>): number {
    this.#writeElement(tag);
    const isRaw = isRawElement(tag);
    if (isRaw ? tag.isSelfClosing : isEmptyTag(tag)) this.#endMarkup(level);
    else level.depth += 1;
    return isRaw ? endOfRawElement(this.#text, tag) : tag.end;
  }

  /** Ends markup in code after its outermost element. */
  #endMarkup({ depth }: { readonly depth: number }): void {
    if (this.#levels.length === 1 || depth > 0) return;
    this.#levels.pop();
    this.#out.add("]");
    const around = this.#levels.at(-1);
    if (around?.kind === "code") around.reader.skipValue();
  }

  #inCode(from: number, reader: CodeReader): number {
    let at = from;
    const copy = (): void => {
      if (at > from) this.#out.copy({ text: this.#text.slice(from, at), at: from });
    };
    while (at < this.#text.length) {
      if (this.#text[at] === "<" && reader.isBeforeValue && this.#isElement(at)) {
        if (this.#levels.length > MAX_LEVELS) return -1;
        copy();
        this.#out.add("[");
        this.#levels.push({ kind: "markup", depth: 0 });
        return at;
      }
      const next = reader.next(at);
      if (next === -1) return -1;
      if (next === at) {
        if (this.#text[at] !== "}") return -1;
        copy();
        this.#levels.pop();
        // A comment may end the code.
        this.#out.add(`\n]${this.#separator}`);
        return at + 1;
      }
      at = next;
    }
    return -1;
  }

  #isElement(at: number): boolean {
    return /^<(?:[\p{L}>]|!--)/u.test(this.#text.slice(at, at + 4));
  }

  #writeElement({ name, attributes }: Tag): void {
    const called = this.#componentName(name.text);
    const properties: PassedProperty[] = [];
    for (const one of attributes) {
      const property = called === undefined ? undefined : propertyOf(one);
      if (property !== undefined) properties.push(property);
      else if (codeOf(one) !== undefined) {
        writeValue(this.#code, codeOf(one) ?? name, ["(", `)${this.#separator}`]);
      }
    }
    if (called === undefined) return;
    writeElement(this.#code, { text: called, at: name.at }, properties);
    this.#out.add(this.#separator);
  }

  #componentName(tag: string): string | undefined {
    if (tag === "Astro.self") return this.#component;
    if (tag === "Fragment") return undefined;
    return isComponentName(tag) ? tag : undefined;
  }
}

/** Returns the code of a value. */
function codeOf({ name, value, quote }: Attribute): SourcePart | undefined {
  if (value === undefined) return undefined;
  if (quote === "`") return { text: `\`${value.text}\``, at: value.at - 1 };
  if (quote !== "{") return undefined;
  const spread = name === "" ? (/^\s*\.\.\./.exec(value.text)?.[0].length ?? 0) : 0;
  return { text: value.text.slice(spread), at: value.at + spread };
}

/** Returns what an attribute of a component sets; undefined if it sets no property. */
function propertyOf(attribute: Attribute): PassedProperty | undefined {
  const { name, at, value } = attribute;
  const code = codeOf(attribute);
  if (name === "" && value !== undefined) {
    if (/^\s*\.\.\./.test(value.text)) return { key: undefined, value: code };
    // `{name}` is short for `name={name}`.
    const text = value.text.trim();
    return KEY.test(text) ? { key: { text, at: value.at }, value: code } : undefined;
  }
  if (!ATTRIBUTE.test(name) || name === "slot") return undefined;
  return { key: { text: name, at }, value: code };
}
