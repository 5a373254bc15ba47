import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("Kotlin: an expression goes on after an extension of the object's type", async () => {
  const users = await usersIn({
    "src/Shop.kt": `package shop
interface Named
class Order(val items: Int)
class Customer(val order: Order) : Named
class Report { fun print() {} }
fun Named.report(): Report = Report()
val Customer.last: Order get() = order
`,
    "src/Main.kt": `package shop
fun main(customer: Customer) {
    customer.report().print()
    customer.last.items
}
`,
    "src/Other.kt": `package other
import shop.Customer
fun run(customer: Customer) {
    customer.report().print()
}
`,
  });
  expect(await users("Report.print")).toEqual(["src/Main.kt:3 call"]);
  expect(await users("Order.items")).toEqual(["src/Main.kt:4 value"]);
});

test("C#: an expression goes on after an extension method", async () => {
  const users = await usersIn({
    "src/Shop.cs": `namespace Shop
{
    public class Order { public int Items; }
    public class Customer { }
    public static class Orders
    {
        public static Order Last(this Customer customer) { return null; }
    }
    class Main
    {
        void Run(Customer customer) { var items = customer.Last().Items; }
    }
}
`,
  });
  expect(await users("Order.Items")).toEqual(["src/Shop.cs:11 value"]);
});
