// The public names of Python packages: names without an underscore in modules without one, and the names in `__all__`.

import type { FileFacts } from "../../index/types.ts";
import type { ScopedFile } from "../../graph/entity.ts";
import type { FileTree } from "../../index/port.ts";
import type { ApiVersion } from "./api-version.ts";
import { ExportedNames } from "./exported-names.ts";
import type { AddName, NamesOptions } from "./public-definition.ts";

/** Files around a package that nobody imports. */
const NOT_MODULES = /^(?:setup|conftest|noxfile|tasks|fabfile|manage|wsgi|asgi|__main__)$/;
const LISTED = /^__all__\s*(?::[^=\n]*)?\+?=\s*[[(](?<names>[^\])]*)/gm;

/** A list that the module itself completes. */
const COMPUTED = /^[ \t]*__all__(?:\.(?:append|extend|remove)\(|\s*\+=\s*[^[(\s]|\s*=\s*[^[(\s])/m;
const MAX_WILDCARDS = 8;

export class PythonNames {
  readonly #version: ApiVersion;
  readonly #exported: ExportedNames;

  constructor(version: ApiVersion, add: AddName) {
    this.#version = version;
    this.#exported = new ExportedNames(version, add);
  }

  async addAll(files: readonly FileFacts[], { signal }: NamesOptions): Promise<void> {
    const tree = await this.#version.tree();
    for (const { path } of files) {
      signal.throwIfAborted();
      const module = moduleOf(path, tree);
      // The code decides, not its stub.
      const isStub = path.endsWith(".pyi") && tree.has(path.slice(0, -1));
      if (module === undefined || isStub) continue;
      // oxlint-disable-next-line no-await-in-loop -- one module after the other
      for (const name of await this.#namesOf(path)) {
        const one = { name, as: `${module}.${name}` };
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#exported.add(path, one, async () => []);
      }
    }
  }

  async #namesOf(path: string, depth = 0): Promise<readonly string[]> {
    const file = await this.#version.scope(path);
    if (file === undefined) return [];
    const text = file.byQualifiedName.has("__all__") ? await this.#version.text(path) : "";
    const listed = listedIn(text);
    if (listed.length > 0 && !COMPUTED.test(text)) return listed;
    const own = file.symbols.filter(
      ({ name, qualifiedName, access }) => name === qualifiedName && access === "exported",
    );
    const isPackage = /(?:^|\/)__init__\.pyi?$/.test(path);
    const imported = isPackage ? await this.#importedBy(file, depth) : [];
    const names = [...listed, ...own.map(({ name }) => name), ...imported];
    return [...new Set(names)].filter((name) => !name.startsWith("_"));
  }

  /** The names of the project that a package imports, for its users. */
  async #importedBy(file: ScopedFile, depth: number): Promise<readonly string[]> {
    const names: string[] = [];
    for (const { module, bindings, isWildcard } of file.imports) {
      const [target] = this.#version.targetOf(file, module);
      if (target === undefined) continue;
      names.push(...bindings.map(({ local }) => local));
      // oxlint-disable-next-line no-await-in-loop -- one module after the other
      if (isWildcard && depth < MAX_WILDCARDS)
        names.push(...(await this.#namesOf(target, depth + 1)));
    }
    return names;
  }
}

function listedIn(text: string): readonly string[] {
  return [...text.matchAll(LISTED)].flatMap(({ groups }) =>
    [...(groups?.["names"] ?? "").matchAll(/["'](?<name>[^"'\n]+)["']/g)].map(
      (one) => one.groups?.["name"] ?? "",
    ),
  );
}

/** `a.b` of src/a/b.py; undefined for what is not a public module. */
function moduleOf(path: string, tree: FileTree): string | undefined {
  if (!/\.pyi?$/.test(path)) return undefined;
  const parts = path.replace(/\.pyi?$/, "").split("/");
  let first = parts.length - 1;
  const isPackage = (folder: string): boolean =>
    tree.filesIn(folder).some((name) => /^__init__\.pyi?$/.test(name));
  while (first > 0 && isPackage(parts.slice(0, first).join("/"))) first -= 1;
  // A package without `__init__.py` is in a folder of sources.
  const root = parts.slice(0, first).join("/");
  if (!/^(?:|.*\/)(?:src|lib|python)$/.test(root) && root !== "") {
    if (first === parts.length - 1) return undefined;
  }
  const names = parts.slice(first);
  if (names.length === 1 && NOT_MODULES.test(names[0] ?? "")) return undefined;
  if (names.at(-1) === "__init__") names.pop();
  return names.some((name) => name.startsWith("_")) || names.length === 0
    ? undefined
    : names.join(".");
}
