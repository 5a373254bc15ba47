// The HTTP interface as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1), generated from the definitions that
// the server uses.
import {
  fullSearchRecordSchema,
  restQuerySchema,
  searchRecordSchema,
} from "../../tools/search/rest-schemas.ts";
import type { RestCall } from "../../tools/rest/rest-call.ts";
import { REST_CALLS } from "../../tools/rest/rest-calls.ts";
import { requireMethod, type HttpExchange } from "./exchange.ts";
import { METRICS_TYPE } from "./metrics.ts";
import { errorComponents, errorResponses } from "./openapi-errors.ts";
import { sendText } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

/** Errors that any request can get: it is malformed, names another host, or comes at the wrong time. */
const ANY_REQUEST = [400, 403, 405, 408, 431, 503];

const QUEUE_NOTE =
  "Concurrent calls wait for their turn, for up to 10 s by default; then they are refused with 503 and Retry-After.";

let cached: { readonly version: string; readonly text: string } | undefined;

/** `/openapi.json`: public, because it reveals nothing about the indexed files. */
export function handleOpenApi(exchange: HttpExchange, version: string): void {
  requireMethod(exchange, ["GET", "HEAD"]);
  if (cached?.version !== version) {
    cached = { version, text: JSON.stringify(openApiDocument(version)) };
  }
  sendText(exchange, 200, cached.text);
}

/** Returns the whole document. */
export function openApiDocument(version: string): Json {
  const { responses, schemas } = errorComponents();
  return {
    openapi: "3.1.1",
    info: {
      title: "svc",
      version,
      summary: "Finds the code and documentation that answers a question.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths: {
      "/v1/search": { post: searchOperation() },
      ...Object.fromEntries(REST_CALLS.map((call) => [call.path, { post: restOperation(call) }])),
      "/v1/namespaces": { get: namespacesOperation() },
      "/v1/namespaces/{namespace}/refresh": { post: refreshOperation() },
      "/v1/namespaces/{namespace}/index": { get: indexOperation() },
      "/v1/namespaces/{namespace}/index/{segment}": { get: segmentOperation() },
      "/mcp": { post: mcpOperation(), get: listenOperation() },
      "/healthz": { get: livenessOperation() },
      "/readyz": { get: readinessOperation() },
      "/metrics": { get: metricsOperation() },
      "/openapi.json": { get: documentOperation() },
    },
    components: {
      schemas: {
        SearchQuestion: restQuerySchema(),
        SearchAnswer: searchRecordSchema(),
        FullSearchAnswer: fullSearchRecordSchema(),
        ...schemas,
      },
      responses,
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description:
            "An API key: `svc auth keys create`. It searches the namespaces that it was created for.",
        },
        webhookSignature: {
          type: "apiKey",
          in: "header",
          name: "X-Hub-Signature-256",
          description:
            "HMAC-SHA256 of the body with SERVICE_WEBHOOK_SECRET, as GitHub and Gitea send it.",
        },
        webhookToken: {
          type: "apiKey",
          in: "header",
          name: "X-Gitlab-Token",
          description: "SERVICE_WEBHOOK_SECRET itself, as GitLab sends it.",
        },
        accessToken: {
          type: "http",
          scheme: "bearer",
          description: "An access token: `svc auth token create`.",
        },
      },
    },
  };
}

function searchOperation(): Json {
  return {
    operationId: "search",
    summary: "Search a namespace of the key",
    description: QUEUE_NOTE,
    security: [{ apiKey: [] }],
    requestBody: {
      required: true,
      description: "Up to 4 MiB, in UTF-8.",
      ...jsonContent({ $ref: "#/components/schemas/SearchQuestion" }),
    },
    responses: {
      "200": {
        description: "The best matching passages.",
        ...jsonContent({
          $ref: "#/components/schemas/SearchAnswer",
          // A response to `detail: "full"`.
          if: { required: ["respelled"] },
          // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
          then: { $ref: "#/components/schemas/FullSearchAnswer" },
        }),
      },
      ...errorResponses([...ANY_REQUEST, 401, 406, 413, 415, 429, 500]),
    },
  };
}

function restOperation({ operationId, summary, body, answer }: RestCall): Json {
  return {
    operationId,
    summary,
    description: QUEUE_NOTE,
    security: [{ apiKey: [] }],
    requestBody: { required: true, description: "In UTF-8.", ...jsonContent(body) },
    responses: {
      "200": { description: "The answer.", ...jsonContent(answer) },
      ...errorResponses([...ANY_REQUEST, 401, 406, 413, 415, 429, 500]),
    },
  };
}

function namespacesOperation(): Json {
  return {
    operationId: "namespaces",
    summary: "List the namespaces that the key can search",
    security: [{ apiKey: [] }],
    responses: {
      "200": {
        description:
          "Their names, in order, and the one that a request without a name searches; null if a request must name one.",
        ...jsonContent({
          type: "object",
          required: ["namespaces", "default"],
          properties: {
            namespaces: { type: "array", items: { type: "string" } },
            default: { type: ["string", "null"] },
          },
        }),
      },
      ...errorResponses([...ANY_REQUEST, 401, 429, 500]),
    },
  };
}

function refreshOperation(): Json {
  return {
    operationId: "refresh",
    summary: "Fetch the repositories of a namespace and index what has changed",
    description:
      "For webhooks of code hosts, which show that they know the server's secret, and for holders of an access token that is not read-only. The body is not used.",
    security: [{ accessToken: [] }, { webhookSignature: [] }, { webhookToken: [] }],
    parameters: [pathParameter("namespace")],
    responses: {
      "200": {
        description: "The webhook only tests the connection.",
        ...jsonContent(REFRESH_RECORD),
      },
      "202": {
        description:
          "It has begun. `running`: after the present run another one follows, which sees what was pushed meanwhile.",
        ...jsonContent(REFRESH_RECORD),
      },
      ...errorResponses([...ANY_REQUEST, 401, 413, 429, 500]),
    },
  };
}

const REFRESH_RECORD = {
  type: "object",
  required: ["namespace", "state"],
  properties: {
    namespace: { type: "string" },
    state: { enum: ["started", "running", "ignored"] },
  },
};

function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function indexOperation(): Json {
  return {
    operationId: "index",
    summary: "List the files and segments of the index of a namespace",
    description: `For \`svc index --from-remote\`, from a server with --share-indexes. ${QUEUE_NOTE}`,
    security: [{ accessToken: [] }],
    parameters: [
      pathParameter("namespace"),
      { name: "If-None-Match", in: "header", schema: { type: "string" } },
    ],
    responses: {
      "200": {
        description: "JSON, compressed. ETag is the version of the index.",
        content: { "application/gzip": {} },
      },
      "304": { description: "The index has this version." },
      ...errorResponses([...ANY_REQUEST, 401, 429, 500]),
    },
  };
}

function segmentOperation(): Json {
  return {
    operationId: "segment",
    summary: "Get a part of a segment of the index of a namespace",
    description: `Up to 4 MiB at once. ${QUEUE_NOTE}`,
    security: [{ accessToken: [] }],
    parameters: [
      pathParameter("namespace"),
      pathParameter("segment"),
      { name: "Range", in: "header", schema: { type: "string" } },
    ],
    responses: {
      "206": {
        description: "The bytes that Content-Range names.",
        content: { "application/octet-stream": {} },
      },
      ...errorResponses([...ANY_REQUEST, 401, 404, 429, 500]),
    },
  };
}

function mcpOperation(): Json {
  const message = { type: "object" };
  return {
    operationId: "mcp",
    summary: "Send one message of the Model Context Protocol",
    description: `Streamable HTTP without sessions: modelcontextprotocol.io/specification. ${QUEUE_NOTE}`,
    security: [{ accessToken: [] }],
    parameters: [
      {
        name: "X-Provider-Key",
        in: "header",
        schema: { type: "string" },
        description: "The caller's own key of the model provider, if the server accepts one.",
      },
    ],
    requestBody: {
      required: true,
      description: "A message of JSON-RPC 2.0; a list of them in revision 2025-03-26.",
      ...jsonContent({ anyOf: [message, { type: "array", items: message }] }),
    },
    responses: {
      "200": {
        description:
          "The reply; a stream of events if progress was requested, or for `subscriptions/listen`.",
        content: {
          "application/json": { schema: { anyOf: [message, { type: "array", items: message }] } },
          "text/event-stream": { schema: { type: "string" } },
        },
      },
      "202": { description: "The notification was accepted. There is no reply." },
      // Not 4XX and 5XX: client generators support single statuses and a default, but no ranges.
      default: { description: "An error of JSON-RPC.", ...jsonContent(message) },
    },
  };
}

function listenOperation(): Json {
  const message = { type: "object" };
  return {
    operationId: "listen",
    summary: "Listen for changes of the tools, in revisions before 2026-07-28",
    description: "For clients that accept `text/event-stream`; others are refused with 405.",
    security: [{ accessToken: [] }],
    responses: {
      "200": {
        description: "A stream of events that stays open.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      default: { description: "An error of JSON-RPC.", ...jsonContent(message) },
    },
  };
}

function livenessOperation(): Json {
  return {
    operationId: "alive",
    summary: "Check that the process accepts requests",
    security: [],
    responses: {
      "200": { description: "It accepts requests.", ...jsonContent(statusSchema("ok")) },
      ...errorResponses(ANY_REQUEST),
    },
  };
}

function readinessOperation(): Json {
  return {
    operationId: "ready",
    summary: "Check that credentials and index can be opened",
    security: [],
    responses: {
      "200": { description: "Both can be opened.", ...jsonContent(statusSchema("ready")) },
      ...errorResponses(ANY_REQUEST),
    },
  };
}

function metricsOperation(): Json {
  return {
    operationId: "metrics",
    summary: "Read the metrics of the server, in the text format of Prometheus",
    description:
      "By namespace, with a token for all namespaces. Programs on the same machine may read the totals without a token.",
    security: [{ accessToken: [] }, {}],
    responses: {
      "200": {
        description: "All metrics.",
        content: { [METRICS_TYPE]: { schema: { type: "string" } } },
      },
      ...errorResponses([...ANY_REQUEST, 401, 429, 500]),
    },
  };
}

function documentOperation(): Json {
  return {
    operationId: "document",
    summary: "Read this document",
    security: [],
    responses: {
      "200": { description: "The document.", ...jsonContent({ type: "object" }) },
      ...errorResponses(ANY_REQUEST),
    },
  };
}

function statusSchema(status: string): Json {
  return { type: "object", properties: { status: { const: status } }, required: ["status"] };
}

function jsonContent(schema: Json): Json {
  return { content: { "application/json": { schema } } };
}
