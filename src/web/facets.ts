// Counts of the results on the page by language, kind and folder; each narrows the query.
import { button, byId, element } from "./dom.ts";
import { makeVisible } from "./make-visible.ts";
import { hasFilter, type FilterName } from "./search-query.ts";
import type { ShownResult } from "./shown-result.ts";

/** The values of one facet with their counts, the most frequent first. */
interface Facet {
  readonly title: string;
  readonly filter: FilterName;
  readonly values: readonly {
    /** Value of the filter. */
    readonly value: string;
    readonly label: string;
    readonly count: number;
  }[];
}

const MAX_VALUES = 8;

/** Returns the facets with several values, and those with a value that is a filter of `text`. */
function facetsOf(results: readonly ShownResult[], text: string): readonly Facet[] {
  const folders = folderOf(results.map(({ path }) => path));
  const all: readonly Facet[] = [
    {
      title: "Language",
      filter: "lang",
      values: countedValues(
        results.map(({ language }) => language),
        (name) => name,
      ),
    },
    {
      title: "Kind",
      filter: "kind",
      values: countedValues(
        results.map(({ kind }) => kind),
        (name) => name,
      ),
    },
    {
      title: "Folder",
      filter: "path",
      values: countedValues(
        results.map(({ path }) => folders(path)),
        (folder) => `${folder}**`,
      ),
    },
  ];
  return all.filter(
    ({ filter, values }) =>
      values.length > 1 || values.some(({ value }) => hasFilter(text, filter, value)),
  );
}

function countedValues(
  names: readonly string[],
  valueOf: (name: string) => string,
): Facet["values"] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([label, count]) => ({ label, value: valueOf(label), count }));
}

/** Returns a function that finds the folder of a path one level below the folder that all paths have in common. */
function folderOf(paths: readonly string[]): (path: string) => string {
  let common = paths[0] ?? "";
  for (const path of paths) {
    while (!path.startsWith(common) || (common !== "" && !common.endsWith("/"))) {
      common = common.slice(0, Math.max(0, common.lastIndexOf("/", common.length - 2) + 1));
    }
  }
  return (path) => {
    const slash = path.indexOf("/", common.length);
    return slash < 0 ? common : path.slice(0, slash + 1);
  };
}

/** The list of facets next to the results. */
export class FacetList {
  readonly #list = byId("facets", HTMLElement);
  readonly #onToggle: (filter: FilterName, value: string) => void;

  constructor(onToggle: (filter: FilterName, value: string) => void) {
    this.#onToggle = onToggle;
  }

  show(results: readonly ShownResult[], text: string): void {
    const facets = facetsOf(results, text);
    this.#list.hidden = facets.length === 0;
    this.#list.replaceChildren(
      ...facets.map(({ title, filter, values }) => {
        const items = values.map(({ value, label, count }) => {
          const isOn = hasFilter(text, filter, value);
          const name = element("bdi", { class: "name" }, makeVisible(label));
          const made = button("", { class: "facet", "aria-pressed": String(isOn) }, () =>
            this.#onToggle(filter, value),
          );
          made.append(name, " ", element("span", { class: "count" }, String(count)));
          return element("li", {}, made);
        });
        const heading = element("h2", { id: `facet-${filter}` }, title);
        const list = element("ul", { "aria-labelledby": heading.id }, ...items);
        return element("section", {}, heading, list);
      }),
    );
  }
}
