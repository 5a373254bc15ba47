// Options of Node for the executable, and for what the build has Node make.

/**
 * Options of Node that the executable starts with; it takes none from outside. No option of V8 may
 * stand here: V8 would refuse the code cache that Node carries for its own modules, which was
 * measured to cost 12 ms per start.
 */
export const NODE_OPTIONS = ["--disable-sigusr1", "--disable-warning=ExperimentalWarning"];

/**
 * Makes V8 write the same code cache each time, by fixing the seed of its hash tables. V8 accepts a cache
 * without regard to this option.
 */
export const REPRODUCIBLE = ["--random-seed=1"];
