import { expect, test } from "vitest";

import { AppendedText } from "../../../src/parse/markup/appended-text.ts";
import { writeAstroTemplate } from "../../../src/parse/markup/astro-template.ts";

function written(text: string): string {
  const out = new AppendedText();
  writeAstroTemplate({ out, rename: undefined }, text, { from: 0, component: "Own" });
  return out.toString().replaceAll("\n", "");
}

test("code is a value, and elements of components are calls", () => {
  expect(
    written('<p title={a} {...b}>it\'s {c}</p><Card {d} e="f" g={h} i={`j`} class:list={k} />'),
  ).toBe('(a);(b);[c];(k);Card({d: (d),e: "",g: (h),i: (`j`),});');
  expect(written("<Astro.self /><Fragment><a.b>\nc</a.b></Fragment>")).toBe("Own({});a.b({});a.b;");
});

test("code has elements, and elements have code", () => {
  expect(
    written("{a.map((b) => <li class={b}>it's <br> {c && <Card d={e}>\nf</Card>}</li>)}g"),
  ).toBe("[a.map((b) => [(b),[c && [Card({d: (e),}),Card,]],])];");
  expect(written("{a ? <b>c</b> : <>{d}</>}")).toBe("[a ? [] : [[d],]];");
  expect(written("{a < b && c}")).toBe("[a < b && c];");
});

test("code that does not end is left out", () => {
  expect(written("{a}{b.map((c) => <Card d={c}>")).toBe("[a];");
  expect(written("{a}{b)}")).toBe("[a];");
});

test("scripts and styles are no markup", () => {
  expect(written("<style define:vars={a}>b { c: d }</style><script>{e}</script>{f}")).toBe(
    "(a);[f];",
  );
});
