import { isDeepStrictEqual } from "node:util";

import { SvcError } from "../base/errors.ts";
import { EditProblem, SyntaxProblem, type ConfigFormat } from "./config-format.ts";
import type { ClientDefinition } from "./definitions.ts";
import { isEntry, type EntryChange } from "./entry.ts";
import { JSONC_FORMAT } from "./jsonc.ts";
import { TOML_FORMAT } from "./toml.ts";

/** The name of svc among the servers of a client. */
const SERVER_NAME = "svc";

const FORMATS: Readonly<Record<"json" | "toml", ConfigFormat>> = {
  json: JSONC_FORMAT,
  toml: TOML_FORMAT,
};

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The configuration file of a client, for the one entry in it that is ours. All texts it gives keep the bytes of
 * everything else; that is checked by reading them again.
 */
export class ConfigText {
  /** The entry of svc; undefined where there is none. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly #client: ClientDefinition;
  readonly #file: string;
  readonly #byteOrderMark: string;
  readonly #text: string;
  readonly #others: unknown;

  /** Throws CLIENT_CONFIG for bytes that are not what the client reads. `place` is named in errors. */
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

  /** With a new entry in the place of none. */
  withEntry(entry: Readonly<Record<string, unknown>>): string {
    return this.#edited((text, format) => format.set(text, this.#path, entry), entry);
  }

  /** With these values in the entry. */
  withChanges(changes: readonly EntryChange[]): string {
    const apply = (text: string, format: ConfigFormat): string =>
      changes.reduce(
        (all, { path, value }) => format.set(all, [...this.#path, ...path], value),
        text,
      );
    return this.#edited(apply, changed(this.entry ?? {}, changes));
  }

  withoutEntry(): string {
    return this.#edited((text, format) => format.remove(text, this.#path), undefined);
  }

  /** The entry as it stands in a file that has nothing else. */
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
    // An edit that does more than it should must never reach the disk.
    if (!isDeepStrictEqual(entry, expected) || !isDeepStrictEqual(others, this.#others)) {
      throw this.#unwritable("it is written in a way that svc cannot edit safely");
    }
    return this.#byteOrderMark + result;
  }

  /** The entry, and all the rest. */
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
    if (entry === undefined || isEntry(entry))
      return { entry, others: { ...rest, [key]: others } };
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
        { hint: `Mend that line and try again; nothing was changed. ${this.#manualHint}` },
      );
    }
  }

  #unusable(what: string): SvcError {
    return new SvcError("CLIENT_CONFIG", `${this.#file} ${what}.`, {
      hint: `${this.#client.name} reads an object of servers there. Mend it and try again; nothing was changed.`,
    });
  }

  #unwritable(why: string): SvcError {
    return new SvcError("CLIENT_CONFIG", `${this.#file} was not changed: ${why}.`, {
      hint: this.#manualHint,
    });
  }

  get #manualHint(): string {
    return `\`svc install ${this.#client.id} --print\` shows the entry, to be put there by hand.`;
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
