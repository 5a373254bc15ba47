import { expect, test } from "vitest";

import { swiftUses } from "../../../helpers/swift-facts.ts";

test("labels of calls are kept, and arguments have the types of parameters", () => {
  expect(
    swiftUses(`open(url, mode: .read) { file in file.close() } onError: { $0.log() }
items.map { $0.name }
load(with: source)
{ result in result.show() }
let handler = open(_:mode:)
`),
  ).toEqual([
    "1 value url",
    "1 value read of open{mode@_,mode,:,:onError}",
    "1 call close of open{_/0@_,mode,:,:onError} ()",
    "1 call log of open{onError/0@_,mode,:,:onError} ()",
    "1 call open (_,mode,&,&onError)",
    "2 value items",
    "2 value name of items[]",
    "2 call map of items (&)",
    "3 value source",
    "3 call load (with,&)",
    "4 call show of load{_/0@with,:} ()",
    "5 value open (_,mode)",
  ]);
});
