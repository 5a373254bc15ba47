// node bench/documents/fuzz-child.ts FOLDER FORMAT FROM TO: sends mutated documents to the thread that indexing uses,
// in a process that may crash. Prints a line of JSON for each.
import { hash } from "node:crypto";

import { documentFormatOf } from "../../src/base/documents/document-formats.ts";
import { DocumentThread } from "../../src/engine/indexing/document-thread.ts";
import { ownBytes } from "./extraction.ts";
import { readManifest } from "./manifest.ts";
import { FORMATS, mutatedDocument, readSeeds } from "./mutated.ts";

export interface FuzzedDocument {
  readonly index: number;
  readonly kind: string;
  /** `read`, or the reason for the failure. */
  readonly outcome: string;
  /** Processor time of the process while the document was read. */
  readonly cpuMs: number;
  /** The peak resident size of the process so far. */
  readonly peakBytes: number;
  /** Whether the intact document was read as before; undefined if no intact document followed this one. */
  readonly isNextIntact?: boolean;
}

/** Number of mutated documents before the next intact one. */
const INTACT_EVERY = 20;

const [folder = "", formatName = "", from = "0", to = "0"] = process.argv.slice(2);
const format = FORMATS.find((name) => name === formatName);
if (format === undefined) throw new RangeError(`no format ${formatName}`);

const seeds = readSeeds(
  folder,
  readManifest().filter(({ file }) => documentFormatOf(file) === format),
);
const thread = new DocumentThread(false);
const [intact] = seeds[format];

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  if (format === undefined) return "";
  const reply = await thread.extract(format, ownBytes(bytes));
  return "failure" in reply ? reply.failure : `read ${hash("sha256", reply.encoded)}`;
}

async function fuzzOne(index: number, expected: string): Promise<void> {
  if (format === undefined || intact === undefined) return;
  const { kind, bytes } = mutatedDocument(format, index, seeds);
  const before = process.cpuUsage();
  const [outcome = ""] = (await outcomeOf(bytes)).split(" ");
  const { user, system } = process.cpuUsage(before);
  const isFollowed = index % INTACT_EVERY === 0 || outcome === "document-too-slow";
  const line: FuzzedDocument = {
    index,
    kind,
    outcome,
    cpuMs: (user + system) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...(isFollowed ? { isNextIntact: (await outcomeOf(intact)) === expected } : {}),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const expected = intact === undefined ? "" : await outcomeOf(intact);
for (let index = Number(from); index < Number(to); index += 1) {
  // oxlint-disable-next-line no-await-in-loop -- the thread reads one after the other
  await fuzzOne(index, expected);
}
await thread.close();
