import { expect, test } from "vitest";

import { AppendedText } from "../../../src/parse/markup/appended-text.ts";
import { writeVueTemplate } from "../../../src/parse/markup/vue-template.ts";

function rename(name: string): { name: string; suffix: string } | undefined {
  return name.endsWith("Ref") ? { name, suffix: ".value" } : undefined;
}

/** Returns a template as code. `words`: the names in the script. */
function written(text: string, words: readonly string[] = []): string {
  const out = new AppendedText();
  writeVueTemplate({ out, rename }, { text, at: 0 }, new Set(words));
  return out.toString();
}

test("mustaches and bound attributes are values", () => {
  expect(written('<p :title="a" v-html="b">{{ c < d }} {{ }}</p>')).toBe("(a);(b);( c < d );");
  expect(written("<p>{{ f( }} {{ a")).toBe("");
});

test("elements of components are calls, and their closing tags are uses", () => {
  expect(written('<ArticleCard :article="a" is-wide @open="b(1)">\nx</ArticleCard>')).toBe(
    'ArticleCard({article: (a),isWide: "",});{const $event = 0;b(1)}ArticleCard;',
  );
  expect(written("<article-card /><Menu.Item /><div /><Transition /><slot />")).toBe(
    "ArticleCard({});Menu.Item({});",
  );
  expect(written("<article-card />", ["articleCard"])).toBe("articleCard({});");
  expect(written("<Transition />", ["Transition"])).toBe("Transition({});");
});

test("loops, conditions and slots are scopes", () => {
  expect(written('<p v-for="(a, i) in b" :key="a.c">{{ i }}</p>')).toBe(
    "for (const a of (b)) {const  i = 0;(a.c);( i );}",
  );
  expect(written('<p v-if="a">1</p>\n<p v-else-if="b" /><p v-else>{{ c }}</p>')).toBe(
    "if (a) {}/**/ else if (b) {}/**/ else {( c );}/**/",
  );
  expect(written('<p v-if="a" />{{ b }}<p v-else />')).toBe("if (a) {}/**/( b );{}/**/");
  expect(written('<A-b v-slot="{ c }">\n{{ c }}</A-b>')).toBe(
    "AB({});{const { c } = null;( c );AB;}",
  );
  expect(written('<template #row="{ c }: Row"><p>{{ c }}</p></template>')).toBe(
    "{const { c }: Row = null;( c );}",
  );
});

test("an element that is left open ends with the one around it", () => {
  expect(written('<ul><li v-for="a of b">{{ a }}</ul>{{ c }}')).toBe(
    "for (const a of (b)) {( a );}( c );",
  );
  expect(written('<p v-if="a">{{ b }}')).toBe("if (a) {( b );}/**/");
});

test("references have their value, unless an element declares the name", () => {
  expect(written('<p v-for="a in listRef">{{ a + itemRef }}</p>')).toBe(
    "for (const a of (listRef.value)) {( a + itemRef.value );}",
  );
  expect(written('<p v-for="listRef in b">{{ listRef }}</p>{{ listRef }}')).toBe(
    "for (const listRef of (b)) {( listRef );}( listRef.value );",
  );
});

test("handlers, dynamic names, directives and references to elements are uses", () => {
  expect(written('<p @click="a = 1; b()" @[c]="function () { d() }" />')).toBe(
    "{const $event = 0;a = 1; b()}(c);(function () { d() });",
  );
  expect(written('<p v-focus.lazy="a" ref="b" :c :[d]="e" />', ["vFocus", "b"])).toBe(
    "vFocus;(a);b;c;(d);(e);",
  );
  expect(written('<p ref="b" title="c" />')).toBe("");
});

test("each name has its place, also in CRLF and after signs of two units", () => {
  const text = '<p>\r\n😀 {{ a }}</p>\r\n<b-c\r\n  :d-e="f" />';
  const out = new AppendedText();
  writeVueTemplate({ out, rename: undefined }, { text, at: 100 }, new Set());
  const code = out.toString();
  expect(code).toBe("( a );BC({dE: (f),});");
  const placeOf = (name: string): number => out.originOf(code.indexOf(name)) - 100;
  expect(placeOf("a")).toBe(text.indexOf("a }"));
  expect(placeOf("BC")).toBe(text.indexOf("b-c"));
  expect(placeOf("dE")).toBe(text.indexOf(":d-e"));
  expect(placeOf("f)")).toBe(text.indexOf("f"));
});
