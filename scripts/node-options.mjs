// Options of Node for the executable, and for the caches and snapshots that Node makes in the build.

/**
 * Options of Node that the executable starts with; it accepts no others. They must include no option of V8:
 * V8 would then refuse the code cache that Node has for its own modules, which costs 12 ms per
 * start (measured).
 */
export const NODE_OPTIONS = ["--disable-sigusr1", "--disable-warning=ExperimentalWarning"];

/**
 * Makes V8 write the same code cache each time, by fixing the seed of its hash tables. V8 accepts a cache
 * without regard to this option.
 */
export const REPRODUCIBLE = ["--random-seed=1"];
