// The interface document as data: every sentence and every table row, quoted, with an id. Tests
// name the ids they prove through `verifies`; coverage.test.ts holds both sides together.

export interface Requirement {
  /** `<section>/<kebab-name>`; section 0 is the text before section 1. */
  readonly id: string;
  readonly section: string;
  /** Quoted from the interface document; a table row is written `cell | cell`. */
  readonly text: string;
  /** The issue that reported a breach of this sentence. */
  readonly issue?: number;
  /** The step of `OPEN_STEPS` that closes it. Until then no test may prove it. */
  readonly openUntil?: number;
  /**
   * Why no test is required: the document leaves the matter open, the sentence only introduces
   * others, or a bench proves it because a test would depend on the load of the machine.
   */
  readonly kind?: "not-shown" | "introduction" | "measured";
}

/**
 * How many requirements each step still owes. The counts may only fall: lower one in the same
 * change that removes an `openUntil`.
 */
export const OPEN_STEPS: Readonly<Record<number, { open: number; reason: string }>> = {};

export const REQUIREMENTS: readonly Requirement[] = [
  ...section("0", {
    scope: introduction(
      "This document covers the whole service interface that is specified: key and token authentication, the REST search call, the MCP server (stdio and HTTP transports, JSON-RPC 2.0 messages, errors, streaming, caching, capabilities) and the command-line management commands.",
    ),
    "only-document": introduction("It is the only document."),
    "service-name": introduction(`The service is called "the service".`),
    "base-url": introduction("{base_url} stands for its base address."),
    placeholders: introduction(
      "Placeholders such as <API_KEY>, <ACCESS_TOKEN> and <key_id> stand for values.",
    ),
  }),

  ...section("1", {
    "code-and-documents": "The service is a context-search service for code and documents.",
    "four-groups":
      "It offers search, analysis, indexing and code monitoring, grouped in namespaces.",
    "twelve-tools": "It exposes 12 tools through an MCP server.",
    "json-rpc": "MCP is the Model Context Protocol, spoken as JSON-RPC 2.0.",
    "tool-callers": "Tools are called by IDE clients and remote clients such as CI/CD jobs.",
    "rest-search": "It exposes a REST search operation, authenticated with an API key.",
    "command-line-program":
      "A command-line program manages keys and tokens and starts the MCP server in stdio mode.",
    "credential-kinds":
      "Two credential kinds exist for programmatic use: persistent API keys, and bearer tokens that expire.",
    "keys-for-third-party-tools":
      "API keys are for third-party tools that cannot do interactive SSO.",
    "tokens-for-short-sessions": "JWT-style tokens are for short-lived sessions.",
    "free-plan": `Plans: a "Free" plan exists and uses a bring-your-own-key mode (section 5).`,
    "other-plans": notShown("Other plans and their differences: not shown."),
  }),

  ...section("2.1", {
    "key-id": "key_id | string | Identifier used to revoke the key.",
    name: "name | string | Label given at creation.",
    namespace: "namespace | string | The namespace the key gives controlled access to.",
    "key-value": "key value | string | Shown as an opaque secret <API_KEY>.",
    "only-hash-stored":
      "The service stores only a one-way SHA-256 hash of it, so the original cannot be recovered from storage.",
    "other-fields": notShown(
      "Fields of the key record beyond these (creation time, status field, last use): not shown.",
    ),
  }),

  ...section("2.2", {
    name: "name | string | Label given at creation.",
    "token-value": "token value | string | Opaque secret <ACCESS_TOKEN>.",
    lifetime: "lifetime | duration | Default 30 days; configurable.",
    "other-fields": notShown("Other token fields: not shown."),
  }),

  ...section("2.3", {
    name: "name | string | The server's own short name (<server_name>).",
    version: "version | string | Semantic-style version string; the documented version is 0.8.0.",
    "protocol-version":
      "protocolVersion | string | Date-form protocol version; the documented value is 2024-11-05.",
    "list-changed-declared": "capabilities.tools.listChanged | boolean | true.",
  }),

  ...section("2.4", {
    type: `type | string | "text".`,
    text: "text | string | A chunk of result text.",
    partial:
      "partial | boolean | true on every item except the last of a streamed result, where it is false.",
    "cache-control": `cache_control | object | Optional; has a field type with allowed value "ephemeral".`,
    "result-shape": "A result has the shape {content: [content item, ...]}.",
  }),

  ...section("2.5", {
    request: `Request | the service ("2.0"), id (integer; absent on some shown calls), method (string), params (object).`,
    "success-response": "Success response | the service, id, result (object).",
    "error-response":
      "Error response | the service, id, error {code (integer), message (string), data {error_code (string), detail (string)}}.",
  }),

  ...section("3", {
    "key-created":
      "API key | create command (name, namespace) | none shown | active | Key value is issued.",
    "key-revoked":
      "API key | revoke command with <key_id> | key is active | revoked | Revoked keys are no longer in the active list.",
    "token-created":
      "Access token | create command (name) | none shown | valid | Expires after 30 days by default.",
    "token-expired":
      "Access token | expiry time reached | lifetime elapsed | expired | Token no longer accepted.",
    "key-does-not-expire":
      "API key | time passes | any | unchanged | API keys do not expire automatically.",
    "other-transitions": notShown(
      "Transitions of any other resource, and the behaviour of a revoked or expired credential when presented: not shown.",
    ),
  }),

  ...section("4.1", {
    "method-and-path": "Method and path | POST {base_url}/v1/search",
    headers: "Headers | X-API-Key: <API_KEY> (required); Content-Type: application/json",
    body: "Body | JSON object with field query (string). The length limit of query is in section 8.",
    response: notShown("Response | Response body: not shown."),
  }),

  ...section("4.2", {
    "method-and-path": "Method and path | POST {base_url}/mcp",
    headers: "Headers | Authorization: Bearer <ACCESS_TOKEN>",
    body: "Body | JSON-RPC 2.0 request: the service, id, method, params.",
    response: "Response | JSON-RPC 2.0 response (section 2.5).",
  }),

  ...section("4.3", {
    initialize:
      "initialize | object with clientInfo {name (string)} | Object with serverInfo {name}; the full initialize result beyond serverInfo: not shown.",
    "tools-list":
      "tools/list | none | {tools: [tool descriptors]}; the descriptor shape: not shown.",
    "tools-call":
      "tools/call | {name (string), arguments (object)} | {content: [content items]} (section 2.4).",
    "same-on-http": "MCP methods (same on stdio and HTTP)",
    "search-context":
      "The only tool whose name is given is search_context, with argument query (string).",
    "other-tools": notShown("The names and arguments of the other 11 tools: not shown."),
  }),

  ...section("4.4", {
    "start-arguments": `The client starts the program with the arguments "mcp" and "--stdio".`,
    "credential-variable":
      "The credential is supplied in an environment variable named SERVICE_TOKEN (neutral name for the service-specific token variable) holding <ACCESS_TOKEN>.",
    "one-message-per-line":
      "The client and server exchange one JSON-RPC message per line over standard input and output.",
    sequence: "Typical sequence: initialize, then tools/list, then tools/call.",
    latency: measured("Local stdio latency is below 10 ms."),
  }),

  ...section("4.5", {
    "auth-keys-create":
      "auth keys create | --name <string>, --namespace <string> | Creates an API key.",
    "auth-keys-list": "auth keys list | none | Lists active keys.",
    "auth-keys-revoke": "auth keys revoke | <key_id> | Revokes that key.",
    "auth-token-create": "auth token create | --name <string> | Creates a bearer token.",
    "mcp-stdio": "mcp | --stdio | Runs the MCP server over stdio.",
  }),

  ...section("4.6", {
    debug: "SERVICE_DEBUG | true | Enables detailed logging.",
    "log-level": "SERVICE_LOG_LEVEL | info, debug, warn | Sets log level.",
    "stderr-shows-messages":
      "In stdio mode, logs go to standard error and show every JSON message exchanged.",
    "neutral-names": introduction("The variable names use a neutral word for the service name."),
  }),

  ...section("5", {
    "three-methods": "Three methods exist.",
    "bearer-token":
      "1 | Bearer token (recommended) | Authorization: Bearer <ACCESS_TOKEN> | Created by the token-create command | Expires in 30 days by default; configurable.",
    "api-key":
      "2 | API key | X-API-Key: <API_KEY> | Created by the keys-create command | Less recommended; does not expire automatically. Used for the REST search call.",
    "own-provider-key":
      "3 | Bring your own key (Free plan) | Authorization: Bearer <PROVIDER_API_KEY> | The caller's own key for an external model provider | The service does not store it; it only forwards it.",
    "key-bound-to-namespace":
      "An API key gives persistent, controlled access to specific namespaces; it is bound to the namespace given at creation.",
    "stored-as-hashes": "Key values are stored only as SHA-256 hashes.",
    "authorized-only": "MCP tools are reachable only by authorized clients.",
    "roles-and-lifetime": notShown(
      "How permissions are modelled (roles) and how token lifetime is configured: not shown.",
    ),
  }),

  ...section("6", {
    "list-changed":
      "The server declares the capability tools.listChanged = true: it notifies the client when the set of tools changes.",
    "other-events": notShown("No webhooks or other event streams are shown."),
    notification: notShown("The notification's method name and payload: not shown."),
    partials: introduction("Streamed partial results are described in section 8."),
  }),

  ...section("7", {
    "error-shape": "Errors use the JSON-RPC 2.0 error shape (section 2.5).",
    "parse-error": "-32700 | Parse error",
    "parse-error-status": "-32700 | Parse error | 400",
    "invalid-request": "-32600 | Invalid request",
    "invalid-request-status": "-32600 | Invalid request | 400",
    "invalid-params": "-32602 | Invalid params",
    "invalid-params-status": "-32602 | Invalid params | 400",
    "method-not-found": "-32601 | Method not found",
    "method-not-found-status": "-32601 | Method not found | 404",
    "internal-error": "-32603 | Internal error",
    "internal-error-status": "-32603 | Internal error | 500",
    "error-data":
      "Every error also carries error.data.error_code, a custom string, and error.data.detail, a human-readable string.",
    "error-codes":
      "error_code values shown: INVALID_QUERY (code -32602, raised when query is not 3 to 10000 characters long) and NAMESPACE_NOT_FOUND.",
    "namespace-condition": notShown(
      "The condition that raises NAMESPACE_NOT_FOUND, and the complete list of error_code values: not shown.",
    ),
    "credential-errors": notShown(
      "Errors for missing, invalid, expired or revoked credentials, and the error shape of the REST search call: not shown.",
    ),
  }),

  ...section("8", {
    "query-length":
      "query length | 3 to 10000 characters | search_context (error INVALID_QUERY otherwise)",
    "request-timeout":
      "Request timeout | 30000 ms (30 s) maximum | MCP calls, including progressive streaming",
    "latency-target": measured("Latency target | p95 of 250 ms | MCP calls"),
    "token-lifetime": "Token lifetime | 30 days default, configurable | Bearer tokens",
    "cache-lifetime": "Cache lifetime for ephemeral cache_control | 5 minutes | Tool results",
    "tool-count": "Tool count | 12 | MCP server",
    "several-items":
      "Streaming: a query that returns many chunks may return several content items.",
    "partial-but-last": "All but the last have partial = true; the last has partial = false.",
    "streaming-timeout": "Streaming runs until the 30 s timeout at most.",
    "ephemeral-items": "Caching: a content item may carry cache_control of type ephemeral.",
    "repeats-save-latency": "Repeated queries then save latency.",
    logging: "Logging: all calls are logged; level is one of info, debug, warn.",
    "rate-limits": notShown("Rate limits: not shown."),
    "maximum-chunks": notShown("Maximum chunks per result: not shown."),
  }),

  ...section("9", {
    "rest-path": "The REST path carries a major version segment: /v1/.",
    "server-info":
      "The MCP server reports version 0.8.0 and protocolVersion 2024-11-05 in its server info.",
    "mcp-path": "The MCP endpoint path {base_url}/mcp carries no version segment.",
    policy: notShown("Deprecation and compatibility policy: not shown."),
  }),
];

type Entry = string | Omit<Requirement, "id" | "section">;

function section(number: string, entries: Readonly<Record<string, Entry>>): Requirement[] {
  return Object.entries(entries).map(([name, entry]) => ({
    id: `${number}/${name}`,
    section: number,
    ...(typeof entry === "string" ? { text: entry } : entry),
  }));
}

function notShown(text: string): Entry {
  return { text, kind: "not-shown" };
}

function introduction(text: string): Entry {
  return { text, kind: "introduction" };
}

function measured(text: string): Entry {
  return { text, kind: "measured" };
}
