import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { errorReply } from "./errors.ts";
import { isObject, type Id, type OutgoingMessage } from "./message.ts";

/** Takes one message on its way out: as a line of JSON without its newline, and as it was before. */
export type Send = (line: string, message: OutgoingMessage) => void;

/** JSON allows them as they are, but readers of lines take them for ends of one: `node:readline` does. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** Sends a message; one that cannot be written as JSON becomes an INTERNAL_ERROR for the same id. */
export function sendMessage(message: OutgoingMessage, send: Send, logger: Logger): void {
  logMessage("sent", message, logger);
  let line: string;
  try {
    line = JSON.stringify(message).replaceAll(LINE_ENDS, escaped);
  } catch (thrown) {
    logger.warn("answer cannot be written as JSON", { error: thrown });
    const detail = "The answer could not be written; the log says why.";
    const failure = errorReply(idOf(message), new SvcError("INTERNAL_ERROR", detail));
    send(JSON.stringify(failure), failure);
    return;
  }
  send(line, message);
}

/** With SERVICE_DEBUG every message exchanged is logged (interface, section 4.6). */
export function logMessage(direction: "received" | "sent", message: unknown, logger: Logger): void {
  try {
    logger.debug(direction, { json: message });
  } catch {
    // JSON nested tens of thousands deep can be parsed, but not written again.
    logger.debug(direction, { json: "[cannot be shown]" });
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function idOf(message: OutgoingMessage): Id | null {
  return isObject(message) && "id" in message ? message.id : null;
}
