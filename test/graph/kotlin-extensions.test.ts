import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("an extension is that of the receiver's type or of one that it inherits from", async () => {
  const users = await usersIn({
    "src/Names.kt": `package app
import kotlin.reflect.KClass
interface Named
class Foo : Named
fun KClass<*>.label(): String = "class"
fun String.label(): String = this
fun Named.label(): String = "named"
`,
    "src/Main.kt": `package app
fun main(text: String) {
    String::class.label()
    text.label()
    Foo().label()
    unknown().label()
}
`,
  });
  expect(await users("KClass.label")).toEqual(["src/Main.kt:3 call"]);
  expect(await users("String.label")).toEqual(["src/Main.kt:4 call"]);
  expect(await users("Named.label")).toEqual(["src/Main.kt:5 call"]);
});

test("bare names in a literal with a receiver are its members, and super is of each supertype", async () => {
  const users = await usersIn({
    "src/Writer.kt": `package app
interface First { fun one() {} }
interface Second { fun two() {} }
class Writer : First, Second {
    fun emit(text: String) = apply { }
    fun indent() {}
    override fun two() { super.two() }
}
fun emit(text: String) {}
fun write(writer: Writer) {
    with(writer) {
        listOf(1).forEach { emit("a") }
    }
    writer.apply { emit("b") }.indent()
    emit("c")
}
`,
  });
  expect(await users("Writer.emit")).toEqual(["src/Writer.kt:12 call", "src/Writer.kt:14 call"]);
  expect(await users("emit")).toEqual(["src/Writer.kt:15 call"]);
  expect(await users("Writer.indent")).toEqual(["src/Writer.kt:14 call"]);
  expect(await users("Second.two")).toEqual(["src/Writer.kt:7 call"]);
});

test("an argument with a name sets the property in the head of the class that is constructed", async () => {
  const users = await usersIn({
    "src/Models.kt": `package app
annotation class Json(val key: String)
open class Person(val name: String, age: Int) {
    val age = 3
}
class Child(name: String) : Person(name = name, age = 3)
class Pair(val left: Int) {
    constructor(left: String) : this(left.length)
}
fun load(name: String): Person = Person(name, 1)
`,
    "src/Main.kt": `package app
@Json(key = "main")
fun main() {
    Person(
        name = "Ada",
        age = 36,
    )
    load(name = "Ada")
    Child(name = "Bob")
    Pair(left = 1)
}
`,
  });
  expect(await users("Person.name")).toEqual(["src/Main.kt:5 value", "src/Models.kt:6 value"]);
  expect(await users("Json.key")).toEqual(["src/Main.kt:2 value"]);
  expect(await users("Person.age")).toEqual([]);
  expect(await users("Pair.left")).toEqual([]);
});
