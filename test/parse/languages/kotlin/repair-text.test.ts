import { describe, expect, it } from "vitest";

import { repairText } from "../../../../src/parse/languages/kotlin/repair-text.ts";
import { usesIn } from "../../references/reference-lines.ts";
import { symbolLines } from "../../symbol-lines.ts";

describe("text of Kotlin that the grammar cannot parse", () => {
  it("has all its definitions", async () => {
    const source = `package app
class Stream(override val id: Int) : Lockable {
    private var open = true
    val size: Int
        @Synchronized get() = 1
    fun close() {
        lock()
        open = false
    }
    fun route(): Int {
        val services = all<Service>()

        get("/all") { services }
        val bit = flags[
            id,
        ]
        set = bit
        return 1
    }
    context(session: Session)
    private fun inSession() = $$"a $b"
    @JsonClass(generate = false) // For the compiler.
    enum class Mode(val code: Int) {
        READ(1),
        WRITE(2),
        ;
        fun isWrite() = this == WRITE
    }
    fun after() {}
}
fun Stream.override() = first().open()
class One { companion object { val NONE = One() } }
class Adapter
    @RequiresApi(37)
    internal constructor() : Base {
    fun adapt() {}
}
`;
    expect(await symbolLines("kotlin", source)).toEqual([
      "2 class Stream",
      "2 field Stream.id",
      "3 field Stream.open",
      "4 field Stream.size",
      "6 method Stream.close",
      "10 method Stream.route",
      "21 method Stream.inSession",
      "23 type Stream.Mode",
      "23 field Stream.Mode.code",
      "24 constant Stream.Mode.READ",
      "25 constant Stream.Mode.WRITE",
      "27 method Stream.Mode.isWrite",
      "29 method Stream.after",
      "31 method Stream.override",
      "32 class One",
      "32 field One.NONE",
      "33 class Adapter",
      "36 method Adapter.adapt",
    ]);
    expect(await usesIn("kotlin", source)).toContain("8 value open -> Stream.open in Stream.close");
  });

  it("has classes in classes with a constructor in the next line", async () => {
    const source = `class Reader {
    class Options
    private constructor(val names: List<String>) {
        fun first() = names[0]
    }
    class Page<T : Any>
    constructor(val item: T) : Base(item) {
        fun next() = item
    }
    class Worker
    @Inject
    internal constructor(val store: Store) {
        fun run() = store.open()
    }
    enum class Token {
        END,
    }
}
`;
    expect(await symbolLines("kotlin", source)).toEqual([
      "1 class Reader",
      "2 class Reader.Options",
      "3 field Reader.Options.names",
      "4 method Reader.Options.first",
      "6 class Reader.Page",
      "7 field Reader.Page.item",
      "8 method Reader.Page.next",
      "10 class Reader.Worker",
      "12 field Reader.Worker.store",
      "13 method Reader.Worker.run",
      "15 type Reader.Token",
      "16 constant Reader.Token.END",
    ]);
    const uses = await usesIn("kotlin", source);
    expect(uses).toContain("11 call Inject in Reader.Worker");
    expect(uses).toContain("12 type Store in Reader.Worker");
    expect(repairText(source)).toHaveLength(source.length);
  });

  it("keeps its length and its lines, and stays as it is if the grammar parses it", () => {
    const broken =
      "enum class A {\n  B,\n\n  ;\n}\n@A\nannotation class C\ncontext(a: B)\nfun d() {}\n";
    const repaired = repairText(broken);
    expect(repaired).not.toBe(broken);
    expect(repaired.replaceAll(/[^\n]/g, "").length).toBe(broken.split("\n").length - 1);
    expect(repaired).toHaveLength(broken.length);
    const fine = 'open class A { private val b = c.get("d"); fun f(vararg g: Int) = context(g) }\n';
    expect(repairText(fine)).toBe(fine);
  });

  it.each([
    "$",
    "@a get() ",
    "@a(",
    "\ncontext(a:",
    ",\n",
    "get(",
    "open ",
    "class a\n @b ",
    "class a ",
  ])("keeps the length of many of %j", (part) => {
    const text = part.repeat(100_000 / part.length);
    expect(repairText(text)).toHaveLength(text.length);
  });
});
