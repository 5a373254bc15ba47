import type { GoldenTree } from "../question.ts";

/** A protocol's client and server as compiled JavaScript, with a `.d.ts` next to each file and many examples. */
export const SDK: GoldenTree = {
  name: "typescript-sdk",
  parts: ["@modelcontextprotocol/sdk"],
  without: /^\/dist\/cjs$|\.map$/,
  questions: [
    {
      ask: "wait between attempts to reconnect a broken stream",
      right: [
        { path: "dist/esm/client/streamableHttp.js", line: "_getNextReconnectionDelay(attempt) {" },
        {
          path: "dist/esm/client/streamableHttp.js",
          line: "_scheduleReconnection(options, attemptCount = 0) {",
        },
      ],
    },
    {
      ask: "progress notifications reset the timeout of a request",
      right: [
        { path: "dist/esm/shared/protocol.js", line: "_onprogress(notification) {" },
        { path: "dist/esm/shared/protocol.js", line: "_resetTimeout(messageId) {" },
      ],
    },
    {
      ask: "where are the arguments of a tool call checked against its schema",
      right: [{ path: "dist/esm/server/mcp.js", line: "async validateToolInput(tool, args" }],
    },
    {
      ask: "kill the server process when the client closes",
      right: [{ path: "dist/esm/client/stdio.js", line: "processToClose.kill('SIGKILL');" }],
    },
    {
      ask: "protect a local server against DNS rebinding",
      right: [
        { path: "dist/esm/server/middleware/hostHeaderValidation.js" },
        { path: "dist/esm/server/express.js" },
        {
          path: "dist/esm/server/webStandardStreamableHttp.js",
          line: "validateRequestHeaders(req) {",
        },
      ],
    },
    {
      ask: "deserializeMessage",
      right: [{ path: "dist/esm/shared/stdio.js", line: "export function deserializeMessage(" }],
    },
    {
      ask: "merge_capabilities",
      right: [{ path: "dist/esm/shared/protocol.js", line: "export function mergeCapabilities(" }],
    },
    {
      ask: "server/auth/middleware/bearerAuth expiry of tokens",
      right: [
        {
          path: "dist/esm/server/auth/middleware/bearerAuth.js",
          line: "export function requireBearerAuth(",
        },
      ],
    },
    {
      ask: "Error: Already connected to a transport. Call close() before connecting to a new transport",
      right: [{ path: "dist/esm/shared/protocol.js", line: "Already connected to a transport." }],
    },
    {
      ask: "HTTP 400 Bad Request: Mcp-Session-Id header is required",
      right: [
        { path: "dist/esm/server/webStandardStreamableHttp.js", line: "validateSession(req) {" },
      ],
    },
    {
      ask: [
        "const index = buffer.indexOf('\\n');",
        "if (index === -1) return null;",
        "const line = buffer.toString('utf8', 0, index).replace(/\\r$/, '');",
      ].join("\n"),
      right: [{ path: "dist/esm/shared/stdio.js", line: "readMessage() {" }],
    },
    {
      ask: "example of a server that asks the user for input with a form",
      right: [{ path: "dist/esm/examples/server/elicitationFormExample.js" }],
    },
    {
      ask: "in memmory task store",
      right: [
        {
          path: "dist/esm/experimental/tasks/stores/in-memory.js",
          line: "export class InMemoryTaskStore {",
        },
      ],
    },
    { ask: "compress images before they are uploaded", right: [] },
  ],
};
