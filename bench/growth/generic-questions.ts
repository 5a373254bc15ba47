// Queries for any code base: the words occur everywhere, so a bigger tree has more of them.

export const QUESTIONS: readonly string[] = [
  "how are errors reported to the user",
  "parse the command line arguments",
  "read a file and split it into lines",
  "retry after a timeout",
  "where is the cache invalidated",
  "convert a string to a number",
  "default values of the configuration",
  "register an event listener",
  "allocate a buffer and free it",
  "compare two version numbers",
  "write the output to disk",
  "validate the input parameters",
  "lock shared state between threads",
  "initialize the module at startup",
  "compute a hash of the content",
  "iterate over all children of a node",
  "log a warning when a deprecated option is used",
  "list the files of a directory",
  "test that an exception is thrown",
  "send a request and wait for the response",
  "init",
  "toString",
  "getName",
  "set_value",
  "parseOptions",
  "MAX_SIZE",
  "Context",
  "update(state)",
];

/** Regular expressions with a text that every match contains: the index knows the files. */
export const WITH_LITERAL: readonly string[] = [
  "TODO|FIXME",
  "return (true|false|0);",
  "^(import|#include) .*util",
  "\\b(class|struct) \\w+",
  "\\w*[Ee]rror\\w*\\(",
  "deprecated\\s+\\w+",
  "(get|set)[A-Z_]?\\w+\\(\\)",
  "no_such_\\w+_anywhere",
];

/** … and without: the files must be read, as far as the page reaches. */
export const WITHOUT_LITERAL: readonly string[] = [
  "[A-Z]{4,}_[A-Z]{4,}_[A-Z]{4,}",
  "\\b[0-9]{6,}\\b",
  "^\\s+\\w+\\([^)]*\\);$",
  "\\b\\w{24,}\\b",
];

/** Without a literal and without a match: all files must be read. */
export const FOUND_NOWHERE: readonly string[] = ["\\b[a-z]{9}[0-9]{9}[a-z]{9}\\b"];
