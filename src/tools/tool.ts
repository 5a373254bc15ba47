import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

import { SvcError, type ErrorCode } from "../base/errors.ts";
import type { Engine } from "../engine/api/engine.ts";
import type { Reranker } from "../engine/api/search.ts";
import type { Principal } from "../sources/principal.ts";
import { argumentProblem } from "./argument-problem.ts";
import { typedArguments } from "./typed-arguments.ts";

export type ToolGroup = "search" | "analysis" | "indexing" | "monitoring";

/** One piece of an answer. */
export interface ContentItem {
  readonly text: string;
  /** Facts about the item for programs: path, lines, symbol, score. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** A content block of another type, sent in place of the text. The 12 tools answer in text (interface, 2.4). */
  readonly block?: { readonly type: string } & Readonly<Record<string, unknown>>;
}

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** Everything that a tool may use. A tool that needs more does work of the engine. */
export interface ToolContext {
  /** Opens the index on first use; `initialize` and `tools/list` never call it. */
  readonly engine: () => Promise<Engine>;
  readonly principal: Principal;
  /** Set when the caller has a provider key. */
  readonly reranker?: Reranker | undefined;
  readonly signal: AbortSignal;
  /** Time of `performance.now()` at which a search returns a partial answer, so that its call does not time out. */
  readonly deadline?: number | undefined;
  /** Adds one content item; the session marks every item but the last as partial. */
  readonly emit: (item: ContentItem) => void;
  readonly progress: (progress: Progress) => void;
}

/** The result of a tool besides its items. */
export interface ToolResult {
  /** Set when the answer is data (product decisions, section 6). */
  readonly structured?: Readonly<Record<string, unknown>>;
  /** True when the same call on the same generation gives the same answer, so that it may be cached. */
  readonly isRepeatable?: boolean;
  /** The whole result of a call that another server answered, without items of its own. */
  readonly complete?: Readonly<Record<string, unknown>>;
}

/** A tool as `tools/list` shows it. */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, boolean | string>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool before it is loaded. */
export interface ToolListing {
  readonly name: string;
  readonly group: ToolGroup;
  /** False for tools that change the index; `--read-only` removes them. */
  readonly readOnly: boolean;
  readonly descriptor: ToolDescriptor;
}

export interface Tool extends ToolListing {
  /** Validates `input` and runs. Throws SvcError (INVALID_PARAMS or the argument's own code) on bad input. */
  readonly call: (input: unknown, context: ToolContext) => Promise<ToolResult>;
}

type Shape = v.ObjectEntries;
type Input<Entries extends Shape> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>;

interface ToolDefinition<Entries extends Shape> {
  readonly name: string;
  readonly title: string;
  readonly group: ToolGroup;
  readonly description: string;
  readonly readOnly: boolean;
  /** Whether a call may reach other machines. */
  readonly openWorld?: true;
  readonly input: Entries;
  /**
   * Arguments that the tool accepts and the schema does not list: they are for people who examine an answer, and every
   * prompt contains the schema.
   */
  readonly unlisted?: readonly (keyof Entries & string)[];
  /** Set when the tool has structured output (see ToolResult.structured). */
  readonly hasOutput?: true;
  /** Error codes of single arguments; INVALID_PARAMS for the others. */
  readonly errorCodes?: Readonly<Partial<Record<keyof Entries, ErrorCode>>>;
  /** Other accepted names of arguments, because models mix them up. */
  readonly aliases?: Readonly<Record<string, keyof Entries & string>>;
  /** Client hints that go into the descriptor's `_meta`. */
  readonly hints?: Readonly<Record<string, unknown>>;
  readonly run: (input: Input<Entries>, context: ToolContext) => Promise<ToolResult>;
}

/** Binds a handler to its schema, so that the handler gets only valid input. */
export function defineTool<Entries extends Shape>(definition: ToolDefinition<Entries>): Tool {
  const { name, title, group, description, readOnly, hasOutput, hints } = definition;
  const openWorldHint = definition.openWorld ?? false;
  const schema = v.strictObject(definition.input);
  const descriptor: ToolDescriptor = {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(schema, definition.unlisted),
    // docs/tools.md has the full output schema; here it would take space in every prompt.
    ...(hasOutput === true ? { outputSchema: { type: "object" } } : {}),
    // The other two hints only have a meaning for tools that change something.
    annotations: readOnly
      ? { readOnlyHint: true, openWorldHint }
      : { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint },
    ...(hints === undefined ? {} : { _meta: hints }),
  };
  return {
    name,
    group,
    readOnly,
    descriptor,
    async call(raw, context) {
      const named = withoutAliases(raw, definition.aliases);
      const parsed = v.safeParse(schema, typedArguments(definition.input, named));
      if (!parsed.success) throw invalidArgument(parsed.issues[0], definition, schema);
      return definition.run(parsed.output, context);
    },
  };
}

function inputSchemaOf(
  schema: v.GenericSchema,
  unlisted: readonly string[] = [],
): Record<string, unknown> {
  const {
    $schema: _dialect,
    required,
    properties,
    ...rest
  } = toJsonSchema(schema, {
    typeMode: "input",
    // JSON Schema cannot express this check; the schema's `metadata` has its limits.
    ignoreActions: ["check"],
  });
  const entries = Object.entries(properties ?? {})
    .filter(([name]) => !unlisted.includes(name))
    .map(([name, one]) => [name, shortened(one)]);
  return {
    ...rest,
    properties: Object.fromEntries(entries),
    ...(required?.length === 0 ? {} : { required }),
  };
}

/**
 * A shorter schema, because every prompt carries it: only the list for "one value or a list", no `type` with `enum`, no
 * `default: false`.
 */
function shortened(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) {
    const options: readonly unknown[] = schema.anyOf;
    const list = options.find((one) => typeof one === "object" && one !== null && "items" in one);
    return shortened(list) ?? schema;
  }
  const isNamed = "enum" in schema;
  const entries = Object.entries(schema)
    .filter(
      ([key, value]) => !(isNamed && key === "type") && !(key === "default" && value === false),
    )
    .map(([key, value]) => [key, key === "items" ? shortened(value) : value]);
  return Object.fromEntries(entries);
}

function withoutAliases(raw: unknown, aliases: Readonly<Record<string, string>> = {}): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  if (!Object.keys(raw).some((key) => Object.hasOwn(aliases, key))) return raw;
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const name = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
      return [name !== undefined && !Object.hasOwn(raw, name) ? name : key, value];
    }),
  );
}

function invalidArgument<Entries extends Shape>(
  issue: v.BaseIssue<unknown>,
  { name, errorCodes, unlisted = [] }: ToolDefinition<Entries>,
  schema: v.StrictObjectSchema<Entries, undefined>,
): SvcError {
  const key = issue.path?.[0]?.key;
  const argument = typeof key === "string" ? key : "arguments";
  const listed = Object.keys(schema.entries).filter((entry) => !unlisted.includes(entry));
  const hint = `It takes: ${listed.join(", ")}.`;
  if (issue.type === "strict_object" && issue.expected === "never") {
    return new SvcError("INVALID_PARAMS", `${name} has no argument "${argument}".`, { hint });
  }
  const code = errorCodes?.[argument] ?? "INVALID_PARAMS";
  const missing = issue.type === "strict_object" && issue.received === "undefined";
  if (!missing) return new SvcError(code, `${argument}: ${argumentProblem(issue)}.`);
  return new SvcError(code, `${argument} is required.`, code === "INVALID_PARAMS" ? { hint } : {});
}
