// The names in Objective-C: messages with their selectors, properties, classes, and what C has too.

import { codeTokensOf, type CodeToken, type TokenSyntax } from "./code-tokens.ts";
import { wordSet } from "./name-rules.ts";
import type { DefinitionsOfFile, NamedUse } from "./named-use.ts";
import { SLASH_COMMENT, TEXT } from "./token-syntaxes.ts";

const SYNTAX: TokenSyntax = {
  comments: SLASH_COMMENT,
  texts: `@?${TEXT}|'(?:[^'\\\\\\n]|\\\\.)*'?|#[ \\t]*(?:import|include|pragma|error|warning)[^\\n]*`,
  names: "@?[A-Za-z_$][\\w$]*",
};
const KEYWORDS = wordSet(
  "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef typeof union unsigned void volatile while BOOL YES NO nil Nil NULL id self super SEL IMP Class instancetype in out inout bycopy byref oneway nonatomic atomic strong weak copy assign retain readonly readwrite nullable nonnull getter setter __weak __strong __block __bridge __unused __typeof __kindof __attribute__ NSString NSArray NSDictionary NSInteger NSUInteger NSObject NSNumber NSData NSURL NSError CGFloat CGRect CGSize CGPoint defined define ifdef ifndef endif undef bool true false class namespace public private protected template using new delete this virtual",
);
/** Names that are types, constants or macros by their shape. */
const DISTINCT = /^(?:[A-Z]|k[A-Z]|_[A-Z])/;
/** Types and constants of the system. */
const OF_SYSTEM = /^(?:NS|UI|CG|CA|CF|AV|CI|MK|SK|WK|XCT|Sec)[A-Z]/;
/** Methods that all objects have. */
const OF_OBJECT = wordSet(
  "alloc init new copy mutableCopy class description debugDescription dealloc isEqual: hash respondsToSelector: isKindOfClass: isMemberOfClass: conformsToProtocol: performSelector: retain release autorelease self superclass count objectForKey: setObject:forKey: addObject: encodeWithCoder: initWithCoder: copyWithZone:",
);
/** Keywords that are values. */
const VALUES = wordSet("self super nil YES NO NULL");
/** A token before the next part of a selector. */
const ENDS_ARGUMENT = /[\w\])}"']$/;
const MAX_DEPTH = 200;

/** A `[…]`, `(…)` or `{…}`. */
interface Frame {
  readonly open: string;
  /** What the message is sent to; undefined before it. */
  receiver: string | undefined;
  readonly parts: string[];
  /** The line of the first part. */
  line: number;
  /** The only word after the receiver. */
  word: string;
  /** Whether a `?` waits for its `:`. */
  questions: number;
}

/** Returns the names that a file of Objective-C uses. */
export function objcNames(text: string, definitions: DefinitionsOfFile): readonly NamedUse[] {
  return new ObjcReader(codeTokensOf(text, SYNTAX), definitions).read();
}

class ObjcReader {
  readonly #tokens: readonly CodeToken[];
  readonly #definitions: DefinitionsOfFile;
  readonly #own: ReadonlySet<string>;
  readonly #types: ReadonlyMap<string, string>;
  readonly #found: NamedUse[] = [];
  readonly #frames: Frame[] = [];
  /** The line with what a class or a protocol inherits from. */
  #inheritLine = 0;

  constructor(tokens: readonly CodeToken[], definitions: DefinitionsOfFile) {
    this.#tokens = tokens;
    this.#definitions = definitions;
    this.#own = new Set(definitions.symbols.map(({ name }) => name));
    this.#types = declaredTypes(tokens);
  }

  read(): readonly NamedUse[] {
    for (const [at, token] of this.#tokens.entries()) {
      if (token.kind === "name") this.#readName(at, token);
      else if (/^[[({]$/.test(token.text)) this.#open(at, token);
      else if (/^[\])}]$/.test(token.text)) this.#close();
      else if (token.kind === "mark") this.#readMark(at, token.text);
      else this.#receive("?");
    }
    return this.#found;
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? "";
  }

  #open(at: number, { text, line }: CodeToken): void {
    if (text === "{") this.#inheritLine = 0;
    const before = this.#tokens[at - 1];
    // `items[0]` and `@[one]` are no messages.
    const isIndex =
      text === "[" &&
      (before?.text === "@" ||
        (before !== undefined &&
          /^[\w\])]+$/.test(before.text) &&
          this.#tokens[at]?.isApart === false));
    if (this.#frames.length >= MAX_DEPTH) return;
    const receiver = text === "[" && !isIndex ? undefined : "";
    this.#frames.push({ open: text, receiver, parts: [], line, word: "", questions: 0 });
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { receiver, parts, word, line } = frame;
    if (receiver !== undefined && receiver !== "") {
      const name = parts.length > 0 ? parts.map((part) => `${part}:`).join("") : word;
      if (name !== "" && !isOfSystem(receiver, name))
        this.#found.push({ name, line, role: "call", receiver });
    }
    const isNew = /^(?:alloc|new)$/.test(word) && /^[A-Z]/.test(receiver ?? "");
    this.#receive(isNew && parts.length === 0 ? `@${receiver}` : "?");
  }

  /** What the innermost message is sent to, unless that is known. */
  #receive(receiver: string): void {
    const frame = this.#frames.at(-1);
    if (frame?.open === "[" && frame.receiver === undefined) frame.receiver = receiver;
  }

  #readMark(at: number, text: string): void {
    const frame = this.#frames.at(-1);
    if (text === "?" && frame !== undefined) frame.questions += 1;
    if (text !== ":" || frame === undefined || frame.receiver === undefined) return;
    if (frame.questions > 0) {
      frame.questions -= 1;
      return;
    }
    if (frame.receiver === "" || this.#tokens[at - 1]?.kind !== "name") return;
    frame.parts.push(this.#text(at - 1));
  }

  #readName(at: number, token: CodeToken): void {
    const { text, line } = token;
    if (text.startsWith("@")) {
      this.#readKeyword(at, text);
      return;
    }
    const frame = this.#frames.at(-1);
    const isMessage = frame?.open === "[" && frame.receiver !== "";
    if (isMessage && frame.receiver === undefined) {
      frame.receiver = this.#receiverFor(at, line);
      if (this.#text(at + 1) === ".") frame.receiver = this.#typeOfMember(at + 2);
      this.#readPlain(at, token);
      return;
    }
    if (isMessage && this.#isPart(at)) {
      if (frame.parts.length === 0) {
        frame.line = line;
        frame.word = text;
      }
      return;
    }
    if (this.#text(at - 1) === "." || this.#text(at - 1) === "->") this.#readProperty(at, token);
    else this.#readPlain(at, token);
  }

  /** Whether a name in a message is a part of the selector. */
  #isPart(at: number): boolean {
    const frame = this.#frames.at(-1);
    const before = this.#text(at - 1);
    if (!ENDS_ARGUMENT.test(before) || (KEYWORDS.has(before) && !VALUES.has(before))) return false;
    const next = this.#text(at + 1);
    return next === ":" ? frame?.questions === 0 : next === "]" && frame?.parts.length === 0;
  }

  #receiverFor(at: number, line: number): string {
    const text = this.#text(at);
    if (text === "self") return this.#selfAt(line);
    if (/^[A-Z]/.test(text) && !this.#types.has(text)) return text;
    const type = this.#types.get(text);
    return type === undefined || type === "" ? "?" : `@${type}`;
  }

  /** The type of `self.cache` before a message, if the file declares only one of that name. */
  #typeOfMember(at: number): string {
    const type = this.#types.get(this.#text(at)) ?? "";
    return type === "" || this.#text(at + 1) === "." ? "?" : `@${type}`;
  }

  /** The class whose method is around a line. */
  #selfAt(line: number): string {
    const { symbols, ownerAt } = this.#definitions;
    const { name = "", qualifiedName = "" } = symbols[ownerAt(line)] ?? {};
    const owner = qualifiedName.slice(0, -name.length - 1);
    return owner === "" ? "?" : `@${owner}`;
  }

  #readProperty(at: number, { text, line }: CodeToken): void {
    const object = this.#text(at - 2);
    const isPath = /^[.>]/.test(this.#text(at - 3)) || this.#text(at - 3) === "->";
    const receiver = isPath || !/^\w/.test(object) ? "?" : this.#receiverFor(at - 2, line);
    if (receiver !== "?" && !isOfSystem(receiver, text)) {
      this.#found.push({ name: text, line, role: "value", receiver });
    }
  }

  #readPlain(at: number, { text, line }: CodeToken): void {
    // A category gives a class of the system a definition.
    if (KEYWORDS.has(text) || OF_SYSTEM.test(text)) return;
    const isCall = this.#text(at + 1) === "(" && this.#tokens[at + 1]?.isApart === false;
    if (this.#inheritLine === line)
      this.#found.push({ name: text, line, role: "inherit", receiver: "", isOuter: true });
    else if (isCall)
      this.#found.push({ name: text, line, role: "call", receiver: "", isOuter: true });
    else if (DISTINCT.test(text))
      this.#found.push({ name: text, line, role: "type", receiver: "", isOuter: true });
    else if (/^_\w/.test(text) && this.#own.has(text.slice(1))) {
      // The variable of a property.
      const receiver = this.#selfAt(line);
      if (receiver !== "?")
        this.#found.push({ name: text.slice(1), line, role: "value", receiver });
    }
  }

  #readKeyword(at: number, text: string): void {
    const isHead = /^@(?:interface|protocol)$/.test(text) && this.#text(at + 2) !== ";";
    if (isHead) this.#inheritLine = this.#tokens[at]?.line ?? 0;
    else if (text === "@selector" && this.#text(at + 1) === "(") this.#readSelector(at + 2);
  }

  #readSelector(start: number): void {
    const parts: string[] = [];
    for (let at = start; at < start + 40 && this.#text(at) !== ")"; at += 1) {
      parts.push(this.#text(at));
    }
    const line = this.#tokens[start]?.line ?? 0;
    const name = parts.join("");
    if (/^[\w:]+$/.test(name)) this.#found.push({ name, line, role: "value", receiver: "?" });
  }
}

/** Whether a member is one of all objects, or of a class of the system: a project adds those with a prefix. */
function isOfSystem(receiver: string, name: string): boolean {
  if (receiver === "?" || name === "class") return OF_OBJECT.has(name);
  return OF_SYSTEM.test(receiver.replace("@", "")) && !/^[a-z]{2,}_/.test(name);
}

/** Returns the classes of variables and properties; "" for a name with several. */
function declaredTypes(tokens: readonly CodeToken[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const [at, { text }] of tokens.entries()) {
    if (text !== "*" || tokens[at + 1]?.kind !== "name") continue;
    const name = tokens[at + 1]?.text ?? "";
    const type = typeBefore(tokens, at);
    if (type === "") continue;
    const known = types.get(name);
    types.set(name, known === undefined || known === type ? type : "");
  }
  return types;
}

/** `Foo` before the `*` of `Foo<Bar> *`. */
function typeBefore(tokens: readonly CodeToken[], star: number): string {
  let at = star - 1;
  if (tokens[at]?.text === ">") {
    while (at > star - 20 && tokens[at]?.text !== "<") at -= 1;
    at -= 1;
  }
  const { text = "", kind } = tokens[at] ?? {};
  return kind === "name" && /^[A-Z]/.test(text) ? text : "";
}
