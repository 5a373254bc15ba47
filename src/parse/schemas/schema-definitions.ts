// Builds the definitions of a schema while its tokens are read.
import type { Definition, SymbolKind } from "../languages/definition-rules.ts";
import type { TokenReader } from "./tokens.ts";

/** Deeper definitions are skipped. Protects the stack against generated input. */
export const MAX_SCHEMA_DEPTH = 40;
/** Maximum fields and values per file that are symbols. A schema with more is generated. */
const MAX_FIELDS = 20_000;
const MAX_NAME_CHARS = 120;

/** The facts about a definition that its first tokens give. */
export interface SchemaHead {
  readonly name: string;
  readonly kind: SymbolKind;
  /** First line, including its comments. */
  readonly startLine: number;
  readonly nameLine: number;
  /** True for fields and values, which never become chunks. */
  readonly isInline?: boolean;
  /** False for a block that only groups its members. */
  readonly isSymbol?: boolean;
  /** False if the name does not qualify its members. */
  readonly isScope?: boolean;
}

/** Collects definitions. */
export class SchemaBuilder {
  readonly reader: TokenReader;
  #fields = 0;

  constructor(reader: TokenReader) {
    this.reader = reader;
  }

  /** Adds a definition that ends with the last token taken. Returns it, so that it can be extended. */
  add(into: Definition[], head: SchemaHead): Definition {
    const isInline = head.isInline === true;
    if (isInline) this.#fields += 1;
    const definition: Definition = {
      name: head.name.slice(0, MAX_NAME_CHARS),
      owner: undefined,
      kind: head.kind,
      startLine: head.startLine,
      endLine: this.reader.lastLine,
      nameLine: head.nameLine,
      nameIndex: -1,
      access: "exported",
      // Read from the text when it is needed.
      signature: "",
      docLine: undefined,
      isSymbol: head.isSymbol !== false && (!isInline || this.#fields <= MAX_FIELDS),
      isTitle: false,
      isInline,
      isScope: head.isScope !== false,
      members: [],
    };
    into.push(definition);
    return definition;
  }

  /** Ends the definition with the last token taken. */
  close(definition: Definition): void {
    definition.endLine = this.reader.lastLine;
  }

  /** Reads the members in braces, if the next token is one. `read` must take at least one token. */
  block(definition: Definition, depth: number, read: (members: Definition[]) => void): void {
    const { reader } = this;
    if (reader.isAt("{")) {
      if (depth >= MAX_SCHEMA_DEPTH) {
        reader.skipGroup();
      } else {
        reader.take();
        while (reader.next !== undefined && !reader.isAt("}")) read(definition.members);
        reader.take();
      }
    }
    this.close(definition);
  }

  /** Takes a group if the next token is one of these opening brackets. */
  skipGroupAt(brackets: string): void {
    if (this.reader.isAt(brackets)) this.reader.skipGroup();
  }

  /** Takes `= value`, if it is next. */
  skipDefault(): void {
    const { reader } = this;
    if (!reader.takeIf("=")) return;
    if (reader.isAt("{[")) reader.skipGroup();
    else reader.take();
  }

  /** Takes tokens up to one of `ends`, or to the end of the block around. Takes groups as a whole. */
  skipTo(ends: string): void {
    const { reader } = this;
    while (reader.next !== undefined && !reader.isAt(ends) && !reader.isAt("}")) {
      if (reader.isAt("{([")) reader.skipGroup();
      else reader.take();
    }
  }
}

/** Whether a token can be a name. */
export function isName(text: string | undefined): text is string {
  return text !== undefined && /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(text);
}
