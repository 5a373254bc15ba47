import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

async function marksIn(source: string): Promise<readonly string[]> {
  const { symbols, references } = await chunk("dart", source);
  return (references.signatures ?? []).flatMap((mark, symbol) =>
    mark === "" ? [] : [`${symbols[symbol]?.qualifiedName}: ${mark}`],
  );
}

test("marks show what functions pass, what constructors set, and extensions", async () => {
  const source = `typedef ItemCallback = void Function(Item item, int at);
typedef Source = FutureOr<Item> Function();
extension Labels on Item {}
class Page {
  Page(this.a, void run(Event event), {required this.onItem, super.key, ItemCallback? last});
  final void Function(Item)? onItem;
  void each(int size, void Function(Event) run) {}
}
`;
  expect(await marksIn(source)).toEqual([
    "ItemCallback: {@Item,}",
    "Source: {}@Item",
    "Labels: extension",
    "Page.Page: {<onItem={@Item},last=@ItemCallback>,,{@Event}} .a .onItem ^key",
    "Page.onItem: {@Item}",
    "Page.each: {,,{@Event}}",
  ]);
});
