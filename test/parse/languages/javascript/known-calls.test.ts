import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("hooks of React hold values", async () => {
  const users = await usersIn({
    "src/types.ts":
      "export interface Item { name: string; size: number }\nexport class Box { item!: Item }\n",
    "src/use.tsx": `import React, { createContext, useContext, useMemo, useRef, useState, type RefObject } from "react";
import { Box, type Item } from "./types.ts";
const Items = createContext<Item | null>(null);
export function List({ ref }: { ref: RefObject<Item> }) {
  const [item, setItem] = useState<Item | null>(null);
  const box = React.useRef<Box>(null);
  const found = useContext(Items);
  const made = useMemo(() => new Box(), []);
  item.name; found.name;
  box.current.item.size;
  made.item.size;
  ref.current.size;
}
`,
  });
  expect(await users("Item.name")).toEqual(["src/use.tsx:9 value"]);
  expect(await users("Item.size")).toEqual([
    "src/use.tsx:10 value",
    "src/use.tsx:11 value",
    "src/use.tsx:12 value",
  ]);
});
