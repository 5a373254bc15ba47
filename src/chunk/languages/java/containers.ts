// What the collections of Java hold, and what their methods give.
import type { CallResult, Container, ReferenceRules } from "../reference-rules.ts";

/** Those that hold one value or none are asked for it by methods, as the others are. */
const SEVERAL: Container = { argument: 0, isSeveral: true };
const VALUES: Container = { argument: 1, isSeveral: true };
const VALUE: CallResult = { argument: 0, gives: "value" };
const MANY: CallResult = { argument: 0, gives: "several" };

/** Elements come back as parameters of the functions that are handed to these. */
const EACH = ["[]"];
const PAIR = ["[]", "[]"];
const ENTRY = ["?", "[]"];

export const javaContainers: Pick<
  ReferenceRules,
  "containers" | "calls" | "callbacks" | "severalMembers"
> = {
  containers: {
    ...byName(
      "Iterable Iterator ListIterator Collection List ArrayList LinkedList CopyOnWriteArrayList Vector Stack Set HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet Queue Deque ArrayDeque PriorityQueue BlockingQueue LinkedBlockingQueue ConcurrentLinkedQueue Enumeration Stream Optional Supplier Callable Future CompletableFuture AtomicReference AtomicReferenceArray ThreadLocal WeakReference SoftReference Reference",
      SEVERAL,
    ),
    ...byName(
      "Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap EnumMap IdentityHashMap WeakHashMap Hashtable ConcurrentMap ConcurrentHashMap",
      VALUES,
    ),
  },
  calls: {
    "Objects.requireNonNull": VALUE,
    "Collections.unmodifiableList": VALUE,
    "Collections.unmodifiableSet": VALUE,
    "Collections.unmodifiableMap": VALUE,
    "Collections.unmodifiableCollection": VALUE,
    "Collections.singletonList": MANY,
    "Collections.singleton": MANY,
    "List.of": MANY,
    "Set.of": MANY,
    "Arrays.asList": MANY,
    "Optional.of": MANY,
    "Optional.ofNullable": MANY,
    "Stream.of": MANY,
  },
  callbacks: {
    map: EACH,
    flatMap: EACH,
    mapToInt: EACH,
    mapToLong: EACH,
    mapToObj: EACH,
    filter: EACH,
    forEach: EACH,
    forEachOrdered: EACH,
    removeIf: EACH,
    anyMatch: EACH,
    allMatch: EACH,
    noneMatch: EACH,
    peek: EACH,
    takeWhile: EACH,
    dropWhile: EACH,
    ifPresent: EACH,
    sort: PAIR,
    sorted: PAIR,
    computeIfPresent: ENTRY,
  },
  severalMembers: {
    ...byName(
      "stream parallelStream filter sorted distinct limit skip takeWhile dropWhile toList collect values iterator listIterator subList reversed findFirst findAny descendingIterator",
      "same",
    ),
    ...byName(
      "get next previous getFirst getLast first last elementAt nextElement poll pop remove element join orElse orElseThrow orElseGet getOrDefault computeIfAbsent",
      "element",
    ),
  },
};

function byName<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}
