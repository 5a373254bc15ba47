// What the types of Rust hold that stand around others, and what their methods give.
import type { CallResult, Container, ReferenceRules } from "../reference-rules.ts";

const ONE: Container = { argument: -1, isSeveral: false };
const RESULT: Container = { argument: 0, isSeveral: false };
const SEVERAL: Container = { argument: 0, isSeveral: true };
const VALUES: Container = { argument: 1, isSeveral: true };
const VALUE: CallResult = { argument: 0, gives: "value" };

/** Elements come back as parameters of the closures that are handed to these. */
const EACH = ["[]"];
const FOLD = ["?", "[]"];
const PAIR = ["[]", "[]"];

export const rustContainers: Pick<
  ReferenceRules,
  "containers" | "calls" | "callbacks" | "severalMembers"
> = {
  containers: {
    ...byName(
      "Option Box Rc Arc RefCell Cell UnsafeCell Mutex RwLock Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Weak OnceCell OnceLock LazyLock Lazy ManuallyDrop MaybeUninit NonNull Poll Future",
      ONE,
    ),
    ...byName("Result io::Result anyhow::Result crate::Result std::io::Result", RESULT),
    ...byName(
      "Vec VecDeque HashSet BTreeSet IndexSet BinaryHeap LinkedList SmallVec Iter IterMut IntoIter Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Stream",
      SEVERAL,
    ),
    ...byName("HashMap BTreeMap IndexMap", VALUES),
  },
  calls: byName(
    "Some Ok Box::new Box::pin Rc::new Arc::new RefCell::new Cell::new Mutex::new RwLock::new Cow::Borrowed Cow::Owned Arc::clone Rc::clone Pin::new OnceCell::from Poll::Ready mem::take mem::replace std::mem::take std::mem::replace",
    VALUE,
  ),
  callbacks: {
    ...byName(
      "map filter filter_map flat_map for_each any all find find_map position take_while skip_while map_while inspect partition retain max_by_key min_by_key sort_by_key and_then is_some_and map_or map_or_else unwrap_or_else",
      EACH,
    ),
    fold: FOLD,
    ...byName("sort_by max_by min_by dedup_by", PAIR),
  },
  severalMembers: {
    ...byName(
      "iter iter_mut into_iter drain filter rev skip take step_by take_while skip_while cloned copied enumerate chain peekable by_ref inspect as_slice as_mut_slice to_vec values values_mut into_values clone unwrap expect as_ref as_mut borrow borrow_mut collect fuse cycle split_off",
      "same",
    ),
    ...byName(
      "next next_back last first first_mut last_mut get get_mut pop peek nth find min max min_by_key max_by_key remove swap_remove pop_front pop_back front back insert get_or_insert_with",
      "element",
    ),
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}
