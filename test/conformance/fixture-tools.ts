// The tools that the scenarios of the suites call by name. They exist only for these tests.
import { SvcError } from "../../src/base/errors.ts";
import type { ContentItem, Tool } from "../../src/tools/tool.ts";
import { fixtureTool } from "../helpers/rpc.ts";

function textTool(name: string, text: string): Tool {
  return toolOf(name, [{ text }]);
}

function toolOf(name: string, items: readonly ContentItem[]): Tool {
  return fixtureTool(name, async (_input, { emit }) => {
    for (const item of items) emit(item);
    return {};
  });
}

/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** A header without sound. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const IMAGE: ContentItem = { text: "", block: { type: "image", data: PNG, mimeType: "image/png" } };
const AUDIO: ContentItem = { text: "", block: { type: "audio", data: WAV, mimeType: "audio/wav" } };

function resourceItem(name: string, mimeType: string, text: string): ContentItem {
  return { text, block: { type: "resource", resource: { uri: `test://${name}`, mimeType, text } } };
}

const STRING = { type: "string" };

/** Schema of `json_schema_2020_12_tool`: the keywords that a server must pass on unchanged. */
const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: STRING, city: STRING },
    },
  },
  properties: {
    name: STRING,
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: STRING,
    email: STRING,
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

function schemaTool(): Tool {
  const tool = textTool("json_schema_2020_12_tool", "ok");
  return { ...tool, descriptor: { ...tool.descriptor, inputSchema: SCHEMA_2020_12 } };
}

interface Fixture {
  readonly tools: readonly Tool[];
  /** Rights of the only caller: they decide which tools are listed. One of the tools changes them. */
  readonly isReadOnly: () => boolean;
}

export function createFixture(): Fixture {
  let isReadOnly = false;
  const tools: readonly Tool[] = [
    textTool("test_simple_text", "This is a simple text response for testing."),
    toolOf("test_image_content", [IMAGE]),
    toolOf("test_audio_content", [AUDIO]),
    toolOf("test_embedded_resource", [
      resourceItem("embedded-resource", "text/plain", "This is an embedded resource content."),
    ]),
    toolOf("test_multiple_content_types", [
      { text: "Multiple content types test:" },
      IMAGE,
      resourceItem("mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]),
    fixtureTool("test_error_handling", async () => {
      throw new SvcError("PATH_NOT_FOUND", "This tool intentionally returns an error for testing.");
    }),
    fixtureTool("test_tool_with_progress", async (_input, { progress, emit }) => {
      for (const done of [0, 50, 100]) progress({ done, total: 100, message: `step ${done}` });
      emit({ text: "done" });
      return {};
    }),
    fixtureTool("test_trigger_tool_change", async (_input, { emit }) => {
      isReadOnly = !isReadOnly;
      emit({ text: "changed" });
      return {};
    }),
    textTool("test_streaming_elicitation", "streamed"),
    textTool("test_logging_tool", "no logs"),
    schemaTool(),
    { ...textTool("test_changing_tool", "It comes and goes with the rights."), readOnly: false },
  ];
  return { tools, isReadOnly: () => isReadOnly };
}
