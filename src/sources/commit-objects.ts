// Reads commits: authors, dates and messages. The sizes of objects delimit them, so no message can pass for a commit.

import type { Git, GitLimits } from "./run-git.ts";

/** A commit. */
export interface Commit {
  /** Full id. */
  readonly id: string;
  readonly parents: readonly string[];
  /** Name of the author, on one line. */
  readonly author: string;
  /** ISO 8601, in UTC; "" if the commit has no valid date. */
  readonly authoredAt: string;
  /** The first paragraph of the message, on one line. */
  readonly subject: string;
  /** The rest of the message, without the blank lines around it. */
  readonly body: string;
}

/** Longer messages are cut. */
const MAX_MESSAGE_BYTES = 64 << 10;
const NEWLINE = 0x0a;

/** Returns the commits that git has, by id. Reads up to `limits.maxBytes` of them. Throws TIMEOUT. */
export async function readCommits(
  git: Git,
  ids: readonly string[],
  limits: GitLimits,
): Promise<ReadonlyMap<string, Commit>> {
  const commits = new Map<string, Commit>();
  if (ids.length === 0) return commits;
  const { bytes } = await git(["cat-file", "--batch"], limits, ids.map((id) => `${id}\n`).join(""));
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf(NEWLINE, at);
    if (lineEnd === -1) break;
    const head = bytes.toString("latin1", at, lineEnd);
    at = lineEnd + 1;
    const found = /^(?<id>[0-9a-f]+) (?<type>[a-z]+) (?<size>\d+)$/.exec(head)?.groups;
    // A missing object has only this line.
    if (found === undefined) continue;
    const end = at + Number(found["size"]);
    if (end > bytes.length) break;
    const { id = "", type } = found;
    if (type === "commit") commits.set(id, parseCommit(id, bytes.subarray(at, end)));
    at = end + 1;
  }
  return commits;
}

/** Parses the object of a commit: headers, a blank line, the message. */
export function parseCommit(id: string, bytes: Buffer): Commit {
  const blank = bytes.indexOf("\n\n");
  const headerEnd = blank === -1 ? bytes.length : blank;
  const headers = bytes.toString("latin1", 0, headerEnd).split("\n");
  const valuesOf = (name: string): readonly string[] =>
    headers
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  const decode = decoderOf(valuesOf("encoding")[0]);
  const message = decode(bytes.subarray(headerEnd + 2, headerEnd + 2 + MAX_MESSAGE_BYTES));
  const text = message.trimStart();
  const subjectEnd = text.search(/\n[ \t]*\n/);
  const end = subjectEnd === -1 ? text.length : subjectEnd;
  const author = Buffer.from(valuesOf("author")[0] ?? "", "latin1");
  return {
    id,
    parents: valuesOf("parent"),
    author: oneLine(decode(author).replace(/ ?<[^>]*>[^<>]*$/, "")),
    authoredAt: dateOf(author.toString("latin1")),
    subject: oneLine(text.slice(0, end)),
    body: text
      .slice(end)
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd(),
  };
}

function dateOf(author: string): string {
  const seconds = Number(/> (?<seconds>-?\d{1,12}) [+-]\d{4}$/.exec(author)?.groups?.["seconds"]);
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** A commit names the encoding of its text if that is not UTF-8. An unknown one is read as UTF-8. */
function decoderOf(encoding = "utf-8"): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(isKnown(encoding) ? encoding : "utf-8");
  return (bytes) => decoder.decode(bytes);
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== "";
  } catch {
    return false;
  }
}
