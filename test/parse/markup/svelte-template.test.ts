import { expect, test } from "vitest";

import { AppendedText } from "../../../src/parse/markup/appended-text.ts";
import { storeName } from "../../../src/parse/markup/component-file.ts";
import { writeSvelteTemplate } from "../../../src/parse/markup/svelte-template.ts";

function rename(name: string): { name: string; suffix: string } | undefined {
  const store = storeName(name);
  return store === undefined ? undefined : { name: store, suffix: "" };
}

function written(text: string): string {
  const out = new AppendedText();
  writeSvelteTemplate({ out, rename }, text, "Own");
  return out.toString();
}

test("code in texts and attributes is a value", () => {
  expect(written('<p title={a} class="b {c ? "d" : e} {f}" {...g} {h}>{i}{$j.k}</p>')).toBe(
    '(a);(c ? "d" : e);(f);(g);(h);(i);(j.k);',
  );
  expect(written("<style>a { b: c }</style><script>{d}</script>{e}")).toBe("(e);");
});

test("elements of components are calls, and their closing tags are uses", () => {
  expect(written('<Card {a} b={c} bind:d e="f" {...g} on:open={h}>\ni</Card>')).toBe(
    'Card({a: (a),b: (c),d: (d),e: "",...(g),});(h);Card;',
  );
  expect(written("<svelte:self a={b} /><menu.Item />")).toBe("Own({a: (b),});menu.Item({});");
});

test("blocks are scopes", () => {
  expect(written("{#if a}{b}{:else if c}{d}{:else}{e}{/if}")).toBe(
    "if (a) {(b);} else if (c) {(d);} else {(e);}",
  );
  expect(written("{#each a as { b }, i (b.c)}{i}{:else}{d}{/each}")).toBe(
    "for (const { b } of (a)) {const  i  = 0;((b.c));(i);} {(d);}",
  );
  expect(written("{#await a}{b}{:then c}{c}{:catch d}{d}{/await}")).toBe(
    "(a);{(b);} {const c = (a\n);(c);} {const d = null;(d);}",
  );
  expect(written("{#await a then b}{b}{/await}")).toBe("(a);{const b = (a\n);(b);}");
  expect(written("{#key a}{b}{/key}")).toBe("(a);{(b);}");
  expect(written("{#snippet a(b: C)}{b}{/snippet}{@render a(d)}")).toBe(
    "function a(b: C) {(b);}(a(d));",
  );
  expect(written("{@const a = b.c}{@html a}")).toBe("const a  = ( b.c);(a);");
});

test("directives use functions and variables", () => {
  expect(
    written("<p use:a={b} class:c class:d={e} style:f transition:g|local animate:h.i />"),
  ).toBe("a;(b);c;(e);f;g;h.i;");
  expect(written("<Card let:a let:b={{ c }}>{a}\n{c}</Card>")).toBe(
    "Card({});{const a = null;const { c } = null;(a);(c);Card;}",
  );
});

test("blocks and elements that do not end are ended", () => {
  expect(written("{#if a}<p>{#each b as c}{c}{/if}{d}")).toBe(
    "if (a) {for (const c of (b)) {(c);}}(d);",
  );
  expect(written("{/if}{:else}</p>{a}")).toBe("(a);");
  expect(written("{a}{b")).toBe("(a);");
});
