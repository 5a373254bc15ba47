// Section 3 of the protocol's checklist as data: each line with its id, quoted. The titles of tests begin with the ids
// that they prove; protocol-coverage.test.ts holds both sides together.

export interface ProtocolLine {
  readonly id: string;
  /** The transports to test: standard input and output, HTTP, or both. */
  readonly wires: "stdio" | "http" | "both";
  readonly text: string;
}

/** L applies to the revisions with a handshake, M to 2026-07-28. */
export const PROTOCOL_LINES: readonly ProtocolLine[] = [
  // Framing
  {
    id: "S1",
    wires: "stdio",
    text: "one JSON object per `\\n`; accept `\\r\\n`, ignore blank lines; UTF-8 sequences split over chunks decode correctly.",
  },
  {
    id: "S2",
    wires: "stdio",
    text: "stdout carries only JSON-RPC lines in every mode, incl. SERVICE_DEBUG=true; logs to stderr.",
  },
  {
    id: "S3",
    wires: "stdio",
    text: 'bad JSON => `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{error_code,detail}}}`; process continues.',
  },
  {
    id: "S4",
    wires: "both",
    text: 'non-object, `jsonrpc`!="2.0", missing/non-string method, id null/float/object => -32600, id echoed if string|integer else null. `params` not an object => -32602. Unknown top-level members are ignored (SDK drops the message; we must not).',
  },
  {
    id: "S5",
    wires: "stdio",
    text: "line > 16 MiB => -32600 MESSAGE_TOO_LARGE, rest of line skipped, process continues.",
  },
  {
    id: "S6",
    wires: "stdio",
    text: "requests run concurrently: a slow call does not delay a fast one; replies may be out of order; 200 pipelined ids all answered once.",
  },
  {
    id: "S7",
    wires: "stdio",
    text: "stdin EOF => in-flight work aborted, written answers flushed, exit 0 within 1 s; SIGINT/SIGTERM exit within 1.5 s; EPIPE on stdout exits quietly.",
  },
  {
    id: "S8",
    wires: "stdio",
    text: "`notifications/cancelled {requestId}` aborts; **no** reply afterwards; unknown id ignored.",
  },
  { id: "S9", wires: "both", text: "duplicate in-flight id => -32600 DUPLICATE_ID." },
  {
    id: "S10",
    wires: "stdio",
    text: 'stdio never asks for OAuth; credential only from SERVICE_TOKEN (then local store); empty or literal `${SERVICE_TOKEN}` counts as unset (Claude Code passes the literal, Gemini "" when unset).',
  },
  {
    id: "L1",
    wires: "both",
    text: "`initialize` echoes a supported requested version, else `2025-11-25`; absent => `2024-11-05`; result has protocolVersion, capabilities `{tools:{listChanged:true}}`, serverInfo, instructions.",
  },
  {
    id: "L2",
    wires: "both",
    text: "`ping` => `{}` any time; tools/list before initialize is answered (as SDK).",
  },
  { id: "L3", wires: "both", text: "second `initialize` allowed." },
  {
    id: "L4",
    wires: "both",
    text: "undeclared features (prompts/*, resources/*, completion, logging/setLevel, tasks/*) => -32601. Do not declare logging (deprecated).",
  },
  {
    id: "L5",
    wires: "both",
    text: "batch only for 2025-03-26 (empty array => -32600; all-notification batch => nothing / 202).",
  },
  {
    id: "M1",
    wires: "both",
    text: 'a request is modern iff `params._meta["io.modelcontextprotocol/protocolVersion"]` is a string (HTTP: or header names a modern version). Missing clientCapabilities/protocolVersion => -32602/400; missing clientInfo is fine.',
  },
  {
    id: "M2",
    wires: "both",
    text: 'unsupported => -32022/400, data has supported ⊆ discover.supportedVersions, requested, error_code, detail. Advertise only `["2026-07-28"]` in both lists.',
  },
  {
    id: "M3",
    wires: "both",
    text: "`server/discover` => supportedVersions, capabilities, instructions, resultType, ttlMs, cacheScope, _meta.serverInfo.",
  },
  {
    id: "M4",
    wires: "both",
    text: 'every result: `resultType:"complete"` + `_meta["io.modelcontextprotocol/serverInfo"]`; tools/list adds `ttlMs` int>=0 and `cacheScope` ("private" if scoped by credential). Never emitted to L clients.',
  },
  {
    id: "M5",
    wires: "both",
    text: "`initialize`, `ping`, `logging/setLevel`, `resources/subscribe|unsubscribe` with modern _meta => -32601, HTTP 404.",
  },
  {
    id: "M6",
    wires: "both",
    text: '`subscriptions/listen`: first message `notifications/subscriptions/acknowledged` with `_meta…/subscriptionId`=request id and honoured filter; later notifications tagged; unrequested types never sent; ends on cancel/disconnect; on server shutdown send the final `{resultType:"complete"}` result.',
  },
  {
    id: "M7",
    wires: "stdio",
    text: "both eras may share one stdio process; no state from earlier requests is used for modern ones.",
  },
  {
    id: "M8",
    wires: "both",
    text: "no `notifications/message` unless asked; server sends no JSON-RPC requests ever.",
  },
  {
    id: "T1",
    wires: "both",
    text: "exactly 12 tools, same order every call; names `^[a-z0-9_]{1,40}$` (Claude Code exposes `mcp__svc__<name>`; MCP limit 128, conformance 0.1.16 says 64); each has title, description, inputSchema (type object, additionalProperties:false, 2020-12, no external $ref), annotations (readOnlyHint etc.).",
  },
  {
    id: "T2",
    wires: "both",
    text: "put a tool with no required arguments **first** (conformance `http-header-validation` calls tools[0] with `{}`).",
  },
  {
    id: "T3",
    wires: "both",
    text: 'search_context: `_meta:{"anthropic/alwaysLoad":true}` - without it Claude Code defers MCP tools behind ToolSearch (extra model turn); with it the tool is in the first prompt. Also `anthropic/searchHint`, `anthropic/maxResultSizeChars` exist.',
  },
  {
    id: "T4",
    wires: "both",
    text: "query length 3..10000 counted in code points (as JSON Schema does), else -32602 INVALID_QUERY.",
  },
  {
    id: "T5",
    wires: "both",
    text: "unknown tool => -32602 TOOL_NOT_FOUND; missing name / non-object arguments => -32602 INVALID_PARAMS; any `cursor` we did not issue => -32602 INVALID_CURSOR (of tools/list; a wrong argument of a tool is a result, decision 0055).",
  },
  {
    id: "T6",
    wires: "both",
    text: 'items: type "text"; partial true on all but last, false on last (also for a single item); cache_control only `{type:"ephemeral"}`.',
  },
  {
    id: "T7",
    wires: "both",
    text: "outputSchema declared => structuredContent valid against it **and** a text item with the same JSON (index_status and list_changes: a short text that sums it up, decision 0055); not sent to <2025-06-18 clients' schema is harmless (extras allowed).",
  },
  {
    id: "T8",
    wires: "both",
    text: "progressToken string|integer **including 0** (Codex sends 0); progress strictly increases; none after the reply; none without a token.",
  },
  {
    id: "T9",
    wires: "both",
    text: 'handler exception => -32603 "Internal error", detail generic (no exception text or path); stack to stderr.',
  },
  { id: "T10", wires: "both", text: "30 s timer => TIMEOUT; process lives on." },
  {
    id: "T11",
    wires: "both",
    text: "all errors: integer code, table message, data.error_code (string), data.detail (string).",
  },
  {
    id: "H1",
    wires: "http",
    text: "bind 127.0.0.1 unless `--host` given; refuse non-loopback bind without token auth.",
  },
  {
    id: "H2",
    wires: "http",
    text: "order of checks: Host, Origin, path, auth, method, content-type, accept, size, parse, classify, headers, dispatch.",
  },
  {
    id: "H3",
    wires: "http",
    text: "Host not in {127.0.0.1,localhost,[::1]}:port + allowlist => 403; Origin present and not allowed => 403; `Origin: http://127.0.0.1:PORT` allowed.",
  },
  {
    id: "H4",
    wires: "http",
    text: "status: -32700/-32600/-32602/-32020/-32021/-32022 400, -32601 404, -32603 500; 401/403/405(Allow)/406/413/415 JSON error bodies, `Content-Type: application/json`, `Cache-Control: no-store`.",
  },
  { id: "H5", wires: "http", text: "accepted notification/response => 202 empty." },
  {
    id: "H6",
    wires: "http",
    text: "body limit 4 MiB => 413; Content-Type must be application/json => 415.",
  },
  {
    id: "H7",
    wires: "http",
    text: "answer JSON; upgrade to SSE (200, `X-Accel-Buffering: no`, no event ids) only when a notification precedes the result and client accepts SSE; error after the upgrade is delivered in-band with 200 (unavoidable).",
  },
  {
    id: "H8",
    wires: "http",
    text: "no `Mcp-Session-Id` issued; incoming one and `Last-Event-ID` ignored; DELETE/PUT/OPTIONS 405.",
  },
  {
    id: "H9",
    wires: "http",
    text: "GET + Accept text/event-stream => authenticated list_changed stream with 15 s comments; otherwise 405.",
  },
  {
    id: "H10",
    wires: "http",
    text: "M: MCP-Protocol-Version==_meta, Mcp-Method==method, Mcp-Name==params.name (trim, case-insensitive names, `=?base64?…?=` decoded) else -32020/400. L: unknown header version => 400; absent => assume 2025-03-26.",
  },
  {
    id: "H11",
    wires: "http",
    text: "client disconnect aborts the call (M MUST; do it for L too only when no resumability - ours).",
  },
  {
    id: "H12",
    wires: "http",
    text: '401 has `WWW-Authenticate: Bearer realm="svc"` (+ `error="invalid_token"` when a token was sent), **no** resource_metadata; `/.well-known/oauth-*` => 404. Verified: Claude Code prints a clear "token rejected" line and does not start OAuth when a header is configured.',
  },
  {
    id: "H13",
    wires: "http",
    text: "error codes outside the table use positive numbers (401,403,413,415,405,406), never -32000..-32019.",
  },
];
