import { expect, test } from "vitest";

import { styleBlocks, withoutBlocks } from "../../../src/parse/styles/style-blocks.ts";

test("the style sheets of a component", () => {
  const text = `<p/>
<style lang="scss" scoped>.a {}</style>
<style module="theme">.b {}</style>
<style src="./c.css" />
<style lang="stylus">.d</style>
`;
  const blocks = styleBlocks(text, { isScoped: false });
  expect(
    blocks.map(({ start, end, options, moduleName, source }) => [
      text.slice(start, end),
      options && `${options.dialect} ${options.firstLine} ${options.isScoped}`,
      moduleName,
      source,
    ]),
  ).toEqual([
    [".a {}", "scss 2 true", undefined, undefined],
    [".b {}", "css 3 true", "theme", undefined],
    ["", "css 4 false", undefined, "./c.css"],
    [".d", undefined, undefined, undefined],
  ]);
  expect(withoutBlocks(text, blocks)).toBe(
    text.replace(".a {}", "     ").replace(".b {}", "     ").replace(".d", "  "),
  );
});

test("of Svelte and Astro, all but global ones are those of the component", () => {
  const text = "<style>.a {}</style><style is:global>.b {}</style><style>";
  const blocks = styleBlocks(text, { isScoped: true });
  expect(blocks.map(({ options }) => options?.isScoped)).toEqual([true, false]);
});
