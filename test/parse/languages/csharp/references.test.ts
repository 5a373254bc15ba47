import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in C#", () => {
  it("include members, constructors and attributes", async () => {
    const source = `using System;
using static App.Tools;
using Alias = App.Models.Entry;
namespace App.Stores
{
    [Serializable, Named("x")]
    public class Store<T> : Base<T>, IStore
    {
        private readonly List<Entry> _items = new List<Entry>();
        public Entry Entry { get; set; }
        public Entry First => _items[0];
        public Store(IReader reader, int limit = Max) : base(reader) { this.Reader = reader; }
        ~Store() { Dispose(); }
        public Entry Find(string key, out int count)
        {
            base.Notify(nameof(key));
            return this.First ?? new Entry { Name = key, Inner = new Inner { K = 1 } };
        }
    }
}
`;
    expect(await usesIn("csharp", source)).toEqual([
      "3 import Entry from 2",
      "6 call SerializableAttribute in Store",
      "6 call NamedAttribute in Store",
      "7 inherit Base in Store",
      "7 inherit IStore in Store",
      "9 type List in Store._items",
      "9 type Entry in Store._items",
      "9 call List in Store._items",
      "9 type Entry in Store._items",
      "10 type Entry in Store.Entry",
      "11 type Entry in Store.First",
      "11 value _items -> Store._items in Store.First",
      "12 type IReader in Store.Store",
      "12 value Max in Store.Store",
      "12 value #1.Reader in Store.Store",
      "13 call Dispose in Store.~Store",
      "14 type Entry in Store.Find",
      "16 call @Base^.Notify in Store.Find",
      "17 value #1.First in Store.Find",
      "17 call Entry in Store.Find",
      "17 value @Entry.Name in Store.Find",
      "17 value @Entry.Inner in Store.Find",
      "17 call Inner in Store.Find",
      "17 value @Inner.K in Store.Find",
    ]);
    expect(await typesIn("csharp", source)).toEqual([
      "Store._items @Entry*",
      "Store.Entry @Entry",
      "Store.First @Entry",
      "Store.Find @Entry",
    ]);
    expect(await importsIn("csharp", source)).toEqual([
      "1 System wildcard",
      "2 App.Tools wildcard",
      "3 App.Models.Entry Entry>Alias",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    const source = `class A {
  async Task<Foo> F(Parser p, Foo? q, List<Foo> list, IDictionary<string, Bar> map) {
    p.A(); q?.B(); q!.C.D();
    var e = new Store(1); e.E();
    foreach (var f in list) f.F();
    foreach (Bar g in list) g.G();
    list.Where(h => h.H).Select((i, n) => i);
    var j = await Load(); j.J();
    if (p is Foo k && k.K) { }
    TryGet(out Foo l); l.L();
    ((Foo)p).M(); (p as Bar).N();
    try { } catch (MyError o) { o.O(); }
    map["x"].P(); list[0].Q(); p.R<Foo>();
    Foo s = new(); s.S();
    string.Join("x"); typeof(Foo);
    int Local(int z) { return z; }
    Local(1);
    p.Call(named: 3);
    return null;
  }
  Task<Foo> Load() { return null; }
}
`;
    expect(await usesIn("csharp", source)).toEqual([
      "2 type Task in A.F",
      "2 type Foo in A.F",
      "2 type Parser in A.F",
      "2 type Foo in A.F",
      "2 type List in A.F",
      "2 type Foo in A.F",
      "2 type IDictionary in A.F",
      "2 type Bar in A.F",
      "3 call @Parser.A in A.F",
      "3 call @Foo.B in A.F",
      "3 value @Foo.C in A.F",
      "3 call @Foo.C.D in A.F",
      "4 call Store in A.F",
      "4 call @Store.E in A.F",
      "5 call @Foo.F in A.F",
      "6 type Bar in A.F",
      "6 call @Bar.G in A.F",
      "7 call @Foo*.Where in A.F",
      "7 value @Foo.H in A.F",
      "7 call @Foo*.Select in A.F",
      "8 call Load -> A.Load in A.F",
      "8 call #0.Load().J in A.F",
      "9 type Foo in A.F",
      "9 value @Foo.K in A.F",
      "10 call TryGet in A.F",
      "10 type Foo in A.F",
      "10 call @Foo.L in A.F",
      "11 type Foo in A.F",
      "11 call @Foo.M in A.F",
      "11 type Bar in A.F",
      "11 call @Bar.N in A.F",
      "12 type MyError in A.F",
      "12 call @MyError.O in A.F",
      "13 call @Bar.P in A.F",
      "13 call @Foo.Q in A.F",
      "13 call @Parser.R in A.F",
      "13 type Foo in A.F",
      "14 type Foo in A.F",
      "14 call @Foo.S in A.F",
      "15 call @string.Join in A.F",
      "15 type Foo in A.F",
      "18 call @Parser.Call in A.F",
      "21 type Task in A.Load",
      "21 type Foo in A.Load",
    ]);
  });
});
