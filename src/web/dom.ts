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
  | "aria-current"
  | "aria-expanded"
  | "aria-hidden"
  | "aria-label"
  | "aria-labelledby"
  | "aria-level"
  | "aria-pressed"
  | "aria-selected"
  | "class"
  | "dir"
  | "id"
  | "role"
  | "scope"
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

/** Creates a link to a state of this page. A fragment cannot lead elsewhere, whatever names it contains. */
export function link(
  address: `#${string}`,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): HTMLAnchorElement {
  const made = element("a", attributes, ...children);
  made.href = address;
  return made;
}

/** Returns the text with the parts in backticks as code elements. */
export function withCode(text: string): readonly (Node | string)[] {
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, part) : part));
}

/** Creates a link that leaves the page; undefined if the address is not one of the web. */
export function externalLink(
  address: string,
  ...children: readonly (Node | string)[]
): HTMLAnchorElement | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^(?:https?|mailto):$/.test(url.protocol)) return undefined;
  const made = element("a", { class: "external", title: url.href }, ...children);
  made.href = url.href;
  made.target = "_blank";
  made.rel = "noopener noreferrer nofollow";
  return made;
}
