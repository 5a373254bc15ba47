// Links between the pages of a book.

/** A list or page with more of its letters in links to other pages only leads to them. */
const MAX_LINKED = 0.8;
/** Neither within the page nor to the web. */
const OTHER_PAGE = /^(?!#|\/|[a-z][a-z0-9+.-]*:)/iu;

/** Returns whether a link goes to another page of the book. */
export function isToOtherPage(href: string): boolean {
  return href !== "" && OTHER_PAGE.test(href);
}

/** Returns whether a text only leads to other pages. `linked`: how many of its letters are in links to them. */
export function onlyLeadsElsewhere(linked: number, letters: number): boolean {
  return linked > letters * MAX_LINKED;
}
