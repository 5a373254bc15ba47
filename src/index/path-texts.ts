/**
 * Returns the texts whose terms are those of a path. The words of the file name count twice, its extension does not
 * count.
 */
export function pathTexts(path: string): readonly string[] {
  const stemmed = path.replace(/\.[A-Za-z0-9]{1,8}$/, "");
  return [stemmed, stemmed.slice(stemmed.lastIndexOf("/") + 1)];
}
