import { expect, test } from "vitest";

import { templateDialect } from "../../../src/parse/templates/template-dialects.ts";

test.each([
  ["app/views/posts/show.html.erb", "html", "", "ruby"],
  ["app/views/posts/show.html.haml", "html", "", "ruby"],
  ["_includes/head.liquid", "html", "", "ruby"],
  ["resources/views/post.blade.php", "php", "", "php"],
  ["templates/page.html.twig", "html", "", "php"],
  ["Pages/Index.cshtml", "html", "", "csharp"],
  ["templates/mail.j2", "html", "", "python"],
  ["views/list.ejs", "html", "", "javascript"],
  ["lib/web/page.html.heex", "html", "", "elixir"],
  ["webapp/list.jsp", "html", "", "jvm"],
  ["templates/base.tmpl", undefined, "", "go"],
  ["src/hero.component.html", "html", "", "javascript"],
  ["src/hero.html", "html", '<li *ngFor="let hero of heroes">', "javascript"],
  ["src/hero.html", "html", '<a (click)="save()">', "javascript"],
  ["templates/post.html", "html", "{% extends 'base.html' %}", "python"],
  ["layouts/single.html", "html", "<h1>{{ .Title }}</h1>", "go"],
  ["templates/owner.html", "html", '<p th:text="${owner.name}">', "jvm"],
])("%s is a template with code of its language", (path, language, text, family) => {
  expect(templateDialect(path, language, text)?.family).toBe(family);
});

test("a page without code, and other files, are no templates", () => {
  expect(templateDialect("docs/index.html", "html", "<p>{ braces }</p>")).toBeUndefined();
  expect(templateDialect("src/a.ts", "typescript", "{% if %}")).toBeUndefined();
});
