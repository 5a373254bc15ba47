import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

/** Returns the fields of a component as "line name". */
async function fieldsOf(script: string): Promise<readonly string[]> {
  const { symbols } = await chunk("vue", `<script>\n${script}\n</script>\n`, "Card.vue");
  return symbols
    .filter(({ kind }) => kind === "field")
    .map(({ startLine, qualifiedName }) => `${startLine} ${qualifiedName}`);
}

test("`defineProps` declares properties by types, values and names", async () => {
  expect(
    await fieldsOf("const props = defineProps<{\n  article: string;\n  open(): void;\n}>();"),
  ).toEqual(["3 Card.article", "4 Card.open"]);
  expect(await fieldsOf("withDefaults(defineProps<{ article: string }>(), {});")).toEqual([
    "2 Card.article",
  ]);
  expect(await fieldsOf("defineProps({ article: Object, size: { type: Number } });")).toEqual([
    "2 Card.article",
    "2 Card.size",
  ]);
  expect(await fieldsOf('defineProps(["article", "size"]);')).toEqual([
    "2 Card.article",
    "2 Card.size",
  ]);
  expect(await fieldsOf("const props = defineProps<Props>();")).toEqual([]);
});

test("options have listed properties and the fields of their data", async () => {
  expect(
    await fieldsOf(
      'export default {\n  props: ["article"],\n  data() {\n    return { count: 1 };\n  },\n};',
    ),
  ).toEqual(["3 Card.article", "5 Card.count"]);
  expect(await fieldsOf("export default {\n  data: () => ({ count: 1, size: 2 }),\n};")).toEqual([
    "3 Card.count",
    "3 Card.size",
  ]);
});
