import PostalMime, { type Address, type Email } from "postal-mime";

import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import { DocumentWriter } from "../document-writer.ts";
import { writeHtml } from "../html/write-html.ts";

const MAX_NESTING_DEPTH = 50;
const MAX_MESSAGES_DEPTH = 3;
const MAX_HEADERS_BYTES = 1 << 20;
const MAX_LINES = 200_000;
/** What a line of base64 counts: 64 MiB of them, 76 characters each, are 860,000. */
const BASE64_SHARE = 0.2;
const MAX_HEADER_CHARS = 100;
const DASH = 0x2d;
const UPPER_C = 0x43;
const LOWER_C = 0x63;
const MAX_LISTED = 100;
const MAX_LINE_CHARS = 2000;

/**
 * Returns the text of an e-mail: its subject as heading, sender, recipients and date, the text with what it quotes, and
 * the names of its attachments, which are not opened. It has no places. Throws DocumentError.
 */
export async function extractEmail(bytes: Uint8Array): Promise<DocumentText> {
  const writer = new DocumentWriter(undefined);
  const read = firstLines(bytes);
  if (read.length < bytes.length) writer.omit("The rest of the document is too large.");
  const email = await parse(read);
  writer.heading(1, email.subject ?? "");
  writer.block(headerLines(email).join("\n"));
  writeBody(email, writer);
  const names = email.attachments.map(({ filename, mimeType }) => filename ?? mimeType);
  if (names.length > 0) writer.block(attachmentLines(names).join("\n"));
  return writer.finish();
}

/**
 * Returns the mail up to a number of lines. The parser keeps 450 bytes of memory for each line, except for those of parts
 * in base64.
 */
function firstLines(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let lines = 0;
  let isBase64 = false;
  let start = 0;
  for (let end = buffer.indexOf("\n"); end !== -1; end = buffer.indexOf("\n", start)) {
    if (buffer[start] === DASH) isBase64 = false;
    else isBase64 ||= isBase64Header(buffer.subarray(start, end));
    lines += isBase64 ? BASE64_SHARE : 1;
    start = end + 1;
    if (lines >= MAX_LINES) return bytes.subarray(0, start);
  }
  return bytes;
}

function isBase64Header(line: Buffer): boolean {
  const first = line[0] ?? 0;
  if (line.length > MAX_HEADER_CHARS || (first !== UPPER_C && first !== LOWER_C)) return false;
  return /^content-transfer-encoding:\s*base64\s*$/iu.test(line.toString("latin1"));
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      maxNestingDepth: MAX_NESTING_DEPTH,
      maxHeadersSize: MAX_HEADERS_BYTES,
      maxRfc822NestingDepth: MAX_MESSAGES_DEPTH,
    });
  } catch (error) {
    throw new DocumentError("document-damaged", error);
  }
}

function writeBody({ text, html }: Email, writer: DocumentWriter): void {
  if (text !== undefined && text.trim() !== "") {
    for (const block of text
      .slice(0, MAX_DOCUMENT_TEXT_CHARS + 1)
      .replace(/\r\n?/gu, "\n")
      .split(/\n(?:[ \t]*\n)+/u))
      writer.block(block);
  } else if (html !== undefined && !writeHtml(html, writer)) {
    writer.omit("The rest of the document is damaged.");
  }
}

function headerLines({ from, to, cc, headers }: Email): readonly string[] {
  const date = headers.find(({ key }) => key === "date")?.value;
  const fields: readonly (readonly [string, string])[] = [
    ["From", shown(from === undefined ? [] : [from])],
    ["To", shown(to ?? [])],
    ["Cc", shown(cc ?? [])],
    ["Date", date === undefined ? "" : dateOf(date)],
  ];
  return fields.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
}

/** As in ISO 8601, in UTC, if the time has a zone: otherwise it would depend on the zone of this machine. */
function dateOf(value: string): string {
  const line = oneLine(value);
  const time = /(?:[+-]\d{4}|\bGMT|\bUTC?|Z)(?:\s*\([^()]*\))?$/u.test(line)
    ? new Date(line)
    : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return line;
  return time.toISOString().replace(".000Z", "Z");
}

function shown(addresses: readonly Address[]): string {
  const people = addresses.flatMap((each) => each.group ?? [each]);
  const names = people.slice(0, MAX_LISTED).map(({ name, address }) => {
    if (name === "") return address ?? "";
    return address === undefined || address === "" ? name : `${name} <${address}>`;
  });
  return oneLine(names.join(", ")) + (people.length > MAX_LISTED ? ", …" : "");
}

function attachmentLines(names: readonly string[]): readonly string[] {
  const lines = names.slice(0, MAX_LISTED).map((name) => `- ${oneLine(name)}`);
  const more = names.length - lines.length;
  return ["Attachments:", ...lines, ...(more > 0 ? [`- ${more} more`] : [])];
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE_CHARS)
    .replace(/[\s\u{85}]+/gu, " ")
    .trim();
}
