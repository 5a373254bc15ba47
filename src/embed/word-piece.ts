// The tokenizer of BERT and of the models distilled from it, as `tokenizer.json` of Hugging Face's tokenizers
// describes it: normalise, cut at punctuation, then take the longest known piece again and again.

import { SvcError } from "../base/errors.ts";
import { MAX_WORD_LENGTH } from "./embedding-table.ts";

type Fields = Readonly<Record<string, unknown>>;

interface WordPiece {
  /** The largest number that a token has. */
  readonly lastToken: number;
  /** The numbers of the tokens of a word; none for a part that cannot be pieced together. */
  readonly tokensOf: (word: string) => readonly number[];
}

/** Makes a tokenizer of a parsed `tokenizer.json`. Throws INDEX_UNAVAILABLE for other kinds than this. */
export function createWordPiece(tokenizer: unknown): WordPiece {
  const { model, normalizer, pre_tokenizer: preTokenizer } = fieldsOf(tokenizer);
  const { type, vocab, unk_token: unknown, ...options } = fieldsOf(model);
  // Old files do not name the type of a WordPiece model.
  if ((type ?? "WordPiece") !== "WordPiece") throw unsupported(`a ${nameOf(type)} tokenizer`);
  const tokens = vocabularyOf(vocab);
  const prefix = options["continuing_subword_prefix"];
  const longest = options["max_input_chars_per_word"];
  const pieces: Pieces = {
    tokens,
    prefix: typeof prefix === "string" ? prefix : "##",
    maxTokenLength: typeof longest === "number" ? longest : 100,
    longestToken: maxLength(Array.from(tokens.keys(), (token) => token.length)),
  };
  const normalize = normalizerOf(normalizer);
  const cut = cutterOf(preTokenizer);
  const unknownToken = typeof unknown === "string" ? tokens.get(unknown) : undefined;
  return {
    lastToken: maxLength([...tokens.values()]),
    tokensOf: (word) =>
      cut(normalize(word.slice(0, MAX_WORD_LENGTH)))
        .flatMap((part) => piecesOf(part, pieces))
        .filter((token) => token !== unknownToken),
  };
}

interface Pieces {
  readonly tokens: ReadonlyMap<string, number>;
  /** Before a piece that does not begin its part. */
  readonly prefix: string;
  /** In characters: longer parts are not looked at. */
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

/** Not by Math.max of them all, whose arguments have to fit on the stack. */
function maxLength(numbers: readonly number[]): number {
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

function vocabularyOf(vocab: unknown): ReadonlyMap<string, number> {
  const tokens = new Map<string, number>();
  for (const [token, number] of Object.entries(fieldsOf(vocab))) {
    if (typeof number !== "number" || !Number.isInteger(number) || number < 0) {
      throw unsupported("a vocabulary whose tokens have no numbers");
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
  const cutChinese = fields["handle_chinese_chars"] !== false;
  return (text) => {
    let result = cutChinese ? text.replaceAll(/\p{Script=Han}/gu, " $& ") : text;
    if (stripAccents === true) result = withoutMarks(result.normalize("NFD"));
    return lowercase ? result.toLowerCase() : result;
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{Mn}/gu, "");
}

function cutterOf(preTokenizer: unknown): (text: string) => readonly string[] {
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
      const steps = listOf(fields["pretokenizers"]).map(cutterOf);
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
  return typeof type === "string" ? `"${type}"` : "without a name";
}

function unsupported(what: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The model has ${what}, which svc does not know.`, {
    hint: "Take a model2vec model with a WordPiece tokenizer, or leave the setting out.",
  });
}
