import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const SRC = "src/main/java/com/app";

test("Java: packages, inherited members and overloads across files", async () => {
  const users = await usersIn({
    [`${SRC}/store/Base.java`]: `package com.app.store;

public abstract class Base {
  protected int size;
  public Base() {}
  public int size() { return size; }
  protected Item first() { return null; }
  public static class Nested { public void go() {} }
}
`,
    [`${SRC}/store/Item.java`]: `package com.app.store;

public record Item(String id, Base owner) {}
`,
    [`${SRC}/store/Consts.java`]: `package com.app.store;

public final class Consts {
  public static final int LIMIT = 3;
  public static int limit() { return LIMIT; }
  public enum Color { RED, GREEN }
}
`,
    [`${SRC}/Store.java`]: `package com.app;

import com.app.store.Base;
import com.app.store.Item;
import static com.app.store.Consts.*;
import com.app.store.Consts.Color;
import java.util.List;

public class Store extends Base {
  private final List<Item> items = List.of(new Item("a", this));
  int run(Color color) {
    for (Item item : items) item.owner().size();
    items.stream().filter(one -> one.id() != null).forEach(one -> one.owner());
    switch (color) { case RED: return size; default: }
    new Nested().go();
    com.app.store.Consts.limit();
    return first().owner().size() + limit() + LIMIT + Store.this.size;
  }
}
`,
  });
  expect(await users("Base.size", `${SRC}/store/Base.java`)).toEqual([
    `${SRC}/Store.java:14 value`,
    `${SRC}/Store.java:17 value`,
    `${SRC}/store/Base.java:6 value`,
  ]);
  expect(await users("Item.owner")).toEqual([
    `${SRC}/Store.java:12 call`,
    `${SRC}/Store.java:13 call`,
    `${SRC}/Store.java:17 call`,
  ]);
  expect(await users("Item.id")).toEqual([`${SRC}/Store.java:13 call`]);
  expect(await users("Base.first")).toEqual([`${SRC}/Store.java:17 call`]);
  expect(await users("Base.Nested")).toEqual([`${SRC}/Store.java:15 call`]);
  expect(await users("Base.Nested.go")).toEqual([`${SRC}/Store.java:15 call`]);
  expect(await users("Consts.LIMIT")).toEqual([
    `${SRC}/Store.java:17 value`,
    `${SRC}/store/Consts.java:5 value`,
  ]);
  expect(await users("Consts.limit")).toEqual([
    `${SRC}/Store.java:16 call`,
    `${SRC}/Store.java:17 call`,
  ]);
  expect(await users("Consts.Color.RED")).toEqual([`${SRC}/Store.java:14 value`]);
  expect(await users("Base")).toEqual([
    `${SRC}/Store.java:3 import`,
    `${SRC}/Store.java:9 inherit`,
    `${SRC}/store/Item.java:3 type`,
  ]);
});

test("a label of a switch is a constant of the compared type, not a field of the class around it", async () => {
  const users = await usersIn({
    "a/Kind.java": "package a;\npublic enum Kind { OPEN, CLOSED }\n",
    "b/Use.java": `package b;
import a.Kind;
public class Use {
  static final int OPEN = 3;
  void run(Kind kind, int number) {
    switch (kind) { case OPEN: break; }
    switch (Kind.valueOf("OPEN")) { case OPEN -> {} default -> {} }
    for (Kind one : Kind.values()) { switch (one) { case OPEN: break; } }
    switch (number) { case OPEN: break; }
  }
}
`,
  });
  expect(await users("Kind.OPEN")).toEqual([
    "b/Use.java:6 value",
    "b/Use.java:7 value",
    "b/Use.java:8 value",
  ]);
  expect(await users("Use.OPEN")).toEqual(["b/Use.java:9 value"]);
});
