const HEADER = /\.(?:h|hh|hpp|hxx)$/i;

/** Whether a path is that of a header of C, C++ or Objective-C. */
export function isCHeader(path: string): boolean {
  return HEADER.test(path);
}
