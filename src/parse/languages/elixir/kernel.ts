// The functions and macros that every module of Elixir has without an import.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** Special forms, and macros of definitions and conditions. No module has functions with these names. */
export const FORMS = (
  "def defp defmodule defprotocol defimpl defmacro defmacrop defguard defguardp defdelegate defstruct defexception defoverridable " +
  "alias import use require if unless case cond with for fn quote unquote unquote_splicing receive try raise reraise throw super"
).split(" ");

/** Functions and macros of `Kernel` with their numbers of arguments (`Kernel.__info__(:functions)` of Elixir 1.14 to 1.18). */
const KERNEL =
  "abs/1 apply/2/3 binary_part/3 binary_slice/2/3 binding/0/1 bit_size/1 byte_size/1 ceil/1 dbg/0/1/2 destructure/2 div/2 elem/2 " +
  "exit/1 floor/1 function_exported?/3 get_and_update_in/2/3 get_in/1/2 hd/1 inspect/1/2 is_atom/1 is_binary/1 is_bitstring/1 " +
  "is_boolean/1 is_exception/1/2 is_float/1 is_function/1/2 is_integer/1 is_list/1 is_map/1 is_map_key/2 is_nil/1 is_non_struct_map/1 " +
  "is_number/1 is_pid/1 is_port/1 is_reference/1 is_struct/1/2 is_tuple/1 length/1 macro_exported?/3 make_ref/0 map_size/1 match?/2 " +
  "max/2 min/2 node/0/1 not/1 pop_in/1/2 put_elem/3 put_in/2/3 rem/2 round/1 self/0 send/2 spawn/1/3 spawn_link/1/3 " +
  "spawn_monitor/1/3 struct/1/2 struct!/1/2 tap/2 then/2 tl/1 to_charlist/1 to_string/1 to_timeout/1 trunc/1 tuple_size/1 " +
  "update_in/2/3 var!/1/2";

const ARITIES: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  KERNEL.split(" ").map((entry) => {
    const [name = "", ...arities] = entry.split("/");
    return [name, new Set(arities.map(Number))] as const;
  }),
);

/** `import Kernel, except: [div: 2]` in a module that defines its own. */
const EXCEPT = /^\s*import\s+Kernel,\s*except:\s*\[([^\]]*)\]/gm;
const HIDDEN = new WeakMap<FlatSyntaxTree, ReadonlySet<string>>();

/** Returns whether a call of a bare name with this number of arguments calls a function of `Kernel`. */
export function isOfKernel(name: string, argumentCount: number, tree: FlatSyntaxTree): boolean {
  return ARITIES.get(name)?.has(argumentCount) === true && !hiddenIn(tree).has(name);
}

/** Returns the names that a file does not import from `Kernel`. */
function hiddenIn(tree: FlatSyntaxTree): ReadonlySet<string> {
  const known = HIDDEN.get(tree);
  if (known !== undefined) return known;
  const lists = [...tree.text.matchAll(EXCEPT)].map(([, list = ""]) => list);
  const names = new Set(lists.flatMap((list) => list.match(/[a-z]\w*[?!]?(?=:)/g) ?? []));
  HIDDEN.set(tree, names);
  return names;
}
