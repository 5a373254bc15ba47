import { test } from "vitest";
import { usesIn, typesIn } from "./parse/references/reference-lines.ts";
import { packedGrammars } from "../src/engine/packed-grammars.ts";
const S = `
class A(private val indent: String): B.Builder<A>, C.Builder<A> {
  fun emit(s: String) = apply { go() }
  fun x(t: KClass<*>) {
    String::class.asTypeName()
    t.asTypeName()
    Foo::class.java.asTypeName()
    with(w) {
      emit("x")
    }
    w.apply { emit("y") }
    super.addKdoc("x")
    super<C.Builder>.addKdoc("x")
    A(indent = "x", other = 1)
    T::class
  }
}
`;
test("x", async () => {
  const g = await packedGrammars();
  g.parse("kotlin", S, (root) => { console.log(root.toString().replaceAll("(statement", "\n(statement").replaceAll("(call_exp","\n(call_exp")); return 1; });
  console.log((await usesIn("kotlin", S)).join("\n"));
  console.log((await typesIn("kotlin", S)).join("\n"));
});
