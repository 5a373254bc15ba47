// Damages documents: in their bytes, in the files of their zip, in the objects of a PDF, and in the values of JSON.
import { unzipSync, zipSync } from "fflate";

import { pick, type Random } from "../quality/random.ts";

type Bytes = Uint8Array;
type Mutation = (bytes: Bytes, random: Random, other: Bytes) => Bytes;

/** Modification time of the files in a zip, so that it is the same in every run. */
const ZIP_TIME = Date.UTC(2026, 0, 1);

const MAX_RUN = 4096;
const MAX_FLIPS = 64;
/** A nesting depth that no real document has and that overflows a recursive parser. */
const DEPTH = 100_000;
const NUMBERS = [
  "0",
  "-1",
  "1",
  "65536",
  "2147483647",
  "4294967296",
  "1e309",
  "99999999999999999999",
];

export function whole(random: Random, below: number): number {
  return Math.floor(random() * below);
}

function flipBits(bytes: Bytes, random: Random): Bytes {
  const copy = new Uint8Array(bytes);
  const flips = 1 + whole(random, MAX_FLIPS);
  for (let flip = 0; flip < flips; flip += 1) {
    const at = whole(random, copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << whole(random, 8));
  }
  return copy;
}

function overwriteRun(bytes: Bytes, random: Random): Bytes {
  const copy = new Uint8Array(bytes);
  const value = whole(random, 3) === 0 ? 0 : undefined;
  const { from, to } = runOf(bytes, random);
  for (let at = from; at < to; at += 1) copy[at] = value ?? whole(random, 256);
  return copy;
}

function truncate(bytes: Bytes, random: Random): Bytes {
  return bytes.slice(0, whole(random, bytes.length));
}

function deleteRun(bytes: Bytes, random: Random): Bytes {
  const { from, to } = runOf(bytes, random);
  return joined(bytes.subarray(0, from), bytes.subarray(to));
}

function repeatRun(bytes: Bytes, random: Random): Bytes {
  const { from, to } = runOf(bytes, random);
  const run = bytes.subarray(from, to);
  const times = 1 + whole(random, 100);
  return joined(bytes.subarray(0, to), ...Array<Bytes>(times).fill(run), bytes.subarray(to));
}

/** The beginning of one document and the end of another. */
function splice(bytes: Bytes, random: Random, other: Bytes): Bytes {
  return joined(
    bytes.subarray(0, whole(random, bytes.length)),
    other.subarray(whole(random, other.length)),
  );
}

function runOf(bytes: Bytes, random: Random): { readonly from: number; readonly to: number } {
  const from = whole(random, bytes.length);
  return { from, to: Math.min(bytes.length, from + 1 + whole(random, MAX_RUN)) };
}

export function joined(...parts: readonly Bytes[]): Bytes {
  return Buffer.concat(parts);
}

/** Mutations of the bytes of any document. */
export const BYTE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "bits flipped": flipBits,
  "run overwritten": overwriteRun,
  truncated: truncate,
  "run deleted": deleteRun,
  "run repeated": repeatRun,
  spliced: splice,
};

/** Changes the text of a file, byte by byte as Latin-1, so that other bytes remain. */
function asText(change: (text: string, random: Random) => string): Mutation {
  return (bytes, random) =>
    Buffer.from(change(Buffer.from(bytes).toString("latin1"), random), "latin1");
}

/** Replaces a number anywhere by another. */
const changeNumbers = asText((text, random) =>
  replaceSome(text, /\d+/g, random, () => pick(NUMBERS, random) ?? "0"),
);

/** Redirects a reference in a PDF to another object, possibly to itself or its parent. */
const changeReferences = asText((text, random) => {
  const objects = [...text.matchAll(/\b(\d+) 0 obj\b/g)].map(([, number = "0"]) => number);
  return replaceSome(text, /\b\d+ 0 R\b/g, random, () => `${pick(objects, random) ?? "1"} 0 R`);
});

const deleteTag = asText((text, random) => replaceSome(text, /<[^<>]*>/g, random, () => ""));

const duplicateTag = asText((text, random) =>
  replaceSome(text, /<[^<>?!/][^<>]*>/g, random, (tag) => tag.repeat(2 + whole(random, 50))),
);

/** Nests an element in itself, deeper than the stack. */
const nestTag = asText((text, random) => {
  const tags = [...text.matchAll(/<([\w:]+)[^<>/]*>/g)];
  const tag = pick(tags, random);
  if (tag === undefined) return text;
  const [opening, name = ""] = tag;
  const inner = opening.repeat(DEPTH) + `</${name}>`.repeat(DEPTH);
  const at = tag.index + opening.length;
  return text.slice(0, at) + inner + text.slice(at);
});

/** Entities that grow by a factor of ten each. */
const addEntities = asText((text) => {
  const levels = Array.from({ length: 12 }, (_level, at) =>
    at === 0 ? '<!ENTITY e0 "ha">' : `<!ENTITY e${at} "${`&e${at - 1};`.repeat(10)}">`,
  );
  const external = '<!ENTITY file SYSTEM "file:///etc/passwd">';
  const body = text.replace(/^<\?xml[^>]*\?>\s*/u, "").replace(/>([^<]+)</u, ">&e11;&file;<");
  return `<!DOCTYPE root [${levels.join("")}${external}]>${body}`;
});

function replaceSome(
  text: string,
  pattern: RegExp,
  random: Random,
  replacement: (match: string) => string,
): string {
  const share = 1 / (1 + whole(random, 100));
  return text.replaceAll(pattern, (match) => (random() < share ? replacement(match) : match));
}

const TEXT_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "numbers changed": changeNumbers,
  "tags deleted": deleteTag,
  "tags repeated": duplicateTag,
  "tag nested": nestTag,
  entities: addEntities,
};

/** Mutations of the uncompressed objects of a PDF. */
export const PDF_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "numbers changed": changeNumbers,
  "references changed": changeReferences,
};

/** Mutations of files in a zip, which is packed again, so that its checksums do not reveal the damage. */
export const ZIP_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "file deleted": inZip((files, random) => {
    const name = pick(Object.keys(files), random);
    return Object.fromEntries(Object.entries(files).filter(([other]) => other !== name));
  }),
  "files exchanged": inZip((files, random) => {
    const names = Object.keys(files);
    const [one = "", two = ""] = [pick(names, random), pick(names, random)];
    return {
      ...files,
      [one]: files[two] ?? new Uint8Array(),
      [two]: files[one] ?? new Uint8Array(),
    };
  }),
  "links to themselves": inZip((files) =>
    Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [
        name,
        name.endsWith(".rels") ? selfReferring(name, bytes) : bytes,
      ]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries({ ...BYTE_MUTATIONS, ...TEXT_MUTATIONS }).map(([name, mutation]) => [
      `${name}, in the zip`,
      inZip((files, random) => mutateFile(files, random, mutation)),
    ]),
  ),
};

type Files = Readonly<Record<string, Uint8Array>>;

function inZip(change: (files: Files, random: Random) => Files): Mutation {
  return (bytes, random) =>
    zipSync({ ...change(unzipSync(Buffer.from(bytes)), random) }, { level: 1, mtime: ZIP_TIME });
}

/** Makes every relationship target the file that contains the relationships. */
function selfReferring(name: string, bytes: Bytes): Bytes {
  const own = `/${name.replace("_rels/", "").replace(/\.rels$/u, "")}`;
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.from(text.replaceAll(/\bTarget="[^"]*"/gu, `Target="${own}"`));
}

/** Usually one of the files with the text. */
function mutateFile(files: Files, random: Random, mutation: Mutation): Files {
  const names = Object.keys(files);
  const texts = names.filter((name) => /\.(?:xml|x?html|opf|ncx|rels)$/u.test(name));
  const name = pick(random() < 0.9 && texts.length > 0 ? texts : names, random) ?? "";
  const bytes = files[name] ?? new Uint8Array();
  if (bytes.length === 0) return files;
  return { ...files, [name]: mutation(bytes, random, bytes) };
}

/** Mutations of the values of a notebook. */
export const JSON_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "values changed": (bytes, random) => {
    const share = 1 / (1 + whole(random, 200));
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"), (_key, inner: unknown) =>
      random() < share ? pick([null, 0, -1, "", "x", [], {}, [[[]]], inner, true], random) : inner,
    );
    return Buffer.from(JSON.stringify(value) ?? "");
  },
  "arrays nested": (bytes) => {
    const deep = "[".repeat(DEPTH) + "]".repeat(DEPTH);
    const text = Buffer.from(bytes).toString("utf8");
    return Buffer.from(text.replace(/"source": ?\[/u, `"source": ${deep}, "other": [`));
  },
};

/** Mutations of the lines of a mail message. */
export const MAIL_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "numbers changed": changeNumbers,
  "lines repeated": asText((text, random) =>
    replaceSome(text, /^.*\r?\n/gm, random, (line) => line.repeat(1 + whole(random, 2000))),
  ),
};
