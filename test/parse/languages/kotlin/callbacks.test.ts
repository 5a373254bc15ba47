import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";
import { usesIn } from "../../references/reference-lines.ts";

test("in a lambda, the members of the receiver that the called function declares are visible", async () => {
  const users = await usersIn({
    "src/main/kotlin/app/dsl/Dsl.kt": `package app.dsl
typealias Declaration = Module.() -> Unit
class Module {
    fun single(name: String) {}
    fun nested(block: suspend Scope.() -> Unit) {}
}
class Scope { fun close() {} }
class Event { val name = "" }
fun module(size: Int = 1, declaration: Declaration): Module = Module()
fun listen(listener: ((Event) -> Unit)? = null) {}
fun <T> any(block: T.() -> Unit) {}
`,
    "src/main/kotlin/app/Main.kt": `package app
import app.dsl.any
import app.dsl.listen
import app.dsl.module
fun main() {
    module(2) {
        single("a")
        listOf(1).forEach { single("b") }
        nested { close(); single("c") }
    }
    listen { it.name }
    listen { event -> event.name }
    any { single("d") }
    single("e")
}
`,
  });
  expect(await users("Module.single")).toEqual([
    "src/main/kotlin/app/Main.kt:7 call",
    "src/main/kotlin/app/Main.kt:8 call",
    "src/main/kotlin/app/Main.kt:9 call",
    "src/main/kotlin/app/Main.kt:13 call ?",
    "src/main/kotlin/app/Main.kt:14 call ?",
  ]);
  expect(await users("Scope.close")).toEqual(["src/main/kotlin/app/Main.kt:9 call"]);
  expect(await users("Event.name")).toEqual([
    "src/main/kotlin/app/Main.kt:11 value",
    "src/main/kotlin/app/Main.kt:12 value",
  ]);
});

test("a function that several imports bind says nothing of its lambda", async () => {
  const uses = await usesIn(
    "kotlin",
    "import a.convert\nimport b.convert\nfun f() {\n    convert { read(it.name) }\n}\n",
  );
  expect(uses.filter((use) => use.startsWith("4"))).toEqual([
    "4 call convert from 1 in f",
    "4 call read in f",
    "4 value ?.name in f",
  ]);
});
