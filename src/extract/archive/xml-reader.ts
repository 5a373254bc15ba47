import { SaxesParser } from "saxes";

/** By name with prefix. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** Takes the parts of an XML file. Names are without prefixes: those and the addresses of namespaces vary. */
export interface XmlHandler {
  /** Returns true to skip the element with all that it contains. */
  open(name: string, attributes: XmlAttributes): boolean | undefined;
  text?(text: string): void;
  close?(name: string): void;
  /** Returns whether nothing more is wanted. */
  isDone?(): boolean;
}

/** Word processors nest about 30 elements; LibreOffice refuses 1,000 too. */
const MAX_DEPTH = 1000;
const MAX_ATTRIBUTES = 1000;
/** Characters without the end of a text, a tag or a comment. The text of a document has as many. */
const MAX_TOKEN_CHARS = 4 << 20;
/** Bytes that are parsed at a time. */
const STEP_BYTES = 64 << 10;
/** Mistakes after which the parser continues in the right place. */
const HARMLESS = /entity|disallowed character\.$|in char data|duplicate attribute|XML declaration/u;
const ENTITIES = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };

/** Thrown at the first place that is not XML. */
class XmlError extends Error {}

/** Parses an XML file that comes in pieces. It reads no other file and replaces no entities of a document type. */
export class XmlReader {
  readonly #parser = new SaxesParser<{ position: false; xmlns: false }>({
    position: false,
    xmlns: false,
  });
  readonly #handler: XmlHandler;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #depth = 0;
  /** Depth of the element that is being skipped; 0 for none. */
  #skipped = 0;
  #tokenChars = 0;
  #attributes = 0;
  #isDamaged = false;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
    const parser = this.#parser;
    parser.ENTITIES = Object.assign(Object.create(null), ENTITIES);
    parser.on("error", (error) => {
      if (!HARMLESS.test(error.message)) throw new XmlError(error.message);
    });
    parser.on("attribute", () => {
      this.#attributes += 1;
      if (this.#attributes > MAX_ATTRIBUTES) throw new XmlError("too many attributes");
    });
    parser.on("opentag", ({ name, attributes }) => {
      this.#open(name, attributes);
    });
    parser.on("closetag", ({ name }) => {
      this.#close(name);
    });
    const text = (value: string): void => {
      this.#tokenChars = 0;
      if (this.#skipped === 0) handler.text?.(value);
    };
    parser.on("text", text);
    parser.on("cdata", text);
    parser.on("comment", () => {
      this.#tokenChars = 0;
    });
  }

  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Returns whether more is wanted: false after damage, and when the handler is done. */
  write(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      if (this.#isDamaged || this.#handler.isDone?.() === true) return false;
      this.#parse(bytes.subarray(at, at + STEP_BYTES));
    }
    return !this.#isDamaged;
  }

  #parse(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(encodingOf(bytes));
    const chars = this.#decoder.decode(bytes, { stream: true });
    this.#tokenChars += chars.length;
    try {
      this.#parser.write(chars);
      if (this.#tokenChars > MAX_TOKEN_CHARS) throw new XmlError("too long");
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      this.#isDamaged = true;
    }
  }

  /** Must be called at the end of the file: it is damaged if elements are open. */
  end(): void {
    if (this.#depth > 0 && this.#handler.isDone?.() !== true) this.#isDamaged = true;
  }

  #open(name: string, attributes: XmlAttributes): void {
    this.#tokenChars = 0;
    this.#attributes = 0;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new XmlError("too deep");
    if (this.#skipped === 0 && this.#handler.open(localName(name), attributes) === true) {
      this.#skipped = this.#depth;
    }
  }

  #close(name: string): void {
    this.#tokenChars = 0;
    const isSkippedOne = this.#skipped === this.#depth;
    const isInsideSkipped = this.#skipped > 0;
    this.#depth -= 1;
    if (isSkippedOne) this.#skipped = 0;
    else if (!isInsideSkipped) this.#handler.close?.(localName(name));
  }
}

/** Returns an attribute by its name without prefix; undefined if there is none. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  const own = attributes[name];
  if (own !== undefined) return own;
  for (const key in attributes) {
    if (key.length > name.length && key.endsWith(name) && key.at(-name.length - 1) === ":") {
      return attributes[key];
    }
  }
  return undefined;
}

/** Returns an attribute that is a whole number in a range; undefined if it is not. */
export function numberOf(
  attributes: XmlAttributes,
  name: string,
  max: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = Number.parseInt(attributeOf(attributes, name) ?? "", 10);
  return value >= 0 && value <= max ? value : undefined;
}

/** Returns how often something is repeated: 1 if the attribute is not there, `max` if it is larger. */
export function copiesOf(attributes: XmlAttributes, name: string, max: number): number {
  return Math.min(max, numberOf(attributes, name) ?? 1);
}

/** Returns the `id` with a prefix, which names a relationship; elements have ids of their own as well. */
export function relationshipOf(attributes: XmlAttributes): string | undefined {
  const key = Object.keys(attributes).find((each) => each.endsWith(":id"));
  return key === undefined ? undefined : attributes[key];
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns the encoding of an XML file by its first bytes: a mark, the width of "<", or the declaration. */
export function encodingOf(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const pair = first * 0x100 + second;
  if (pair === 0xfffe || pair === 0x3c00) return "utf-16le";
  if (pair === 0xfeff || pair === 0x003c) return "utf-16be";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const label = /^[^<]{0,3}<\?xml[^>]{0,100}encoding=["']([\w.:-]{1,40})["']/u.exec(head)?.[1];
  // In a file that is read by bytes, a declaration of UTF-16 is wrong.
  return label === undefined || /^utf-?16/iu.test(label) ? "utf-8" : knownEncoding(label);
}

function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return "utf-8";
    throw error;
  }
}
