import { expect, test } from "vitest";

import { symbolLines } from "../../symbol-lines.ts";

test("what a type without a semicolon says before a call signature does not hide the rest of the file", async () => {
  const source = `export interface Factory extends Base {
    <T = any>(value: T[], options?: Options): List<T>
    <T>(value: Set<T>): Items[]
    // Another one.
    <T extends object>(value: T): T
    /** And one more. */
    <K, V>(value: Map<K, V>): { [key: string]: V }
    <T>(value: T): "text"

    box: Boxes
}
export const open = (): number => 1
`;
  expect(await symbolLines("typescript", source)).toEqual([
    "1 type Factory",
    "10 field Factory.box",
    "12 function open",
  ]);
});
