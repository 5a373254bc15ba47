import { expect, test } from "vitest";

import { AngularScope } from "../../../src/parse/templates/angular-scope.ts";

const SCOPE = new AngularScope(`
<li *ngFor="let hero of team.heroes; let i = index"><b *ngIf="user$ | async as user">
@for (power of hero.powers(); track power.id) { } <ng-template let-row> <input #box>`);

test("a variable of a loop is an element of its list", () => {
  expect(SCOPE.pathFromComponent("hero.name")).toBe("team.heroes[].name");
  expect(SCOPE.pathFromComponent("power")).toBe("team.heroes[].powers()[]");
  expect(SCOPE.pathFromComponent("title")).toBe("title");
});

test("of other variables nothing is known", () => {
  for (const name of ["i", "user", "row", "box"]) {
    expect([name, SCOPE.has(name), SCOPE.pathFromComponent(name)]).toEqual([name, true, ""]);
  }
  expect([SCOPE.has("hero"), SCOPE.has("team")]).toEqual([true, false]);
});

test("a loop over itself has no path", () => {
  const scope = new AngularScope(`*ngFor="let a of b" *ngFor="let b of a"`);
  expect(scope.pathFromComponent("a")).toBe("");
});
