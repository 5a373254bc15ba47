import { expect, test } from "vitest";

import { vueTemplate } from "../../../src/parse/markup/vue-block.ts";

test("the template is between its outermost tags", () => {
  const text =
    "<!-- <template> -->\n<script>\n'<template>'\n</script>\n<template>\n<template #a>b</template>\n</template>\n<style>a</style>\n";
  const found = vueTemplate(text);
  expect(found?.text).toBe("\n<template #a>b</template>\n");
  expect(text.slice(found?.at, (found?.at ?? 0) + 11)).toBe("\n<template ");
});

test("a file may have no template, or one in another language", () => {
  expect(vueTemplate("<script>a</script>")).toBeUndefined();
  expect(vueTemplate('<template lang="pug">p a</template>')).toBeUndefined();
  expect(vueTemplate("<template>a")).toBeUndefined();
  expect(vueTemplate('<template><p title="></template>')?.text).toBe('<p title=">');
  expect(vueTemplate("<")).toBeUndefined();
});
