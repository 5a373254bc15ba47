import { expect, test } from "vitest";

import {
  classComponent,
  declaresProps,
  isTypeLiteral,
  svelteProps,
  vuePropsType,
} from "../../../src/parse/markup/component-props.ts";

test("the type of the properties is an argument of `defineProps`", () => {
  expect(vuePropsType("const a = defineProps<Props>()")).toBe("Props");
  expect(vuePropsType("defineProps<Base<{ a: () => void }> & B>()")).toBe(
    "Base<{ a: () => void }> & B",
  );
  expect(vuePropsType("defineProps({ a: String })")).toBeUndefined();
  expect(vuePropsType("defineProps<Props")).toBeUndefined();
  expect(isTypeLiteral(" { a: string }")).toBe(true);
  expect(isTypeLiteral("Props & {}")).toBe(false);
});

test("the properties of Svelte are a pattern with or without a type", () => {
  const script = "const { x } = y;\nlet { a, b = 1 }: Props = $props();\n";
  const found = svelteProps(script);
  expect(found?.type).toBe("Props");
  expect(script.slice(found?.pattern.start, (found?.pattern.end ?? 0) + 1)).toBe("{ a, b = 1 }");
  expect(svelteProps("let { a } = $props();")?.type).toBe("");
  expect(svelteProps("let { a }: { a: () => void } = $props();")?.type).toBe("{ a: () => void }");
  expect(svelteProps("let { a } = b;")).toBeUndefined();
  expect(svelteProps("let { a")).toBeUndefined();
});

test("a script may declare a type or a class", () => {
  expect(declaresProps("\n  export interface Props {}")).toBe(true);
  expect(declaresProps("type Props = {}")).toBe(true);
  expect(declaresProps("type PropsOf = {}")).toBe(false);
  expect(classComponent("export default class Card extends Vue {}")).toBe("Card");
  expect(classComponent("export default {}")).toBeUndefined();
});
