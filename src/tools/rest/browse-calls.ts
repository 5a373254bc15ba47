// Folders, files, names and references over REST, for a reader of code.
import { placeOf } from "../place-of.ts";
import { PLACE } from "../search/rest-schemas.ts";
import * as v from "valibot";

import { REFERENCE_RELATIONS } from "../../engine/api/references.ts";
import {
  boundedText,
  cursor,
  FILE_KINDS,
  namespace,
  namespaces,
  pathGlobs,
  wholeNumber,
} from "../arguments.ts";
import { DEFINITION } from "./definition-schema.ts";
import { defineRestCall, engineRequest } from "./rest-call.ts";

const whole = v.pipe(v.number(), v.integer());
/** As long as the longest path that the system allows. */
const filePath = boundedText(4096);

const commit = v.optional(
  v.pipe(v.string(), v.regex(/^[0-9a-f]{7,64}$/, "must be the id of a commit")),
);
const COMMIT = "Id of a commit, or its first digits: the file as it is there.";

const inSeveral = v.optional(
  v.pipe(v.string(), v.description("With several namespaces: the one with the file.")),
);

export const restFolder = defineRestCall({
  path: "/v1/folder",
  operationId: "listFolder",
  summary: "List the files and folders directly in a folder of the index",
  body: v.strictObject({ path: v.optional(v.pipe(v.string(), v.maxLength(4096)), ""), namespace }),
  descriptions: { path: "Path of the folder; empty for the root." },
  example: '{"path": "src"}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    path: v.string(),
    folders: v.array(v.string()),
    files: v.array(
      v.object({
        name: v.string(),
        language: v.string(),
        kind: v.picklist(FILE_KINDS),
        bytes: whole,
        skipped: v.pipe(v.string(), v.description("Why its content is not indexed, or empty.")),
      }),
    ),
  }),
  subject: ({ path }) => path,
  run: async (input, context) => {
    const result = await context.engine.folder({
      ...engineRequest(input, context),
      path: input.path,
    });
    const { generation, path, folders, files } = result;
    const record = {
      namespace: result.namespace,
      generation,
      path,
      folders: [...folders],
      files: files.map((file) => ({ ...file })),
    };
    return { record, items: folders.length + files.length, characters: 0 };
  },
});

export const restFile = defineRestCall({
  path: "/v1/file",
  operationId: "readFile",
  summary: "Read a whole file, with its outline",
  body: v.strictObject({ path: filePath, commit, namespace }),
  descriptions: { path: "Path of the file, relative to the root of its source.", commit: COMMIT },
  example: '{"path": "src/main.ts"}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    path: v.string(),
    language: v.pipe(v.string(), v.description("Empty when unknown.")),
    kind: v.picklist(FILE_KINDS),
    bytes: whole,
    lines: whole,
    text: v.pipe(
      v.string(),
      v.description(
        "With a line feed between lines and its secrets masked; empty for a binary file.",
      ),
    ),
    binary: v.boolean(),
    version: v.pipe(v.string(), v.description("Identifies this text, as in `/v1/colors`.")),
    changed: v.pipe(v.boolean(), v.description("The file has changed since it was indexed.")),
    symbols: v.pipe(
      v.array(
        v.object({
          name: v.string(),
          symbol: v.pipe(v.string(), v.description("Qualified name.")),
          kind: v.string(),
          signature: v.string(),
          start_line: whole,
          end_line: whole,
          place: PLACE,
          depth: v.pipe(whole, v.description("Number of enclosing definitions.")),
        }),
      ),
      v.description("In the order of lines, enclosing definitions first."),
    ),
    local_path: v.pipe(
      v.string(),
      v.description("Absolute path; empty for clients on other machines and for repositories."),
    ),
    commit: v.pipe(
      v.string(),
      v.description(
        "That of the request; else the one that svc fetched, or HEAD in a folder of its machine; empty without a repository.",
      ),
    ),
    past: v.pipe(
      v.boolean(),
      v.description(
        "The text is that of the commit of the request, and the present one is another.",
      ),
    ),
  }),
  subject: ({ path }) => path,
  run: async (input, context) => {
    const { path, commit: at } = input;
    const request = { ...engineRequest(input, context), path, commit: at };
    const file = await context.engine.file(request);
    const record = {
      namespace: file.namespace,
      generation: file.generation,
      path: file.path,
      language: file.language,
      kind: file.kind,
      bytes: file.bytes,
      lines: file.lines,
      text: file.text,
      binary: file.isBinary,
      version: file.version,
      changed: file.changed,
      symbols: file.symbols.map((symbol) => ({
        name: symbol.name,
        symbol: symbol.qualifiedName,
        kind: symbol.kind,
        signature: symbol.signature,
        start_line: symbol.startLine,
        end_line: symbol.endLine,
        ...placeOf(symbol),
        depth: symbol.depth,
      })),
      local_path: context.isLocal ? file.localPath : "",
      commit: file.commit,
      past: file.isPast,
    };
    return { record, items: 1, characters: file.text.length };
  },
});

export const restColors = defineRestCall({
  path: "/v1/colors",
  operationId: "colorFile",
  summary: "Find comments, strings, keywords and names in a file by the grammar of its language",
  body: v.strictObject({ path: filePath, commit, namespace }),
  descriptions: { path: "Path of the file, relative to the root of its source.", commit: COMMIT },
  example: '{"path": "src/main.ts"}',
  answer: v.object({
    namespace: v.string(),
    version: v.pipe(v.string(), v.description("That of the text in `/v1/file`.")),
    kinds: v.array(v.string()),
    pieces: v.pipe(
      v.nullable(v.array(whole)),
      v.description(
        "Three numbers for each piece: its distance from the end of the previous one, its length, both in UTF-16 code units, and its index in `kinds`. Null without a grammar.",
      ),
    ),
  }),
  subject: ({ path }) => path,
  run: async (input, context) => {
    const { path, commit: at } = input;
    const request = { ...engineRequest(input, context), path, commit: at };
    const { namespace: searched, version, kinds, pieces } = await context.engine.colors(request);
    const record = {
      namespace: searched,
      version,
      kinds: [...kinds],
      pieces: pieces === undefined ? null : [...pieces],
    };
    return { record, items: 1, characters: 0 };
  },
});

export const restName = defineRestCall({
  path: "/v1/name",
  operationId: "explainName",
  summary: "Find the definitions of the name at a position of a file",
  body: v.strictObject({
    path: filePath,
    line: wholeNumber(1, 10_000_000),
    column: wholeNumber(1, 10_000_000),
    namespace,
  }),
  descriptions: {
    path: "Path of the file, relative to the root of its source.",
    line: "From 1.",
    column: "From 1, in UTF-16 code units.",
  },
  example: '{"path": "src/main.ts", "line": 3, "column": 10}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    name: v.pipe(v.string(), v.description("Empty when there is no name.")),
    column: v.pipe(whole, v.description("Of its first character; 0 when there is no name.")),
    role: v.pipe(v.string(), v.description("What the name does there, as far as that is known.")),
    definitions: v.pipe(
      v.array(
        v.object({
          ...DEFINITION,
          signature: v.string(),
          doc: v.pipe(v.string(), v.description("Its comment, without markers; may be empty.")),
          certainty: v.picklist(["exact", "name"]),
        }),
      ),
      v.description("Best first; empty for a name that is not defined in the project."),
    ),
  }),
  subject: ({ path, line }) => `${path}:${line}`,
  run: async (input, context) => {
    const { path, line, column } = input;
    const result = await context.engine.nameAt({
      ...engineRequest(input, context),
      path,
      line,
      column,
    });
    const definitions = result.definitions.map((one) => ({
      path: one.path,
      start_line: one.startLine,
      end_line: one.endLine,
      name_line: one.nameLine,
      name: one.name,
      symbol: one.qualifiedName,
      kind: one.kind,
      signature: one.signature,
      doc: one.comment,
      certainty: one.certainty,
    }));
    const { namespace: searched, generation, name, column: start, role } = result;
    const record = { namespace: searched, generation, name, column: start, role, definitions };
    return { record, items: definitions.length, characters: 0 };
  },
});

export const restReferences = defineRestCall({
  path: "/v1/references",
  operationId: "findReferences",
  summary: "Find the users, callers or implementations of a definition, or what it calls",
  body: v.strictObject({
    symbol: filePath,
    relation: v.optional(
      v.picklist(REFERENCE_RELATIONS, `must be one of ${REFERENCE_RELATIONS.join(", ")}`),
      "references",
    ),
    path: pathGlobs,
    limit: v.optional(wholeNumber(1, 500), 100),
    cursor,
    namespace: namespaces,
  }),
  descriptions: {
    symbol: "A name, `path#name` or `path:line`; a path for imports and importers.",
    relation: "What to find.",
    path: "Glob over the paths of users; of several, each must match. `!` before a glob excludes.",
    limit: "Maximum places per page.",
    cursor: "`next_cursor` of the previous page; the request must be the same.",
  },
  example: '{"symbol": "src/session.ts#Session.open"}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    target: v.object({
      namespace: inSeveral,
      path: v.string(),
      start_line: whole,
      end_line: whole,
      symbol: v.string(),
    }),
    references: v.pipe(
      v.array(
        v.object({
          namespace: inSeveral,
          path: v.string(),
          line: whole,
          text: v.string(),
          symbol: v.pipe(v.string(), v.description("The definition around it; may be empty.")),
          role: v.string(),
          certainty: v.picklist(["exact", "name"]),
          version: v.optional(
            v.pipe(
              v.string(),
              v.description(
                "How the version of the package in the searched namespace differs from the one that is used. Such a place counts as by name.",
              ),
            ),
          ),
        }),
      ),
      v.description("Exact ones first, then those that only have the same name."),
    ),
    exact: v.pipe(whole, v.description("Number of exact places on all pages.")),
    by_name: whole,
    files: whole,
    missing: v.pipe(
      v.array(v.string()),
      v.description("With several namespaces: what could not be searched, one sentence each."),
    ),
    next_cursor: v.nullable(v.string()),
  }),
  subject: ({ symbol }) => symbol,
  run: async (input, context) => {
    const { symbol, relation, path, limit, cursor: from } = input;
    const result = await context.engine.references({
      ...engineRequest(input, context),
      symbol,
      relation,
      path,
      limit,
      cursor: from,
      depth: 1,
    });
    const { target } = result;
    const references = result.references.map((one) => ({
      ...(one.namespace === undefined ? {} : { namespace: one.fromNamespace ?? one.namespace }),
      path: one.from === "" ? one.path : one.from,
      line: one.line,
      text: one.text,
      symbol: one.symbol,
      role: one.role,
      certainty: one.certainty,
      ...(one.version === undefined ? {} : { version: one.version }),
    }));
    const record = {
      namespace: result.namespace,
      generation: result.generation,
      target: {
        ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
        path: target.path,
        start_line: target.startLine,
        end_line: target.endLine,
        symbol: target.symbol,
      },
      references,
      exact: result.exact,
      by_name: result.byName,
      files: result.files,
      missing: [...(result.missing ?? [])],
      next_cursor: result.nextCursor ?? null,
    };
    const characters = references.reduce((sum, { text }) => sum + text.length, 0);
    return { record, items: references.length, characters };
  },
});
