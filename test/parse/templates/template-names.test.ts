import { expect, test } from "vitest";

import { templateDialect } from "../../../src/parse/templates/template-dialects.ts";
import { templateNames } from "../../../src/parse/templates/template-names.ts";

function namesIn(path: string, text: string): readonly string[] {
  const dialect = templateDialect(path, "html", text);
  return dialect === undefined
    ? []
    : templateNames(text, dialect).map(({ name, before }) => `${before ?? ""} ${name}`.trim());
}

test("elements, attributes and pipes of Angular stand for classes and their members", () => {
  const text = `<app-hero-list [heroes]="all" (picked)="open($event)">{{ date | heroDate }}</app-hero-list>`;
  expect(namesIn("a.component.html", text)).toEqual([
    "HeroListComponent",
    "@HeroListComponent heroes",
    "all",
    "@HeroListComponent picked",
    "open",
    "date",
    "HeroDatePipe",
  ]);
});

test("elements of Phoenix and of Razor stand for functions and classes", () => {
  expect(namesIn("a.heex", `<.button/><Web.Core.icon name={pick()} />`)).toEqual([
    "button",
    "Web.Core icon",
    "pick",
  ]);
  expect(namesIn("A.razor", `<Counter Step="@Model.Step" /><b>`)).toEqual([
    "Counter",
    "Model",
    "Model Step",
  ]);
});

test("variables, tags and directives are no uses; what an event of Angular assigns to is one", () => {
  expect(namesIn("a.html", "{% url 'x' pk=post.pk %}{% my_tag url %}")).toEqual([
    "post",
    "post pk",
    "my_tag",
    "url",
  ]);
  expect(namesIn("a.blade.php", "@icon($name)@if(is_open())")).toEqual(["is_open"]);
  expect(namesIn("a.component.html", `<b (click)="open = !open">`)).toEqual(["open", "open"]);
});
