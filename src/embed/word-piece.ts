// The WordPiece tokenizer of BERT and of the models distilled from it, as `tokenizer.json` of Hugging Face's
// tokenizers describes it: normalize, split at punctuation, then repeatedly take the longest known piece.

import { SvcError } from "../base/errors.ts";
import { MAX_WORD_LENGTH } from "./embedding-table.ts";

type Fields = Readonly<Record<string, unknown>>;

interface WordPiece {
  /** The highest token id. */
  readonly lastToken: number;
  /** Returns the ids of the tokens of a word. A part that known pieces do not cover has no tokens. */
  readonly tokensOf: (word: string) => readonly number[];
}

/**
 * Creates a tokenizer from a parsed `tokenizer.json`. Throws INDEX_UNAVAILABLE for tokenizers other than
 * WordPiece.
 */
export function createWordPiece(tokenizer: unknown): WordPiece {
  const { model, normalizer, pre_tokenizer: preTokenizer } = fieldsOf(tokenizer);
  const { type, vocab, unk_token: unknown, ...options } = fieldsOf(model);
  // Old files do not name the type of a WordPiece model.
  if ((type ?? "WordPiece") !== "WordPiece")
    throw unsupported(`a tokenizer of type ${nameOf(type)}`);
  const tokens = vocabularyOf(vocab);
  const prefix = options["continuing_subword_prefix"];
  const maxChars = options["max_input_chars_per_word"];
  const pieces: Pieces = {
    tokens,
    prefix: typeof prefix === "string" ? prefix : "##",
    maxTokenLength: typeof maxChars === "number" ? maxChars : 100,
    longestToken: maxLength(Array.from(tokens.keys(), (token) => token.length)),
  };
  const normalize = normalizerOf(normalizer);
  const preTokenize = preTokenizerOf(preTokenizer);
  const unknownToken = typeof unknown === "string" ? tokens.get(unknown) : undefined;
  return {
    lastToken: maxLength([...tokens.values()]),
    tokensOf: (word) =>
      preTokenize(normalize(word.slice(0, MAX_WORD_LENGTH)))
        .flatMap((part) => piecesOf(part, pieces))
        .filter((token) => token !== unknownToken),
  };
}

interface Pieces {
  readonly tokens: ReadonlyMap<string, number>;
  /** The prefix of every piece but the first of its part, such as "##". */
  readonly prefix: string;
  /** In characters. Longer parts have no tokens. */
  readonly maxTokenLength: number;
  readonly longestToken: number;
}

function piecesOf(
  part: string,
  { tokens, prefix, maxTokenLength, longestToken }: Pieces,
): number[] {
  if (Array.from(part).length > maxTokenLength) return [];
  const found: number[] = [];
  let start = 0;
  while (start < part.length) {
    const before = start === 0 ? "" : prefix;
    let end = Math.min(part.length, start + longestToken);
    while (end > start && !tokens.has(before + part.slice(start, end))) end -= 1;
    const token = tokens.get(before + part.slice(start, end));
    if (end === start || token === undefined) return [];
    found.push(token);
    start = end;
  }
  return found;
}

/** `Math.max(...numbers)` would overflow the stack. */
function maxLength(numbers: readonly number[]): number {
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

function vocabularyOf(vocab: unknown): ReadonlyMap<string, number> {
  const tokens = new Map<string, number>();
  for (const [token, number] of Object.entries(fieldsOf(vocab))) {
    if (typeof number !== "number" || !Number.isInteger(number) || number < 0) {
      throw unsupported("a vocabulary in which a token has no id");
    }
    tokens.set(token, number);
  }
  if (tokens.size === 0) throw unsupported("a tokenizer without a vocabulary");
  return tokens;
}

function normalizerOf(normalizer: unknown): (text: string) => string {
  const fields = fieldsOf(normalizer);
  const { type } = fields;
  switch (type) {
    case undefined:
      return (text) => text;
    case "Lowercase":
      return (text) => text.toLowerCase();
    case "StripAccents":
      return withoutMarks;
    case "NFC":
    case "NFD":
    case "NFKC":
    case "NFKD":
      return (text) => text.normalize(type);
    case "Sequence": {
      const steps = listOf(fields["normalizers"]).map(normalizerOf);
      return (text) => steps.reduce((result, step) => step(result), text);
    }
    case "BertNormalizer":
      return bertNormalizer(fields);
    default:
      throw unsupported(`the normalizer ${nameOf(type)}`);
  }
}

function bertNormalizer(fields: Fields): (text: string) => string {
  const lowercase = fields["lowercase"] !== false;
  const stripAccents = fields["strip_accents"] ?? lowercase;
  const separateHan = fields["handle_chinese_chars"] !== false;
  return (text) => {
    let result = separateHan ? text.replaceAll(/\p{Script=Han}/gu, " $& ") : text;
    if (stripAccents === true) result = withoutMarks(result.normalize("NFD"));
    return lowercase ? result.toLowerCase() : result;
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{Mn}/gu, "");
}

function preTokenizerOf(preTokenizer: unknown): (text: string) => readonly string[] {
  const fields = fieldsOf(preTokenizer);
  const { type } = fields;
  switch (type) {
    case undefined:
      return (text) => [text];
    case "BertPreTokenizer":
      return (text) => text.match(/[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu) ?? [];
    case "Punctuation":
      return (text) => text.match(/[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~]+/gu) ?? [];
    case "Whitespace":
      return (text) => text.match(/[\p{L}\p{M}\p{N}\p{Pc}]+|[^\s\p{L}\p{M}\p{N}\p{Pc}]+/gu) ?? [];
    case "WhitespaceSplit":
      return (text) => text.match(/\S+/g) ?? [];
    case "Sequence": {
      const steps = listOf(fields["pretokenizers"]).map(preTokenizerOf);
      return (text) =>
        steps.reduce<readonly string[]>((parts, step) => parts.flatMap(step), [text]);
    }
    default:
      throw unsupported(`the pre-tokenizer ${nameOf(type)}`);
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(type: unknown): string {
  return typeof type === "string" ? `"${type}"` : "(unnamed)";
}

function unsupported(what: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The model has ${what}, which svc does not support.`, {
    hint: "Use a model2vec model with a WordPiece tokenizer, or remove the setting.",
  });
}
