import { expect, test } from "vitest";

import { templateUses } from "../../../src/parse/templates/template-uses.ts";

function usesIn(path: string, language: string, text: string): readonly string[] {
  const file = { path, language, text, symbols: [] };
  return templateUses(file).map(
    ({ name, line, role, receiver }) => `${line} ${role} ${receiver} ${name}`,
  );
}

test("a template in a file of its own", () => {
  expect(
    usesIn("a.erb", "html", "<p>\r\n<%= pretty(post.title) %>\n<% all.each do |one| one.go %>"),
  ).toEqual([
    "2 call %ruby pretty",
    "2 value %ruby post",
    "2 value %ruby. title",
    "3 value %ruby all",
    "3 value %ruby. each",
    "3 value %ruby. go",
  ]);
});

test("in Blade, names are those of PHP", () => {
  expect(usesIn("a.blade.php", "php", "{{ price($post->label()) }}\n@if(Post::all())")).toEqual([
    "1 call  price",
    "1 call ? label",
    "2 value  Post",
    "2 call Post all",
  ]);
});

test("in Angular, paths begin at the component", () => {
  expect(
    usesIn("a.component.html", "html", `<li *ngFor="let h of heroes">{{ h.name }}</li>`),
  ).toEqual(["1 value %javascript heroes", "1 value %javascript.heroes[] name"]);
});

test("in Phoenix, a name without brackets is a variable", () => {
  expect(usesIn("a.heex", "html", "<.icon name={size(x1)} /><%= title %>")).toEqual([
    "1 call %elixir icon",
    "1 call %elixir size",
  ]);
});

test.each([
  "<%",
  "{{",
  "{%",
  "{",
  "${",
  "@a(",
  "@{",
  '="',
  '(a)="',
  "<a-b ",
  "<script ",
  "<style>",
  "|a",
  "for a in ",
  "a.",
  '~H"""',
])("200 KB of %s are read in time", (part) => {
  const text = part.repeat(200_000 / part.length);
  for (const path of ["a.erb", "a.heex", "a.cshtml", "a.component.html", "a.haml", "a.jsp"]) {
    expect(usesIn(path, "html", text).length).toBeLessThanOrEqual(20_000);
    expect(usesIn(path, "html", `<%= ${text}\n%>{{ ${text} }}`).length).toBeLessThanOrEqual(20_000);
  }
  expect(usesIn("a.ts", "typescript", `@Component template: \`${text}`)).toEqual([]);
});

test("long paths are unknown, and many templates in one file are read once", () => {
  const path = usesIn("a.component.html", "html", `{{ ${"ab.".repeat(60_000)} }}`);
  expect(Math.max(...path.map((use) => use.length))).toBeLessThan(120);
  const loop = `<li *ngFor="let a of ${"b".repeat(60_000)}">{{ ${"a.cd ".repeat(20_000)} }}`;
  expect(new Set(usesIn("a.component.html", "html", loop))).toContain("1 value %javascript. cd");
  const code = `@Component class A {\n${"template: `{{ab}}`,\n".repeat(20_000)}}`;
  const symbols = [{ kind: "class", name: "A", startLine: 1, endLine: 30_000 }];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const file = { path: "a.ts", language: "typescript", text: code, symbols } as never;
  expect(templateUses(file)).toHaveLength(20_000);
});
