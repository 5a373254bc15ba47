// The only functions of the page that create and find elements. Data from an index becomes text or the value of a
// harmless attribute, never markup.

/** Returns the element with this id. Throws when index.html has no such element of this type. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} "${id}"`);
  return found;
}

type AttributeName =
  | "aria-controls"
  | "aria-expanded"
  | "aria-label"
  | "aria-labelledby"
  | "class"
  | "id"
  | "role"
  | "tabindex"
  | "title"
  | "type"
  | "value";

type Attributes = Readonly<Partial<Record<AttributeName, string>>>;

/** Creates an element with these attributes and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Creates a button that calls `onClick`. */
export function button(
  label: string,
  attributes: Attributes,
  onClick: () => void,
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}
