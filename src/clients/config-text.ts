import { isDeepStrictEqual } from "node:util";

import { SvcError } from "../base/errors.ts";
import { EditProblem, SyntaxProblem, type ConfigFormat } from "./config-format.ts";
import type { ClientDefinition } from "./definitions.ts";
import { isEntry, type EntryChange } from "./entry.ts";
import { JSONC_FORMAT } from "./jsonc.ts";
import { TOML_FORMAT } from "./toml.ts";

/** The name of svc in a client's list of servers. */
const SERVER_NAME = "svc";

const FORMATS: Readonly<Record<"json" | "toml", ConfigFormat>> = {
  json: JSONC_FORMAT,
  toml: TOML_FORMAT,
};

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The configuration file of a client, for editing svc's entry. Every returned text keeps all other bytes; the text
 * is parsed again to check that.
 */
export class ConfigText {
  /** The entry of svc; undefined when there is none. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly #client: ClientDefinition;
  readonly #file: string;
  readonly #byteOrderMark: string;
  readonly #text: string;
  readonly #others: unknown;

  /** `place` names the file in errors. Throws CLIENT_CONFIG when the client could not read the bytes. */
  constructor(client: ClientDefinition, place: string, bytes: Uint8Array) {
    this.#client = client;
    this.#file = place;
    const text = decode(bytes, place);
    this.#byteOrderMark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    this.#text = text.slice(this.#byteOrderMark.length);
    const { entry, others } = this.#parts(this.#text);
    this.entry = entry;
    this.#others = others;
  }

  /** Returns the text with a new entry, where there was none. */
  withEntry(entry: Readonly<Record<string, unknown>>): string {
    return this.#edited((text, format) => format.set(text, this.#path, entry), entry);
  }

  /** Returns the text with these values in the entry. */
  withChanges(changes: readonly EntryChange[]): string {
    const apply = (text: string, format: ConfigFormat): string =>
      changes.reduce(
        (all, { path, value }) => format.set(all, [...this.#path, ...path], value),
        text,
      );
    return this.#edited(apply, changed(this.entry ?? {}, changes));
  }

  /** Returns the text without the entry. */
  withoutEntry(): string {
    return this.#edited((text, format) => format.remove(text, this.#path), undefined);
  }

  /** Returns the text of a file that contains only the entry. */
  static withOnlyEntry(client: ClientDefinition, entry: Readonly<Record<string, unknown>>): string {
    const { format, key } = client.shape;
    return FORMATS[format].set("", [key, SERVER_NAME], entry);
  }

  get #path(): readonly string[] {
    return [this.#client.shape.key, SERVER_NAME];
  }

  #edited(edit: (text: string, format: ConfigFormat) => string, expected: unknown): string {
    let result: string;
    try {
      result = edit(this.#text, FORMATS[this.#client.shape.format]);
    } catch (thrown) {
      if (thrown instanceof EditProblem) throw this.#unwritable(thrown.message);
      throw thrown;
    }
    const { entry, others } = this.#parts(result);
    // An edit that changes more than intended must never be written.
    if (!isDeepStrictEqual(entry, expected) || !isDeepStrictEqual(others, this.#others)) {
      throw this.#unwritable("it is written in a way that svc cannot edit safely");
    }
    return this.#byteOrderMark + result;
  }

  /** Splits the file into the entry and everything else. */
  #parts(text: string): {
    readonly entry: Readonly<Record<string, unknown>> | undefined;
    readonly others: unknown;
  } {
    const { key, format } = this.#client.shape;
    const whole = this.#read(text, FORMATS[format]);
    if (!isEntry(whole)) throw this.#unusable("does not hold an object");
    const { [key]: servers = {}, ...rest } = whole;
    if (!isEntry(servers)) throw this.#unusable(`has a "${key}" that is not an object`);
    const { [SERVER_NAME]: entry, ...others } = servers;
    if (entry === undefined || isEntry(entry)) return { entry, others: { ...rest, [key]: others } };
    throw this.#unusable(`has a "${key}.${SERVER_NAME}" that is not an object`);
  }

  #read(text: string, format: ConfigFormat): unknown {
    try {
      return format.read(text);
    } catch (thrown) {
      if (!(thrown instanceof SyntaxProblem)) throw thrown;
      const { line, column, message } = thrown;
      const name = this.#client.shape.format.toUpperCase();
      throw new SvcError(
        "CLIENT_CONFIG",
        `${this.#file}:${line}:${column} is not valid ${name}: ${message}.`,
        { hint: `Fix that line and try again; nothing was changed. ${this.#manualHint}` },
      );
    }
  }

  #unusable(what: string): SvcError {
    return new SvcError("CLIENT_CONFIG", `${this.#file} ${what}.`, {
      hint: `${this.#client.name} reads an object of servers there. Fix it and try again; nothing was changed.`,
    });
  }

  #unwritable(why: string): SvcError {
    return new SvcError("CLIENT_CONFIG", `${this.#file} was not changed: ${why}.`, {
      hint: this.#manualHint,
    });
  }

  get #manualHint(): string {
    return `\`svc install ${this.#client.id} --print\` prints the entry, for you to add by hand.`;
  }
}

function changed(
  entry: Readonly<Record<string, unknown>>,
  changes: readonly EntryChange[],
): Readonly<Record<string, unknown>> {
  const copy = structuredClone<Record<string, unknown>>(entry);
  for (const { path, value } of changes) {
    const [first = "", second] = path;
    const inner = copy[first];
    copy[first] = second !== undefined && isEntry(inner) ? { ...inner, [second]: value } : value;
  }
  return copy;
}

function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SvcError("CLIENT_CONFIG", `${place} is not text in UTF-8.`, {
      hint: "Save it as UTF-8 and try again; nothing was changed.",
      cause,
    });
  }
}
