// Keys of the notes that monitors keep in the change log.

export const HAS_LINES_NOTE = "lines";
export const NAMES_NOTE = "names";
export const MONITORS_NOTE = "monitors";

/** The value of a note that lists nothing. */
export const EMPTY_LIST = "[]";
