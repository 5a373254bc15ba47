import { expect, test } from "vitest";

import { repairScalaText } from "../../../../src/parse/languages/scala/repair-text.ts";

test.each([
  ["run { item: Item => item }", "run {(item: Item)=> item }"],
  ["run { implicit item: Item[A]=> item }", "run {(implicit item: Item[A])=>item }"],
  ["run { item: Item ⇒\n  item }", "run {(item: Item)=>\n item }"],
  ["items.map(item ⇒ item)", "items.map(item=> item)"],
  ["for (item ← items) {}", "for (item<- items) {}"],
  ["trait A extends B\n  with C { self: D =>", "trait A extends B\n  with C { self: D =>"],
])("%j is parsed as %j", (text, repaired) => {
  expect(repairScalaText(text)).toBe(repaired);
  expect(repaired).toHaveLength(text.length);
});
