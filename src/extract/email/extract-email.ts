import PostalMime, { type Address, type Email } from "postal-mime";

import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import { DocumentWriter } from "../document-writer.ts";
import { writeHtml } from "../html/write-html.ts";

const MAX_NESTING_DEPTH = 50;
const MAX_MESSAGES_DEPTH = 3;
const MAX_HEADERS_BYTES = 1 << 20;
/** A file of 64 MiB in base64 has 860,000. */
const MAX_LINES = 1_000_000;
const LINE_FEED = 0x0a;
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

/** The parser keeps an object for each line, so lines without end would fill the memory. */
function firstLines(bytes: Uint8Array): Uint8Array {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    lines += 1;
    if (lines === MAX_LINES) return bytes.subarray(0, at + 1);
  }
  return bytes;
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
