import type { GoldenTree } from "../question.ts";

/** An HTTP client in JavaScript, with its documentation and its types. */
export const UNDICI: GoldenTree = {
  name: "undici",
  // Not the version that the program uses, because its updates would change the answers.
  parts: ["@yao-pkg/pkg-fetch/node_modules/undici"],
  without: /-wasm\.js$/,
  questions: [
    {
      ask: "how long does it wait before a failed request is tried again",
      right: [{ path: "lib/handler/retry-handler.js", line: "const retryTimeout =" }],
    },
    {
      ask: "which headers are dropped when a redirect leads to another origin",
      right: [
        { path: "lib/handler/redirect-handler.js", line: "function shouldRemoveHeader (" },
        { path: "lib/handler/redirect-handler.js", line: "function cleanRequestHeaders (" },
      ],
    },
    {
      ask: "what happens to queued requests when the client is destroyed",
      right: [{ path: "lib/dispatcher/client.js", line: "[kDestroy] (err) {" }],
    },
    {
      ask: "choose the upstream with the highest weight",
      right: [{ path: "lib/dispatcher/balanced-pool.js", line: "[kGetDispatcher] () {" }],
    },
    {
      ask: "when may a response be stored in the cache",
      right: [{ path: "lib/handler/cache-handler.js", line: "function canCacheResponse (" }],
    },
    {
      ask: "reuse TLS sessions between connections",
      right: [{ path: "lib/core/connect.js", line: "const SessionCache = class" }],
    },
    {
      ask: "FixedCircularBuffer",
      right: [{ path: "lib/dispatcher/fixed-queue.js", line: "class FixedCircularBuffer {" }],
    },
    {
      ask: "parseKeepAliveTimeout",
      right: [{ path: "lib/core/util.js", line: "function parseKeepAliveTimeout (val) {" }],
    },
    {
      ask: "CacheHandler.onResponseData",
      right: [
        { path: "lib/handler/cache-handler.js", line: "onResponseData (controller, chunk) {" },
      ],
    },
    {
      ask: "to_imf_date",
      right: [{ path: "lib/web/cookies/util.js", line: "function toIMFDate (date) {" }],
    },
    {
      ask: "how does env-http-proxy-agent.js treat NO_PROXY",
      right: [
        { path: "lib/dispatcher/env-http-proxy-agent.js", line: "#parseNoProxy () {" },
        { path: "lib/dispatcher/env-http-proxy-agent.js", line: "#shouldProxy (hostname, port) {" },
      ],
    },
    {
      ask: "lib/web/cookies/util.js",
      right: [{ path: "lib/web/cookies/util.js" }],
    },
    {
      ask: "UND_ERR_HEADERS_TIMEOUT",
      right: [
        { path: "lib/core/errors.js", line: "this.code = 'UND_ERR_HEADERS_TIMEOUT'" },
        { path: "docs/docs/api/Errors.md", line: "`UND_ERR_HEADERS_TIMEOUT`" },
      ],
    },
    {
      ask: "TypeError: RequestInit: duplex option is required when sending a body.",
      right: [{ path: "lib/web/fetch/request.js", line: "RequestInit: duplex option is required" }],
    },
    {
      ask: [
        "TypeError: fetch failed",
        "    at node:internal/deps/undici/undici:13510:13",
        "    at async main (file:///app/index.js:3:13) {",
        "  [cause]: ConnectTimeoutError: Connect Timeout Error (attempted address: example.com:443, timeout: 10000ms)",
        "      at onConnectTimeout (node:internal/deps/undici/undici:2602:28)",
        "      at Immediate._onImmediate (node:internal/deps/undici/undici:2583:11)",
        "    code: 'UND_ERR_CONNECT_TIMEOUT'",
      ].join("\n"),
      right: [
        { path: "lib/core/util.js", line: "function onConnectTimeout (socket, opts) {" },
        { path: "lib/core/errors.js", line: "this.code = 'UND_ERR_CONNECT_TIMEOUT'" },
      ],
    },
    {
      ask: [
        "if (statusCode === 303 && this.opts.method !== 'HEAD') {",
        "  this.opts.method = 'GET'",
        "  this.opts.body = null",
        "}",
      ].join("\n"),
      right: [
        { path: "lib/handler/redirect-handler.js", line: "In case of HTTP 303, always replace" },
      ],
    },
    {
      ask: "brotli decompres of respones",
      right: [{ path: "lib/interceptor/decompress.js" }],
    },
    {
      ask: "documentation: which states does a client go through",
      right: [{ path: "docs/docs/api/api-lifecycle.md" }],
    },
    {
      ask: "how do I mock a request in my tests",
      right: [
        { path: "docs/docs/best-practices/mocking-request.md" },
        { path: "docs/docs/api/MockAgent.md" },
      ],
    },
    {
      ask: "send requests through a proxy that asks for a password",
      right: [
        {
          path: "docs/docs/best-practices/proxy.md",
          line: "### Connect with authentication",
        },
        {
          path: "docs/docs/api/ProxyAgent.md",
          line: "#### Example - Basic Proxy Request with authentication",
        },
        { path: "lib/dispatcher/proxy-agent.js" },
      ],
    },
    {
      ask: "typescript type of the retry options",
      right: [
        { path: "types/retry-handler.d.ts", line: "export interface RetryOptions {" },
        { path: "types/retry-handler.d.ts", line: "timeoutFactor?: number;" },
      ],
    },
    { ask: "how is a kubernetes pod scheduled on a node", right: [] },
  ],
};
