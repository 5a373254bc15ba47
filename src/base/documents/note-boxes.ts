// Notes, tips and warnings in boxes. Their headings ("Note") are not sections: what follows the box belongs to the section
// around it.

const ELEMENTS = new Set(["aside", "blockquote", "div", "section", "table"]);
const NOTE =
  /(?:^|\s)(?:admonition|admonitionblock|attention|caution|danger|hint|important|note|notice|tip|warning)(?:\s|$)/iu;

/** Returns whether an element is such a box, by its class or, in a book, its type. */
export function isNote(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (!ELEMENTS.has(name)) return false;
  return isNoteClass(attributes["class"] ?? "") || isNoteClass(attributes["epub:type"] ?? "");
}

/** Returns whether one of the classes is that of such a box. */
export function isNoteClass(classes: string): boolean {
  return NOTE.test(classes);
}
