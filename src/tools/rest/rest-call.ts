// The calls of the REST interface that `svc serve` answers next to `/v1/search`: what its page needs to show code.
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

import type { Engine } from "../../engine/api/engine.ts";
import type { EngineRequest } from "../../engine/api/request.ts";
import type { namespace as oneNamespace } from "../arguments.ts";
import { parseBody } from "./parse-body.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** The engine and the caller of a request. */
export interface RestContext extends Pick<EngineRequest, "principal" | "signal" | "deadline"> {
  readonly engine: Engine;
  /** True when the client is on the machine of the server and may see absolute paths. */
  readonly isLocal: boolean;
}

/** An answer with what the audit log records of it. */
export interface RestAnswer {
  readonly record: { readonly namespace: string };
  readonly items: number;
  /** Number of characters of text from files. */
  readonly characters: number;
}

/** `POST` to `path` with a JSON object. */
export interface RestCall {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** JSON Schema 2020-12. */
  readonly body: JsonSchema;
  readonly answer: JsonSchema;
  /** Validates a body. Throws INVALID_PARAMS. */
  readonly parse: (body: unknown) => ParsedCall;
}

/** A valid request. */
export interface ParsedCall {
  /** As requested. */
  readonly namespace: string | undefined;
  /** What is searched for or read, for the audit log. */
  readonly subject: string;
  readonly run: (context: RestContext) => Promise<RestAnswer>;
}

type Body = v.StrictObjectSchema<
  v.ObjectEntries & { readonly namespace: typeof oneNamespace },
  undefined
>;
type Answer = v.GenericSchema<unknown, { readonly namespace: string }>;

interface RestDefinition<B extends Body, A extends Answer> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly body: B;
  /** By member of the body. */
  readonly descriptions: Readonly<Record<Exclude<keyof B["entries"], "namespace">, string>>;
  readonly example: string;
  readonly answer: A;
  readonly subject: (input: v.InferOutput<B>) => string;
  readonly run: (
    input: v.InferOutput<B>,
    context: RestContext,
  ) => Promise<Omit<RestAnswer, "record"> & { readonly record: v.InferOutput<A> }>;
}

export function defineRestCall<B extends Body, A extends Answer>(
  definition: RestDefinition<B, A>,
): RestCall {
  const { path, operationId, summary, body: schema, descriptions, example, answer } = definition;
  return {
    path,
    operationId,
    summary,
    body: bodySchema(schema, descriptions),
    answer: schemaOf(answer),
    parse: (body) => {
      const input = parseBody(schema, body, { example });
      return {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every body has it, as `Body` says
        namespace: input.namespace as string | undefined,
        subject: definition.subject(input),
        run: (context) => definition.run(input, context),
      };
    },
  };
}

/** The members of a request that every engine call has. */
export function engineRequest(
  { namespace }: { readonly namespace?: string | undefined },
  { principal, signal, deadline }: RestContext,
): EngineRequest {
  return { namespace, principal, signal, deadline };
}

/** The body as JSON Schema 2020-12, with longer descriptions than those of the tools. */
function bodySchema(schema: Body, descriptions: Readonly<Record<string, string>>): JsonSchema {
  const { $schema: _dialect, properties = {}, ...rest } = toSchema(schema);
  const all = { namespace: "Required if the key can search several namespaces.", ...descriptions };
  const described = Object.entries(all).map(([name, description]) => [
    name,
    Object.assign({}, properties[name], { description }),
  ]);
  return { ...rest, properties: Object.fromEntries(described) };
}

function schemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = toSchema(schema);
  return rest;
}

function toSchema(schema: v.GenericSchema): ReturnType<typeof toJsonSchema> {
  return toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    ignoreActions: ["check"],
  });
}
