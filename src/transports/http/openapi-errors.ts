// The errors in the OpenAPI document, generated from the table of errors.
import { STATUS_CODES } from "node:http";

import { ERRORS, rpcMessage, type ErrorCode } from "../../base/errors.ts";

type Json = Readonly<Record<string, unknown>>;

/** Codes that are used only in MCP messages or on the command line. */
const NON_HTTP_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "METHOD_NOT_FOUND",
  "TOOL_NOT_FOUND",
  "DUPLICATE_ID",
  "CANNOT_LISTEN",
  "USAGE",
  "INVALID_SETTINGS",
]);

/** Headers of every error with this status. */
const HEADERS: Readonly<Record<number, Json>> = {
  401: header("WWW-Authenticate", { type: "string" }, "The scheme, and the realm svc."),
  405: header("Allow", { type: "string" }, "The methods that the path accepts."),
  429: header("Retry-After", { type: "integer", minimum: 0 }, "Seconds to wait."),
  503: header("Retry-After", { type: "integer", minimum: 0 }, "Seconds to wait."),
};

/** Returns references to the responses with these statuses, for one operation. */
export function errorResponses(statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(status)}` },
    ]),
  );
}

/** Returns the components that the references point to. */
export function errorComponents(): { readonly responses: Json; readonly schemas: Json } {
  const statuses = [...new Set(rows().map(({ http }) => http))].toSorted((a, b) => a - b);
  const responses = statuses.map((status) => [nameOf(status), responseOf(status)]);
  const schemas = statuses.map((status) => [`${nameOf(status)}Error`, schemaOf(status)]);
  return { responses: Object.fromEntries(responses), schemas: Object.fromEntries(schemas) };
}

interface Row {
  readonly name: string;
  readonly rpc: number;
  readonly http: number;
  readonly when: string;
}

function rows(): readonly Row[] {
  return Object.entries(ERRORS)
    .filter(([name]) => !NON_HTTP_CODES.has(name))
    .map(([name, row]) => ({ name, ...row }));
}

/** Returns the reason phrase of a status as an identifier: "TooManyRequests". */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z0-9]/g, "");
}

function responseOf(status: number): Json {
  const codes = rows()
    .filter(({ http }) => http === status)
    .map(({ name, when }) => `- ${name}: ${when}`);
  return {
    description: codes.join("\n"),
    ...(HEADERS[status] === undefined ? {} : { headers: HEADERS[status] }),
    content: {
      "application/json": { schema: { $ref: `#/components/schemas/${nameOf(status)}Error` } },
    },
  };
}

function schemaOf(status: number): Json {
  const found = rows().filter(({ http }) => http === status);
  const codes = [...new Set(found.map(({ rpc }) => rpc))];
  return record({
    error: record({
      code: { type: "integer", enum: codes },
      message: { type: "string", enum: codes.map(rpcMessage) },
      data: record({
        error_code: { type: "string", enum: found.map(({ name }) => name) },
        detail: { type: "string", description: "For people: the problem, and how to fix it." },
      }),
    }),
  });
}

function record(properties: Json): Json {
  return { type: "object", properties, required: Object.keys(properties) };
}

function header(name: string, schema: Json, description: string): Json {
  return { [name]: { schema, description } };
}
