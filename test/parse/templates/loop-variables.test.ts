import { expect, test } from "vitest";

import {
  ANGULAR_VARIABLES,
  LoopVariables,
  RAZOR_VARIABLES,
} from "../../../src/parse/templates/loop-variables.ts";

const SCOPE = new LoopVariables(
  `
<li *ngFor="let hero of team.heroes; let i = index"><b *ngIf="user$ | async as user">
@for (power of hero.powers(); track power.id) { } <ng-template let-row> <input #box>`,
  ANGULAR_VARIABLES,
);

test("a variable of a loop is an element of its list", () => {
  expect(SCOPE.pathOf("hero.name")).toBe("team.heroes[].name");
  expect(SCOPE.pathOf("power")).toBe("team.heroes[].powers()[]");
  expect(SCOPE.pathOf("title")).toBe("title");
});

test("of other variables nothing is known", () => {
  for (const name of ["i", "user", "row", "box"]) {
    expect([name, SCOPE.has(name), SCOPE.pathOf(name)]).toEqual([name, true, ""]);
  }
  expect([SCOPE.has("hero"), SCOPE.has("team")]).toEqual([true, false]);
});

test("a loop over itself has no path", () => {
  const scope = new LoopVariables(`*ngFor="let a of b" *ngFor="let b of a"`, ANGULAR_VARIABLES);
  expect(scope.pathOf("a")).toBe("");
});

test("Razor", () => {
  const variables = new LoopVariables(
    "@foreach (var line in Model.Lines) { } @foreach (Tag tag in line.Tags()) { } @{ var total = 1; } @foreach (var x in F(1))",
    RAZOR_VARIABLES,
  );
  expect(variables.pathOf("line.Price")).toBe("Model.Lines[].Price");
  expect(variables.pathOf("tag")).toBe("Model.Lines[].Tags()[]");
  expect([variables.pathOf("total"), variables.pathOf("x.Name")]).toEqual(["", ""]);
});
