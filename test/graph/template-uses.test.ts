import { expect, test } from "vitest";

import { mayUse } from "../../src/graph/template-uses.ts";
import { usersIn } from "../helpers/reference-users.ts";

test("a template may use the definitions of the language of its code", () => {
  expect(mayUse("html", { receiver: "%ruby." }, "ruby")).toBe(true);
  expect(mayUse("html", { receiver: "%javascript" }, "typescript")).toBe(true);
  expect(mayUse("html", { receiver: "%ruby" }, "python")).toBe(false);
  expect(mayUse("tsx", { receiver: "" }, "typescript")).toBe(true);
});

test("Angular: members of the component next to the template, and of their types", async () => {
  const users = await usersIn({
    "src/hero.component.ts": `import { Component, Input } from "@angular/core";
import { Hero } from "./hero";
import { RowComponent } from "./row.component";
@Component({ selector: "app-hero", templateUrl: "./hero.component.html", imports: [RowComponent] })
export class HeroComponent {
  heroes: Hero[] = [];
  save(hero: Hero): void {}
}
`,
    "src/hero.component.html": `<li *ngFor="let h of heroes" (click)="save(h)">{{ h.title }}</li>
<app-row [item]="heroes[0]" (done)="save($event)"></app-row>
`,
    "src/hero.ts":
      "export interface Hero { title: string }\nexport interface Book { title: string }\n",
    "src/row.component.ts": `import { Component, Input, Output } from "@angular/core";
@Component({ selector: "app-row", template: \`<b>{{ label() }}</b>\` })
export class RowComponent {
  @Input() item: unknown;
  @Output() done = 1;
  label(): string { return ""; }
}
`,
  });
  expect(await users("HeroComponent.heroes")).toEqual([
    "src/hero.component.html:1 value",
    "src/hero.component.html:2 value",
  ]);
  expect(await users("HeroComponent.save")).toEqual([
    "src/hero.component.html:1 call",
    "src/hero.component.html:2 call",
  ]);
  expect(await users("Hero.title")).toEqual(["src/hero.component.html:1 value"]);
  expect(await users("Book.title")).toEqual([]);
  expect(await users("RowComponent.item")).toEqual(["src/hero.component.html:2 value"]);
  expect(await users("RowComponent.done")).toEqual(["src/hero.component.html:2 value"]);
  expect(await users("RowComponent.label")).toEqual(["src/row.component.ts:2 call"]);
  expect(await users("RowComponent")).toEqual([
    "src/hero.component.html:2 value",
    "src/hero.component.ts:3 import",
    "src/hero.component.ts:4 value",
  ]);
});

test("Angular: an element with the name of the component around it may be one of a library", async () => {
  const users = await usersIn({
    "src/alert.component.ts": "export class AlertComponent {\n  status = 1;\n}\n",
    "src/alert.component.html": `<nb-alert [status]="status"></nb-alert>\n`,
    "src/bar.component.ts": `@Component({ template: \`<nb-bar [value]="a"></nb-bar>\` })
export class BarComponent {
  value = 1;
}
`,
  });
  expect(await users("AlertComponent")).toEqual(["src/alert.component.html:1 value ?"]);
  expect(await users("BarComponent")).toEqual(["src/bar.component.ts:1 value ?"]);
  expect(await users("BarComponent.value")).toEqual(["src/bar.component.ts:1 value ?"]);
});

test("Phoenix: functions of modules in ~H", async () => {
  const users = await usersIn({
    "lib/core.ex": `defmodule Web.Core do
  def button(assigns), do: ~H"""
  <b>{label(@text)}</b>
  """
  def label(text), do: text
end
`,
    "lib/page.ex": `defmodule Web.Page do
  import Web.Core
  def render(assigns) do
    ~H"""
    <.button text="a" />
    <Web.Core.button />
    """
  end
end
`,
  });
  expect(await users("Web.Core.label")).toEqual(["lib/core.ex:3 call"]);
  expect(await users("Web.Core.button")).toEqual(["lib/page.ex:5 call", "lib/page.ex:6 call"]);
});

test("Razor: members of the model that a view declares, and of the class next to a component", async () => {
  const users = await usersIn({
    "Models/Order.cs": `namespace Shop {
  public class Order { public string Name { get; set; } public List<Line> Lines { get; set; } }
  public class Line { public string Name { get; set; } public int Price() { return 1; } }
}
`,
    "Views/Order.cshtml": `@model Shop.Order
<p>@Model.Name</p><input asp-for="Name" />
@foreach (var line in Model.Lines)
{
  <b>@line.Price() @line.Name</b>
}
`,
    "Views/All.cshtml": `@model IEnumerable<Order>
@foreach (var one in Model) { <b>@one.Name</b> }
`,
    "Counter.razor": '<button @onclick="Add">@Total()</button>\n',
    "Counter.razor.cs":
      "public partial class Counter {\n  void Add() { }\n  int Total() { return 1; }\n}\n",
  });
  expect(await users("Order.Name")).toEqual([
    "Views/All.cshtml:2 value",
    "Views/Order.cshtml:2 value",
  ]);
  expect(await users("Line.Name")).toEqual(["Views/Order.cshtml:5 value"]);
  expect(await users("Line.Price")).toEqual(["Views/Order.cshtml:5 call"]);
  expect(await users("Order.Lines")).toEqual(["Views/Order.cshtml:3 value"]);
  expect(await users("Counter.Total")).toEqual(["Counter.razor:1 call"]);
});

test("a template of another language has no component of TypeScript next to it", async () => {
  const users = await usersIn({
    "page.ts": "export class Page {\n  title = 1;\n}\n",
    "page.html": "{% if title %}{{ title }}{% endif %}\n",
    "page.py": "def title():\n    return 1\n",
  });
  expect(await users("Page.title")).toEqual([]);
  expect(await users("title")).toEqual(["page.html:1 value ?"]);
});

test("other templates: by name, in the languages of their code", async () => {
  const users = await usersIn({
    "app/helpers/post_helper.rb": "module PostHelper\n  def pretty(post)\n  end\nend\n",
    "app/pretty.py": "def pretty(post):\n    return post\n",
    "app/views/show.html.erb": "<%= pretty @post %>\n",
    "templates/show.html": "{% if a %}{{ post|pretty }}{% endif %}\n",
  });
  expect(await users("PostHelper.pretty")).toEqual(["app/views/show.html.erb:1 value ?"]);
  expect(await users("pretty")).toEqual(["templates/show.html:1 value ?"]);
});
