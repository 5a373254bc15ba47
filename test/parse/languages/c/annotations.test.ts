import { describe, expect, it, test } from "vitest";

import { symbolLines } from "../../symbol-lines.ts";
import { withoutAnnotations } from "../../../../src/parse/languages/c/annotations.ts";
import { withoutMacros } from "../../../../src/parse/languages/c/macros.ts";

describe("annotations of C", () => {
  it("do not hide members of C++ that are defined outside of their class", async () => {
    const source = `template <typename Mutex>
SINK_INLINE sinks::base_sink<Mutex>::base_sink()
    : formatter_(make()),
      level_(1) {
  open_ = true;
}
template <typename Mutex>
void SINK_INLINE sinks::base_sink<Mutex>::log(const message &one) {
}
SINK_INLINE sinks::base_sink::~base_sink() {}
SINK_INLINE int size() const SINK_NOEXCEPT {
  return 1;
}
`;
    expect(await symbolLines("cpp", source)).toEqual([
      "2 method sinks.base_sink.base_sink",
      "8 method sinks.base_sink.log",
      "10 method sinks.base_sink.~base_sink",
      "11 function size",
    ]);
  });

  it("do not hide the name of a function, wherever they are in its head", async () => {
    const source = `static int __init audit_init(void)
{
	return 0;
}
static struct page *__meminit find_page(const char __user *name, void __iomem *base)
{
	return 0;
}
asmlinkage __visible void __sched schedule(void)
{
}
static __printf(1, 2) void report(const char *format, ...)
{
}
void lock_both(struct lock *lock) __acquires(lock)
{
}
static nokprobe_inline struct probe *
probe_of(struct call *call)
{
	return 0;
}
JNIEXPORT jint JNICALL Java_open(JNIEnv *env)
{
	return 1;
}
BOOL WINAPI CloseFile(HANDLE file)
{
	return 1;
}
`;
    expect(await symbolLines("c", source)).toEqual([
      "1 function audit_init",
      "5 function find_page",
      "9 function schedule",
      "12 function report",
      "15 function lock_both",
      "19 function probe_of",
      "23 function Java_open",
      "27 function CloseFile",
    ]);
  });

  it("do not hide variables and types", async () => {
    const source = `static int limit __read_mostly = 1;
static __initdata unsigned long start;
struct header {
	int size;
} __packed;
static u64 __own_name;
__read_mostly u64 __own_clock;
`;
    expect(await symbolLines("c", source)).toEqual([
      "1 constant limit",
      "2 constant start",
      "3 class header",
      "4 field header.size",
      "6 constant __own_name",
      "7 constant __own_clock",
    ]);
  });

  it("of threads do not hide methods and members of C++", async () => {
    const source = `class LOCKABLE Mutex {
 public:
  void Lock() EXCLUSIVE_LOCK_FUNCTION() { mu_.lock(); }
  void Check() const EXCLUSIVE_LOCKS_REQUIRED(mu_);
  int size GUARDED_BY(mu_);
};
`;
    expect(await symbolLines("cpp", source)).toEqual([
      "1 class Mutex",
      "3 method Mutex.Lock",
      "4 method Mutex.Check",
      "5 field Mutex.size",
    ]);
  });

  it.each([
    "return LIST_SIZE (values);\n",
    "  if (is_open) RELEASE_FILE(file);\n",
    "static const struct __group_key *key = 0;\n",
    "static __u32 count(__le16 value, __be32 *other);\n",
    "#define OPEN static int __init open(void)\n",
    "// static int __init audit_init(void)\n",
    "HRESULT close(void);\nunsigned long long total(void);\n",
  ])("are not seen in %j", (source) => {
    expect(withoutAnnotations(source)).toBe(source);
  });
});

test.each([
  ["blanks", `int __a; LOCK(\nint x) ${" ".repeat(250_000)}y`],
  ["line ends", `int __a; f()${"\n".repeat(250_000)}__x`],
  ["annotations", `f() ${"__a(x) ".repeat(35_000)}`],
  ["pointers", "a __b * ".repeat(31_000)],
  ["an argument", `DEFINE_ FOO(${"a".repeat(250_000)}`],
  ["macros without an end", "FOO(static int a(b)\n".repeat(12_000)],
  ["declarations", "DEFINE_MUTEX(a);\n".repeat(14_000)],
])("a file that is nothing but %s is read in linear time", (_what, source) => {
  // Quadratic time would take minutes, and the test would not end.
  expect(withoutMacros(source)).toHaveLength(source.length);
});

test("what follows a condition is a statement, not an annotation", () => {
  const source = "int f(int s) {\n  if (s > (1)) FLUSH_BLOCK(s, 0);\n  return 0;\n}\n";
  expect(withoutAnnotations(source)).toBe(source);
  expect(withoutAnnotations("void lock() EXCLUSIVE_LOCK_FUNCTION();")).not.toContain("LOCK");
});
