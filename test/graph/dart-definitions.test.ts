import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const FILES = {
  "lib/event.dart": "class Event { String name = ''; }\nclass Handler { void done() {} }\n",
  "lib/bus.dart": `import 'event.dart';
typedef EventCallback = void Function(Event event, Handler handler);
typedef Source = Event Function();
class Bus {
  Bus({this.onEvent, EventCallback? onEnd});
  final void Function(Event)? onEvent;
  void each(void Function(Event event) run, {EventCallback? last}) {}
}
Bus make(void Function(Handler) run) => Bus();
`,
  "lib/use.dart": `import 'bus.dart';
final bus = Bus(onEvent: (event) => event.name, onEnd: (event, handler) { handler.done(); });
void run(Source source) {
  bus.each((event) { event.name; }, last: (event, handler) => handler.done());
  make((handler) => handler.done()).each((event) => event.name);
  source().name;
}
EventCallback made() => (event, handler) { event.name; };
`,
};

test("functions that are passed get what the constructor or the function declares, by position and by name", async () => {
  const users = await usersIn(FILES);
  expect(await users("Event.name")).toEqual([
    "lib/use.dart:2 value",
    "lib/use.dart:4 value",
    "lib/use.dart:5 value",
    "lib/use.dart:6 value",
    "lib/use.dart:8 value",
  ]);
  expect(await users("Handler.done")).toEqual([
    "lib/use.dart:2 call",
    "lib/use.dart:4 call",
    "lib/use.dart:5 call",
  ]);
});

test("calls through a base class, of overrides, constructors and enums", async () => {
  const users = await usersIn({
    "lib/shape.dart": `abstract class Shape { Shape.named(); double area(); static Shape of(Kind kind) => Circle(); }
class Circle extends Shape { Circle() : super.named(); @override double area() => 1; factory Circle.big() = Circle; }
mixin Loud on Shape { void shout() { area(); } }
enum Kind { round(1), flat(2); const Kind(this.size); final int size; }
void run(Shape shape, Circle circle) {
  shape.area();
  circle..area()..toString();
  Shape.of(Kind.round).area();
  for (final kind in Kind.values) { kind.size; }
  if (shape is Circle) shape.area();
  final made = Circle.big();
  made?.area();
}
`,
  });
  expect(await users("Circle.area")).toEqual(
    [3, 6, 7, 8, 10, 12].map((line) => `lib/shape.dart:${line} call`),
  );
  expect(await users("Shape.named")).toEqual(["lib/shape.dart:2 call"]);
  expect(await users("Kind.round")).toEqual(["lib/shape.dart:8 value"]);
  expect(await users("Kind.size")).toEqual(["lib/shape.dart:4 value", "lib/shape.dart:9 value"]);
});
