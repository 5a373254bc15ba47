// The copies that nodes have after some days. Days of questions would take too long to run. The content of a cache with
// least recently used replacement is then known (Che, Tung and Wang 2002): each namespace that was used within the
// characteristic time, which is the same for all.
import type { Random } from "../quality/random.ts";
import { NODES_OF_NAMESPACE, PEAK_HOUR_SHARE, UPTIME_DAYS } from "./assumptions.ts";
import { DAY_MS } from "./constants.ts";
import type { Placement } from "./placement.ts";
import { exponential } from "./random.ts";
import type { ReadNodeModel } from "./read-node.ts";
import { indexBytesOf, questionsPerMs, type Repositories } from "./repositories.ts";

interface WarmOptions {
  readonly repositories: Repositories;
  /** The placement of the namespaces; undefined if each node answers for all. */
  readonly placement: Placement | undefined;
  readonly maxBytes: number;
  readonly random: Random;
}

/** The namespaces that a node answers for. */
interface Held {
  readonly namespaces: Int32Array;
  /** Nodes that share the questions about each of them. */
  readonly nodes: number;
}

/** A day, including the night, has as many questions as this many milliseconds of its busiest hour. */
const PEAK_MS_OF_DAY = DAY_MS / 24 / PEAK_HOUR_SHARE;
const NOTHING: Held = { namespaces: new Int32Array(), nodes: 1 };
/** Bisections of the time interval, down to milliseconds. */
const STEPS = 32;
/**
 * The characteristic time is divided into this many steps. Ages are sorted by step together with the namespace, in one
 * number below 2 ** 53.
 */
const AGE_STEPS = 2 ** 20;

export function warmCopies(nodes: readonly ReadNodeModel[], options: WarmOptions): void {
  const heldBy = heldByNode(nodes.length, options);
  const keptMs = characteristicTime(heldBy[0] ?? NOTHING, options);
  for (const [at, node] of nodes.entries()) {
    const keys = keysOf(heldBy[at] ?? NOTHING, keptMs, options);
    fill(node, keys, keptMs, options.repositories);
  }
}

function heldByNode(
  nodes: number,
  { repositories: { count }, placement }: WarmOptions,
): readonly Held[] {
  if (placement === undefined) {
    const held = { namespaces: Int32Array.from({ length: count }, (_, rank) => rank), nodes };
    return Array.from({ length: nodes }, () => held);
  }
  const copies = Math.min(NODES_OF_NAMESPACE, nodes);
  const lists = Array.from({ length: nodes }, (): number[] => []);
  for (let namespace = 0; namespace < count; namespace += 1) {
    for (let place = 0; place < copies; place += 1) {
      lists[placement.node(namespace, place) ?? 0]?.push(namespace);
    }
  }
  return lists.map((list) => ({ namespaces: Int32Array.from(list), nodes: copies }));
}

/** How long a copy stays after its last use, in milliseconds of the busiest hour; at most since the node has started. */
function characteristicTime(held: Held, { repositories, maxBytes }: WarmOptions): number {
  const perMs = questionsPerMs(repositories.count) / held.nodes;
  const bytesWith = (ms: number): number => {
    let bytes = 0;
    for (const namespace of held.namespaces) {
      const uses = perMs * repositories.questions.share(namespace) * ms;
      bytes += indexBytesOf(repositories, namespace) * (1 - Math.exp(-uses));
    }
    return bytes;
  };
  let [low, high] = [0, UPTIME_DAYS * PEAK_MS_OF_DAY];
  if (bytesWith(high) <= maxBytes) return high;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (bytesWith(middle) <= maxBytes) low = middle;
    else high = middle;
  }
  return low;
}

/** The copies of one node in the order of their last use: AGE_STEPS steps, and in each the namespace. */
function keysOf(held: Held, keptMs: number, { repositories, random }: WarmOptions): Float64Array {
  const { count, questions } = repositories;
  const perMs = questionsPerMs(count) / held.nodes;
  const keys = new Float64Array(held.namespaces.length);
  let kept = 0;
  for (const namespace of held.namespaces) {
    // The time since the last use, going back, is exponential.
    const ageMs = exponential(1 / (perMs * questions.share(namespace)), random);
    if (ageMs >= keptMs) continue;
    keys[kept] = Math.floor((1 - ageMs / keptMs) * AGE_STEPS) * count + namespace;
    kept += 1;
  }
  return keys.subarray(0, kept).toSorted();
}

/** Adds the copies, the one that was used last at the end. */
function fill(
  node: ReadNodeModel,
  keys: Float64Array,
  keptMs: number,
  repositories: Repositories,
): void {
  for (const key of keys) {
    const namespace = key % repositories.count;
    const step = Math.floor(key / repositories.count);
    const usedAtMs = Math.round((step / AGE_STEPS - 1) * keptMs);
    const bytes = indexBytesOf(repositories, namespace);
    node.copies.add(namespace, { bytes, pushes: 0 }, usedAtMs);
  }
}
