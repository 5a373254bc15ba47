import { expect, test } from "vitest";

import { chunk } from "../../chunk/helpers.ts";

test("calls of Ruby keep what they pass: known values by position or name", async () => {
  const source = `def run(store, *rest, key: nil)
  open(store, 1, Row.new, mode: store)
  open("text", :mode)
  Store.new(*rest, store)
  @store = store
  yield store
end
`;
  const { references } = await chunk("ruby", source);
  const passed = references.uses.flatMap(({ name, arguments: all }) =>
    all === undefined ? [] : [`${name} ${all}`],
  );
  expect(passed).toEqual(["open #0{0},?,@Row,mode=#0{0}", "yield #0{0}"]);
});
