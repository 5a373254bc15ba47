// The requests of clients, as they are on the wire.
import { QUESTIONS, TEXTS } from "../questions.ts";

/** A server and its clients. */
export interface Target {
  readonly port: number;
  readonly token: string;
  readonly key: string;
}

/** Shares of the mix, in per cent. Agents search most; a list of tools is requested once per session. */
const SHARES = {
  search_context: 40,
  search_text: 10,
  "/v1/search": 20,
  "tools/list": 10,
  ping: 20,
} as const;

export type Kind = keyof typeof SHARES;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of SHARES
export const ASKED = Object.keys(SHARES) as readonly Kind[];

/** One hundred entries: each kind according to its share. */
const KINDS: readonly Kind[] = ASKED.flatMap((kind) =>
  Array.from({ length: SHARES[kind] }, () => kind),
);

/** The nth request of a client. */
export function nthRequest(nth: number, target: Target): { kind: Kind; text: string } {
  // Any step that has no factor in common with 100 visits each hundredth once, and mixes the kinds.
  const kind = KINDS[(nth * 37) % 100] ?? "ping";
  // Another limit or budget each time, because a cached answer would not measure a query. Texts repeat.
  const round = Math.floor(nth / QUESTIONS.length);
  const limit = 5 + (round % 20);
  const max_tokens = 2000 + (Math.floor(round / 20) % 15_000);
  const query = QUESTIONS[nth % QUESTIONS.length];
  const pattern = TEXTS[nth % TEXTS.length];
  const texts: Readonly<Record<Kind, () => string>> = {
    search_context: () => toolCall("search_context", { query, limit, max_tokens }, target),
    search_text: () => toolCall("search_text", { pattern, limit }, target),
    "/v1/search": () => restSearch({ query, limit, max_tokens }, target),
    "tools/list": () => rpc("tools/list", {}, target),
    ping: () => ping(target),
  };
  return { kind, text: texts[kind]() };
}

export function ping(target: Target): string {
  return rpc("ping", undefined, target);
}

export function toolCall(
  name: string,
  input: Readonly<Record<string, unknown>>,
  target: Omit<Target, "key">,
): string {
  return rpc("tools/call", { name, arguments: input }, target);
}

function rpc(method: string, params: unknown, { port, token }: Omit<Target, "key">): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return post({ path: "/mcp", port }, `Authorization: Bearer ${token}`, body);
}

function restSearch(body: unknown, { port, key }: Target): string {
  return post({ path: "/v1/search", port }, `X-API-Key: ${key}`, JSON.stringify(body));
}

export function get(path: string, { port }: Pick<Target, "port">): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
}

/** Both media types are accepted, as clients of MCP do. */
function post(
  { path, port }: { path: string; port: number },
  credential: string,
  body: string,
): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    credential,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
