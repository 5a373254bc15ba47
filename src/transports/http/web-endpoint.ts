// The search page (docs/decisions/0024-search-page.md): static, public files that reveal nothing about the indexed
// files.
import { webAssets, readWebAsset } from "../../base/assets.ts";
import { gunzip } from "../../base/compression.ts";
import { shortHash } from "../../base/short-hash.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { NOT_MODIFIED, sendBody } from "./reply.ts";

const INDEX_PAGE = "page/index.html";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  ts: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** The browser loads, runs and contacts only what this server sends, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  // A browser caches the files and revalidates them each time.
  "Cache-Control": "no-cache",
  "Content-Security-Policy": POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
} as const;

/** Returns each path of the page with its handler. */
export function webEndpoints(): readonly (readonly [string, (exchange: HttpExchange) => void])[] {
  return webAssets().map((name) => [
    name === INDEX_PAGE ? "/" : `/${name}`,
    (exchange) => handleWebAsset(exchange, name),
  ]);
}

function handleWebAsset(exchange: HttpExchange, name: string): void {
  requireMethod(exchange, ["GET", "HEAD"]);
  const { headers } = exchange.request;
  const packed = readWebAsset(name);
  const isPacked = acceptsGzip(headers["accept-encoding"]);
  // Each of the two bodies has a tag of its own (RFC 9110, section 8.8.3).
  const tag = `"${shortHash(Buffer.from(packed).toString("latin1"))}${isPacked ? "-gzip" : ""}"`;
  const status = matchesTag(tag, headers["if-none-match"]) ? NOT_MODIFIED : 200;
  sendBody(exchange, status, {
    type: CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    content: isPacked ? packed : gunzip(packed),
    headers: {
      ...HEADERS,
      ETag: tag,
      Vary: "Accept-Encoding",
      ...(isPacked ? { "Content-Encoding": "gzip" } : {}),
    },
  });
}

/** Whether an Accept-Encoding header names gzip, or any encoding, without the weight 0. */
function acceptsGzip(header = ""): boolean {
  const accepted = header
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";").map((part) => part.trim()))
    .filter(([, weight = ""]) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name);
  return accepted.includes("gzip") || accepted.includes("*");
}

/** Returns true when the client has the version with this tag; a proxy that compressed it marks the tag as weak. */
function matchesTag(tag: string, given: string | undefined): boolean {
  const tags = given?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(tag) || tags.includes("*");
}
