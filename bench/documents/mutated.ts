// The mutated documents of the bench, by format and number: the same in every run.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import {
  documentFormatOf,
  type DocumentFormat,
} from "../../src/base/documents/document-formats.ts";
import { pick, seededRandom, type Random } from "../quality/random.ts";
import { hostileDocument } from "./hostile.ts";
import type { ManifestEntry } from "./manifest.ts";
import {
  BYTE_MUTATIONS,
  JSON_MUTATIONS,
  MAIL_MUTATIONS,
  PDF_MUTATIONS,
  ZIP_MUTATIONS,
} from "./mutate.ts";

export const FORMATS = [
  "pdf",
  "word",
  "slides",
  "spreadsheet",
  "epub",
  "notebook",
  "email",
] as const satisfies readonly DocumentFormat[];

/** Larger documents are not mutated: reading one of them a thousand times takes hours. */
const MAX_SEED_BYTES = 300_000;
/** Shares of the kinds of mutated documents. */
const HOSTILE_SHARE = 0.1;
const STRUCTURED_SHARE = 0.5;

const STRUCTURED: Readonly<Record<DocumentFormat, typeof BYTE_MUTATIONS>> = {
  pdf: PDF_MUTATIONS,
  word: ZIP_MUTATIONS,
  slides: ZIP_MUTATIONS,
  spreadsheet: ZIP_MUTATIONS,
  epub: ZIP_MUTATIONS,
  notebook: JSON_MUTATIONS,
  email: MAIL_MUTATIONS,
};

const MESSAGES = [
  'From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?Q?Plan_f=C3=BCr_Mai?=\r\nDate: Mon, 2 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe rollout begins on Monday=2E\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>The rollout begins on <b>Monday</b>.</p>\r\n--x--\r\n',
  "From: c@example.org\nSubject: report\nContent-Type: multipart/mixed; boundary=y\n\n--y\nContent-Type: text/plain\n\nThe report is attached.\n--y\nContent-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=a.bin\n\nAAECAwQFBgcICQ==\n--y\nContent-Type: message/rfc822\n\nSubject: inner\n\nA message in a message.\n--y--\n",
];

export interface MutatedDocument {
  readonly kind: string;
  readonly bytes: Uint8Array;
}

export type Seeds = Readonly<Record<DocumentFormat, readonly Uint8Array[]>>;

export function readSeeds(folder: string, manifest: readonly ManifestEntry[]): Seeds {
  const seedsOf = (format: DocumentFormat): readonly Uint8Array[] => {
    const files = manifest.filter(({ file }) => documentFormatOf(file) === format);
    const documents = files.map(({ file }) => readFileSync(join(folder, file)));
    const smallest = documents.toSorted((one, other) => one.length - other.length).slice(0, 1);
    const small = documents.filter(({ length }) => length <= MAX_SEED_BYTES);
    return small.length > 0 ? small : smallest;
  };
  return {
    pdf: seedsOf("pdf"),
    word: seedsOf("word"),
    slides: seedsOf("slides"),
    spreadsheet: seedsOf("spreadsheet"),
    epub: seedsOf("epub"),
    notebook: seedsOf("notebook"),
    email: MESSAGES.map((text) => Buffer.from(text)),
  };
}

/** Returns document `index` of a format. */
export function mutatedDocument(
  format: DocumentFormat,
  index: number,
  seeds: Seeds,
): MutatedDocument {
  const random = seededRandom(`${format} ${index}`);
  const choice = random();
  if (choice < HOSTILE_SHARE) return hostileDocument(format, random);
  const seed = seedOf(seeds[format], random);
  const structured = choice < HOSTILE_SHARE + STRUCTURED_SHARE;
  const mutations = structured ? STRUCTURED[format] : BYTE_MUTATIONS;
  const [kind = "", mutation] = pick(Object.entries(mutations), random) ?? [];
  if (mutation === undefined) throw new RangeError(`no mutation of ${format}`);
  return { kind, bytes: mutation(seed, random, seedOf(seeds[format], random)) };
}

function seedOf(seeds: readonly Uint8Array[], random: Random): Uint8Array {
  const seed = pick(seeds, random);
  if (seed === undefined) throw new RangeError("no document to mutate");
  return seed;
}
