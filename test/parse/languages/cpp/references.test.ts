import { describe, expect, it } from "vitest";

import { typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in C++", () => {
  it("include members with and without this, inside and outside of the class", async () => {
    const source = `template <typename T> class Buffer : public Base<T>, private ns::Other {
 public:
  Buffer(T* p, int n) : ptr_(p), size_(n) {}
  ~Buffer() { clear(); }
  int size() const { return size_ + this->count_; }
  void clear();
  static Buffer* make();
 private:
  T* ptr_; int size_; int count_;
};
template <typename T> void Buffer<T>::clear() { size_ = 0; helper(*this); this->ptr_; }
enum class Kind { none, left };
enum Plain { ZERO };
int none = Kind::none + ZERO;
`;
    expect(await usesIn("cpp", source)).toEqual([
      "1 inherit Base in Buffer",
      "1 value ns in Buffer",
      "1 inherit ns.Other in Buffer",
      "3 value ptr_ -> Buffer.ptr_ in Buffer.Buffer",
      "3 value size_ -> Buffer.size_ in Buffer.Buffer",
      "4 call clear -> Buffer.clear in Buffer.~Buffer",
      "5 value size_ -> Buffer.size_ in Buffer.size",
      "5 value #0.count_ in Buffer.size",
      "7 type Buffer -> Buffer in Buffer.make",
      "11 type Buffer in Buffer.clear",
      "11 value size_ in Buffer.clear",
      "11 call helper in Buffer.clear",
      "11 value @Buffer.ptr_ in Buffer.clear",
      "14 value Kind -> Kind in none",
      "14 value Kind.none in none",
      "14 value ZERO -> Plain.ZERO in none",
    ]);
    expect(await typesIn("cpp", source)).toEqual([
      "Buffer.Buffer #0",
      "Buffer.make #0",
      "Plain.ZERO @Plain",
    ]);
  });

  it("have the types of locals as receivers", async () => {
    const source = `using std::vector;
void f(const Foo& a, std::unique_ptr<Bar> b, ns::Type c) {
  auto d = make_foo(), *e = new Foo(1);
  a.a(); b->b(); c.c(); d.d(); e->e();
  for (auto& g : items) g.g();
  for (const Foo& h : items) h.h();
  auto l = [=, q = d](Foo i) { return i.i + q.q; };
  std::vector<Foo> j; j[0].j;
  static_cast<Foo*>(e)->k();
  std::make_shared<Bar>(1)->l();
  if (auto m = find()) m->m();
  try { } catch (const Error& n) { n.n(); }
  using Local = Foo; Local o; o.o();
  c.p<int>(); (*e).q(); Foo(3).r(); Foo{3}.s();
  ns::deep::run(a);
  Base::stop();
  auto [x, y] = pair(); x; y;
}
`;
    expect(await usesIn("cpp", source)).toEqual([
      "1 value std",
      "1 value std.vector",
      "2 type Foo in f",
      "2 value std in f",
      "2 type std.unique_ptr in f",
      "2 type Bar in f",
      "2 value ns in f",
      "2 type ns.Type in f",
      "3 call make_foo in f",
      "3 call Foo in f",
      "4 call @Foo.a in f",
      "4 call @Bar.b in f",
      "4 call @ns.Type.c in f",
      "4 call make_foo().d in f",
      "4 call @Foo.e in f",
      "5 value items in f",
      "5 call items[].g in f",
      "6 type Foo in f",
      "6 value items in f",
      "6 call @Foo.h in f",
      "7 type Foo in f",
      "7 value @Foo.i in f",
      "7 value make_foo().q in f",
      "8 value std in f",
      "8 type std.vector in f",
      "8 type Foo in f",
      "8 value @Foo.j in f",
      "9 type Foo in f",
      "9 call @Foo().k in f",
      "10 value std in f",
      "10 call std.make_shared in f",
      "10 type Bar in f",
      "10 call @Bar().l in f",
      "11 call find in f",
      "11 call find().m in f",
      "12 type Error in f",
      "12 call @Error.n in f",
      "13 type Foo in f",
      "13 call @Foo.o in f",
      "14 call @ns.Type.p in f",
      "14 call @Foo.q in f",
      "14 call Foo in f",
      "14 call Foo().r in f",
      "14 call Foo in f",
      "14 call @Foo.s in f",
      "15 value ns in f",
      "15 value ns.deep in f",
      "15 call ns.deep.run in f",
      "16 value Base in f",
      "16 call Base.stop in f",
      "17 call pair in f",
    ]);
  });
});
