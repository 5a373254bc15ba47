// The element types of Java's collections, and the results of their methods.
import type { CallResult, Container, ReferenceRules } from "../reference-rules.ts";

/** Includes wrappers of one value, because Java accesses their value by methods too. */
const ELEMENT_OF: Container = { argument: 0, isCollection: true };
const VALUE_OF: Container = { argument: 1, isCollection: true };
const RETURNS_ARGUMENT: CallResult = { argument: 0, returns: "value" };
const RETURNS_COLLECTION: CallResult = { argument: 0, returns: "several" };

/** These methods pass the elements to a function. */
const EACH = ["[]"];
const PAIR = ["[]", "[]"];
const ENTRY = ["?", "[]"];

export const javaContainers: Pick<
  ReferenceRules,
  "containers" | "calls" | "callbacks" | "collectionMembers"
> = {
  containers: {
    ...byName(
      "Iterable Iterator ListIterator Collection List ArrayList LinkedList CopyOnWriteArrayList Vector Stack Set HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet Queue Deque ArrayDeque PriorityQueue BlockingQueue LinkedBlockingQueue ConcurrentLinkedQueue Enumeration Stream Optional Supplier Callable Future CompletableFuture AtomicReference AtomicReferenceArray ThreadLocal WeakReference SoftReference Reference",
      ELEMENT_OF,
    ),
    ...byName(
      "Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap EnumMap IdentityHashMap WeakHashMap Hashtable ConcurrentMap ConcurrentHashMap",
      VALUE_OF,
    ),
  },
  calls: {
    "Objects.requireNonNull": RETURNS_ARGUMENT,
    "Collections.unmodifiableList": RETURNS_ARGUMENT,
    "Collections.unmodifiableSet": RETURNS_ARGUMENT,
    "Collections.unmodifiableMap": RETURNS_ARGUMENT,
    "Collections.unmodifiableCollection": RETURNS_ARGUMENT,
    "Collections.singletonList": RETURNS_COLLECTION,
    "Collections.singleton": RETURNS_COLLECTION,
    "List.of": RETURNS_COLLECTION,
    "Set.of": RETURNS_COLLECTION,
    "Arrays.asList": RETURNS_COLLECTION,
    "Optional.of": RETURNS_COLLECTION,
    "Optional.ofNullable": RETURNS_COLLECTION,
    "Stream.of": RETURNS_COLLECTION,
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
  collectionMembers: {
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
