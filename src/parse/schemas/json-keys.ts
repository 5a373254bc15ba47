import { keyNode, MAX_KEY_CHARS, MAX_KEY_NODES, type KeyNode } from "./key-node.ts";

const LINE_FEED = 10;

interface Container {
  readonly node: KeyNode;
  readonly isList: boolean;
}

/** Returns the keys of a JSON text below a root. A damaged text gives those before the damage. */
export function readJsonKeys(text: string): KeyNode {
  return new JsonKeyReader(text).read();
}

class JsonKeyReader {
  readonly #text: string;
  readonly #root = keyNode("", 1);
  readonly #open: Container[] = [];
  /** The key whose value comes next. */
  #pending: KeyNode | undefined = this.#root;
  #count = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  read(): KeyNode {
    const text = this.#text;
    for (let at = 0; at < text.length && this.#count < MAX_KEY_NODES; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) this.#line += 1;
      if (code <= 32) continue;
      const character = text.charAt(at);
      if (character === '"') {
        const end = stringEnd(text, at);
        this.#addString(at + 1, end);
        // A line feed that ends a damaged string is counted.
        at = text.charCodeAt(end) === LINE_FEED ? end - 1 : end;
      } else if (character === "{" || character === "[") {
        this.#open.push({ node: this.#valueNode(), isList: character === "[" });
        this.#pending = undefined;
      } else if (character === "}" || character === "]") {
        const closed = this.#open.pop();
        if (closed !== undefined) closed.node.endLine = this.#line;
        this.#pending = undefined;
      } else if (character === ",") {
        // Ends a value that is neither a string nor a container.
        this.#pending = undefined;
      }
    }
    for (const { node } of this.#open) node.endLine = this.#line;
    return this.#root;
  }

  #addString(start: number, end: number): void {
    const isShort = end - start <= MAX_KEY_CHARS;
    const words = isShort ? this.#text.slice(start, end).replace(/\\(["/\\])/g, "$1") : "";
    const around = this.#open.at(-1);
    if (this.#pending === undefined && around?.isList === false) {
      this.#pending = this.#add(around.node, words);
      return;
    }
    const node = this.#valueNode();
    node.value = words;
    this.#pending = undefined;
  }

  /** Returns the node of the value that begins here: that of its key, or a new element of a list. */
  #valueNode(): KeyNode {
    const pending = this.#pending;
    if (pending !== undefined) {
      pending.endLine = this.#line;
      return pending;
    }
    const list = this.#open.at(-1)?.node ?? this.#root;
    return this.#add(list, String(list.children.length));
  }

  #add(parent: KeyNode, key: string): KeyNode {
    const node = keyNode(key, this.#line);
    this.#count += 1;
    parent.children.push(node);
    return node;
  }
}

/** Returns the offset of the quote that ends a string, or of the line feed before it. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === '"') return at;
    else if (character === "\n") return at;
  }
  return at;
}
