import { describe, expect, it } from "vitest";

import { symbolLines } from "../../symbol-lines.ts";
import { withDeclarations } from "../../../../src/parse/languages/c/declaring-macros.ts";

describe("macros of C that declare", () => {
  it("functions have the first argument as their name", async () => {
    const source = `SYSCALL_DEFINE3(open, const char __user *, filename, int, flags, umode_t, mode)
{
	return do_open(filename);
}
SYSCALL_DEFINE1(exit, int, code)
{
}
PHP_FUNCTION(array_map)
{
}
TEST_IMPL(fs_stat) {
  return 0;
}
UNUSED(static void update_time(loop_t* loop)) {
  loop->time = 1;
}
`;
    expect(await symbolLines("c", source)).toEqual([
      "1 function open",
      "5 function exit",
      "8 function array_map",
      "11 function fs_stat",
      "14 function update_time",
    ]);
  });

  it("tests have their suite in their name, or only a name", async () => {
    const source = "TEST(ParserTest, ReadsNumbers) {\n}\nBOOST_AUTO_TEST_CASE(reads_text) {\n}\n";
    expect(await symbolLines("cpp", source)).toEqual([
      "1 method ParserTest.ReadsNumbers",
      "3 function reads_text",
    ]);
  });

  it("variables and fields have their name", async () => {
    const source = `static DEFINE_MUTEX(cgroup_lock);
LIST_HEAD(all_nodes);
DEFINE_PER_CPU(struct queue, run_queue);
DEFINE_string(
    log_file, "a (b), c;", "Where to write \\"it\\".");
struct map {
	DECLARE_BITMAP(used, MAX_BITS);
	int size;
};
`;
    expect(await symbolLines("c", source)).toEqual([
      "1 constant cgroup_lock",
      "2 constant all_nodes",
      "3 constant run_queue",
      "5 constant log_file",
      "6 class map",
      "7 field map.used",
      "8 field map.size",
    ]);
  });

  it.each([
    "DEFINE_COMPARISON(u64);\n",
    "DECLARE_METHOD(Status, get, const Key& key);\n",
    "DEFINE_MUTEX(lock) + 1;\n",
    "  LIST_HEAD(\n",
    "module_init(audit_init);\nEXPORT_SYMBOL(audit_init);\n",
    "#define DEFINE_PAIR(name) int name\n",
  ])("are not seen in %j", (source) => {
    expect(withDeclarations(source)).toBe(source);
  });

  it("keep the length and the lines of the text", () => {
    const source =
      "DEFINE_PER_CPU(int,\n  counter);\n#define debug(format, values...) \\\n  print(format)\nBPF_CALL_2(get, int,\n  key)\n{\n}\n";
    const declared = withDeclarations(source);
    expect(declared.split("\n").map(({ length }) => length)).toEqual(
      source.split("\n").map(({ length }) => length),
    );
    expect(declared).toContain("#define debug(format,       ...)");
  });
});
