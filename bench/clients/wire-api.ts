// The parts of an API that the simulated provider needs: how a request lists tools and their results, and how an answer
// calls tools.
import type { ScriptedCall } from "./calls.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A tool as the request describes it. */
export interface OfferedTool {
  readonly name: string;
  /** For APIs that group tools. */
  readonly namespace?: string;
}

export interface NumberedCall extends ScriptedCall {
  readonly id: string;
  readonly offered: OfferedTool;
}

export interface WireApi {
  /** True for a path that queries the model. */
  readonly isModelCall: (path: string) => boolean;
  readonly offeredTools: (body: Json) => readonly OfferedTool[];
  /** The result of each call as the model would receive it, by call id. */
  readonly results: (body: Json) => ReadonlyMap<string, string>;
  /** The events of an answer that calls these tools or ends the conversation. */
  readonly answer: (calls: readonly NumberedCall[], body: Json) => string;
}

export function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text, or the texts of a list of parts. */
export function joinedText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => textOf(text))
    .join("\n");
}

/** Server-sent events, named or not. */
export function events(list: readonly Json[], isNamed: boolean): string {
  return list
    .map((event) => {
      const name = isNamed ? `event: ${textOf(event["type"])}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}
