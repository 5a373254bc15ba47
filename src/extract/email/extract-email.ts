import PostalMime, { type Address, type Email } from "postal-mime";

import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { DocumentWriter } from "../document-writer.ts";
import { writeHtml } from "../html/write-html.ts";

const MAX_NESTING_DEPTH = 50;
const MAX_MESSAGES_DEPTH = 3;
const MAX_HEADERS_BYTES = 1 << 20;
const MAX_LISTED = 100;
const MAX_LINE_CHARS = 2000;

/**
 * Returns the text of an e-mail: its subject as heading, sender, recipients and date, the text with what it quotes, and
 * the names of its attachments, which are not opened. It has no places. Throws DocumentError.
 */
export async function extractEmail(bytes: Uint8Array): Promise<DocumentText> {
  const email = await parse(bytes);
  const writer = new DocumentWriter(undefined);
  writer.heading(1, email.subject ?? "");
  writer.block(headerLines(email).join("\n"));
  writeBody(email, writer);
  const names = email.attachments.map(({ filename, mimeType }) => filename ?? mimeType);
  if (names.length > 0) writer.block(attachmentLines(names).join("\n"));
  return writer.finish();
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
    for (const block of text.replace(/\r\n?/gu, "\n").split(/\n(?:[ \t]*\n)+/u))
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
