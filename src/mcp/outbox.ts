import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { errorReply } from "./errors.ts";
import { isObject, type Id, type OutgoingMessage } from "./message.ts";

/** Sends one message: `line` is its JSON without a newline. */
export type Send = (line: string, message: OutgoingMessage) => void;

/** JSON allows these unescaped, but line readers such as `node:readline` treat them as line ends. */
const LINE_ENDS = ["\u2028", "\u2029"] as const;
const ANY_LINE_END = /[\u2028\u2029]/g;

/** Sends a message. One that cannot be serialized becomes an INTERNAL_ERROR with the same id. */
export function sendMessage(message: OutgoingMessage, send: Send, logger: Logger): void {
  logMessage("sent", message, logger);
  let line: string;
  try {
    line = JSON.stringify(message);
    if (LINE_ENDS.some((end) => line.includes(end))) line = line.replaceAll(ANY_LINE_END, escaped);
  } catch (thrown) {
    logger.warn("answer cannot be serialized as JSON", { error: thrown });
    const detail = "The answer could not be serialized; see the log.";
    const failure = errorReply(idOf(message), new SvcError("INTERNAL_ERROR", detail));
    send(JSON.stringify(failure), failure);
    return;
  }
  send(line, message);
}

/** SERVICE_DEBUG logs every message (interface, section 4.6). */
export function logMessage(direction: "received" | "sent", message: unknown, logger: Logger): void {
  try {
    logger.debug(direction, { json: message });
  } catch {
    // JSON nested tens of thousands of levels deep can be parsed, but not serialized.
    logger.debug(direction, { json: "[cannot be shown]" });
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function idOf(message: OutgoingMessage): Id | null {
  return isObject(message) && "id" in message ? message.id : null;
}
