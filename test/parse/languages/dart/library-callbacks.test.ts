import { expect, test } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

test("functions of libraries pass objects of their type arguments, and builders the context", async () => {
  const uses = await usesIn(
    "dart",
    `void run() {
  testWidgets('a', (tester) async { tester.pump(); });
  on<Opened>((event, emit) => event.id);
  BlocBuilder<Counter, Count>(builder: (context, state) { context.read<Store>().open(); return state.total; });
  expect(a, isA<Item>().having((one) => one.name, 'name', 'b'));
}
`,
  );
  expect(uses).toContain("2 call @WidgetTester.pump in run");
  expect(uses).toContain("3 value @Opened.id in run");
  expect(uses).toContain("4 call @BuildContext.read in run");
  expect(uses).toContain("4 call @Store.open in run");
  expect(uses).toContain("4 value @Count.total in run");
  expect(uses).toContain("5 value @Item.name in run");
});

test("a class has the type argument of the class of a library that it extends", async () => {
  const source =
    "class A extends Cubit<Count> { get now => state.total; }\nclass B extends Box<Count> {}\n";
  expect(await typesIn("dart", source)).toEqual(["A @Count", "A.now @Count.total"]);
});
