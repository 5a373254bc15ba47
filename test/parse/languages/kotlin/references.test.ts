import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in Kotlin", () => {
  it("include members, constructors and imports", async () => {
    const source = `package app
import app.http.HttpMethod
import app.util.*
import kotlin.math.max as biggest
@Serializable
class Repo(private val store: Store, name: String = DEFAULT) : Base(store), Listener {
    val size get() = store.count
    private val cache: Map<String, Entry?> = load(name)
    fun find(key: String): Entry? {
        val a = cache[key] ?: return null
        store.open(key = key, limit = LIMIT)
        super.close()
        biggest(1, a.weight)
        return a
    }
}
`;
    expect(await usesIn("kotlin", source)).toEqual([
      "2 import HttpMethod from 0",
      "4 import max from 2",
      "5 call Serializable in Repo",
      "6 type Store in Repo",
      "6 value DEFAULT in Repo",
      "6 inherit Base in Repo",
      "6 value store -> Repo.store in Repo",
      "6 inherit Listener in Repo",
      "7 value store -> Repo.store in Repo.size",
      "7 value #0.store.count in Repo.size",
      "8 type Map in Repo.cache",
      "8 type Entry in Repo.cache",
      "8 call load in Repo.cache",
      "9 type Entry in Repo.find",
      "10 value cache -> Repo.cache in Repo.find",
      "11 value store -> Repo.store in Repo.find",
      "11 call #0.store.open in Repo.find",
      "11 value LIMIT in Repo.find",
      "12 call #0.super^.close in Repo.find",
      "13 call max from 2 in Repo.find",
      "13 value #0.cache[].weight in Repo.find",
    ]);
    expect(await typesIn("kotlin", source)).toEqual([
      "Repo.store @Store",
      "Repo.size #0.store.count",
      "Repo.cache @Entry*",
      "Repo.find @Entry",
    ]);
    expect(await importsIn("kotlin", source)).toEqual([
      "2 app.http.HttpMethod HttpMethod>HttpMethod",
      "3 app.util.* wildcard",
      "4 kotlin.math.max max>biggest",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    const source = `fun f(p: Parser, q: Foo?, list: List<Foo>, handler: () -> Unit) {
    p.a; q?.b(); q!!.c()
    val d = Store(1)
    d.d()
    for (e in list) e.e()
    list.map { it.f }
    q.let { g -> g.g() }
    list.forEach { h -> h.h() }
    val (i, j) = pair()
    (q as Bar).k()
    val l = q ?: make()
    l.l()
    list[0].m
    try { handler() } catch (n: IOException) { n.n }
    when (val o = p.kind) { is Foo -> o.o() }
    p.open(1) { it.close() }.q()
    object : Listener { override fun on() { p.r() } }
}
fun Foo.shorten(n: Int): Bar = this.take(n)
typealias Handler = Foo
enum class Kind { A, B }
`;
    expect(await usesIn("kotlin", source)).toEqual([
      "1 type Parser in f",
      "1 type Foo in f",
      "1 type List in f",
      "1 type Foo in f",
      "2 value @Parser.a in f",
      "2 call @Foo.b in f",
      "2 call @Foo.c in f",
      "3 call Store in f",
      "4 call Store().d in f",
      "5 call @Foo.e in f",
      "6 call @Foo*.map in f",
      "6 value @Foo.f in f",
      "7 call @Foo.let in f",
      "7 call @Foo.g in f",
      "8 call @Foo*.forEach in f",
      "8 call @Foo.h in f",
      "9 call pair in f",
      "10 type Bar in f",
      "10 call @Bar.k in f",
      "11 call make in f",
      "12 call @Foo.l in f",
      "13 value @Foo.m in f",
      "14 type IOException in f",
      "14 value @IOException.n in f",
      "15 value @Parser.kind in f",
      "15 type Foo in f",
      "15 call @Parser.kind!@Foo.o in f",
      "16 call @Parser.open in f",
      "16 call @Parser.open{0}{0}.close in f",
      "16 call @Parser.open().q in f",
      "17 inherit Listener in f",
      "17 call @Parser.r in f",
      "19 type Foo in Foo.shorten",
      "19 type Bar in Foo.shorten",
      "19 call @Foo.take in Foo.shorten",
      "20 type Foo in Handler",
    ]);
    expect(await typesIn("kotlin", source)).toEqual([
      "Foo.shorten @Bar",
      "Handler @Foo",
      "Kind.A #3",
      "Kind.B #3",
    ]);
  });
});
