import { expect, it } from "vitest";

import { schemaLines } from "./schema-lines.ts";

const protobuf = (text: string): string[] => schemaLines(text, "protobuf");

it("fields and values may have the names of keywords", () => {
  const text =
    "message M {\n string message = 1;\n rpc option = 2;\n reserved 5;\n}\nenum E { option = 1; enum = 2; option a = true; }";
  expect(protobuf(text)).toEqual([
    "1-5 class M",
    "  2-2 field message",
    "  3-3 field option",
    "6-6 type E",
    "  6-6 constant option",
    "  6-6 constant enum",
  ]);
});

it("brackets of options and comments do not end a message", () => {
  const text =
    'message M {\n option (a) = { b: "}" };\n int32 c = 1 [(d) = "{", e = { f: [1] }]; // }\n /* } */\n int32 g = 2;\n}\nmessage N {}\n';
  expect(protobuf(text)).toEqual(["1-6 class M", "  3-3 field c", "  4-5 field g", "7-7 class N"]);
});

it("a missing brace leaves the definitions before it", () => {
  expect(protobuf("message A { int32 b = 1; }\nmessage C {\n int32 d = 1;\n")).toEqual([
    "1-1 class A",
    "  1-1 field b",
    "2-3 class C",
    "  3-3 field d",
  ]);
});
