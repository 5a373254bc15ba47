import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("a function that is the last argument has parameters of the types that the called function declares", async () => {
  const users = await usersIn({
    "Events.scala": `package shop
class Event { def stop = 1 }
object Bus {
  def on(size: Int)(run: (Event, Int) => Unit)(implicit clock: Clock): Unit = ()
  def once(run: Event => Unit) = run
}
class Shop {
  Bus.on(3) { (event, count) => event.stop }
  Bus.once(event => event.stop)
  Bus.once(_.stop)
  Other.once(event => event.stop)
  def all(make: Int => Event) = make(3).stop
}
`,
  });
  expect(await users("Event.stop")).toEqual([
    "Events.scala:8 value",
    "Events.scala:9 value",
    "Events.scala:10 value",
    "Events.scala:11 value ?",
    "Events.scala:12 value",
  ]);
});
