// The wrapper and collection types of Rust, and the results of their methods.
import type { CallResult, Container, ReferenceRules } from "../reference-rules.ts";

const WRAPPER_OF: Container = { argument: -1, isCollection: false };
const RESULT_OF: Container = { argument: 0, isCollection: false };
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };
const RETURNS_ARGUMENT: CallResult = { argument: 0, returns: "value" };

/** These methods pass the elements to a closure. */
const EACH = ["[]"];
const FOLD = ["?", "[]"];
const PAIR = ["[]", "[]"];

export const rustContainers: Pick<
  ReferenceRules,
  "containers" | "calls" | "callbacks" | "collectionMembers"
> = {
  containers: {
    ...byName(
      "Option Box Rc Arc RefCell Cell UnsafeCell Mutex RwLock Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Weak OnceCell OnceLock LazyLock Lazy ManuallyDrop MaybeUninit NonNull Poll Future",
      WRAPPER_OF,
    ),
    ...byName("Result io::Result anyhow::Result crate::Result std::io::Result", RESULT_OF),
    ...byName(
      "Vec VecDeque HashSet BTreeSet IndexSet BinaryHeap LinkedList SmallVec Iter IterMut IntoIter Iterator IntoIterator DoubleEndedIterator ExactSizeIterator Stream",
      ELEMENT_OF,
    ),
    ...byName("HashMap BTreeMap IndexMap", VALUE_OF),
  },
  calls: byName(
    "Some Ok Box::new Box::pin Rc::new Arc::new RefCell::new Cell::new Mutex::new RwLock::new Cow::Borrowed Cow::Owned Arc::clone Rc::clone Pin::new OnceCell::from Poll::Ready mem::take mem::replace std::mem::take std::mem::replace",
    RETURNS_ARGUMENT,
  ),
  callbacks: {
    ...byName(
      "map filter filter_map flat_map for_each any all find find_map position take_while skip_while map_while inspect partition retain max_by_key min_by_key sort_by_key and_then is_some_and map_or map_or_else unwrap_or_else",
      EACH,
    ),
    fold: FOLD,
    ...byName("sort_by max_by min_by dedup_by", PAIR),
  },
  collectionMembers: {
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
