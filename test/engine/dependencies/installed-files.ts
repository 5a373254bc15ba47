// A project in TypeScript with two packages that are installed, one that is missing, and lock files.

const OVEN = (version: string): string =>
  JSON.stringify({
    name: "oven",
    version,
    exports: { ".": { require: "./dist/index.cjs", import: "./dist/index.js" } },
    types: "./dist/index.d.ts",
  });

const MANIFEST = JSON.stringify({
  name: "bakery",
  dependencies: { oven: "^1.0.0", "@mill/flour": "2.0.0" },
  devDependencies: { missing: "^1.0.0" },
});

/** The files of oven 1.2.0, and those of another version. */
export function ovenFiles(version = "1.2.0", folder = "node_modules/oven"): Record<string, string> {
  return {
    [`${folder}/package.json`]: OVEN(version),
    [`${folder}/README.md`]: "# Oven\n\nHeats the stones before the dough goes in.\n",
    [`${folder}/.gitignore`]: "dist\n",
    [`${folder}/dist/index.js`]: `export { preheat } from "./heat.js";\n`,
    [`${folder}/dist/index.cjs`]: "exports.preheat = () => {};\n",
    [`${folder}/dist/index.d.ts`]: `export { preheat } from "./heat.ts";\n`,
    [`${folder}/dist/heat.js`]: "export function preheat(degrees) {\n  return degrees;\n}\n",
    [`${folder}/dist/heat.d.ts`]:
      "/** Heats an oven. */\nexport declare function preheat(degrees: number): number;\n",
    [`${folder}/dist/oven.min.js`]: "preheat=d=>d;\n",
    [`${folder}/dist/oven.umd.js`]: "window.preheat = (d) => d;\n",
    [`${folder}/node_modules/inner/index.js`]: "export const inner = 1;\n",
    [`${folder}/.npmrc`]: "token=abc\n",
  };
}

const FLOUR_FILES: Readonly<Record<string, string>> = {
  "node_modules/@mill/flour/package.json": '{ "name": "@mill/flour", "version": "2.0.0" }',
  "node_modules/@mill/flour/index.js": "exports.sieve = function sieve() {};\n",
};

export const BAKERY: Readonly<Record<string, string>> = {
  "package.json": MANIFEST,
  "package-lock.json": JSON.stringify({
    packages: {
      "node_modules/oven": { version: "1.2.0" },
      "node_modules/@mill/flour": { version: "2.0.0" },
      "node_modules/inner": { version: "1.0.0" },
    },
  }),
  "src/bake.ts":
    'import { preheat } from "oven";\n\nexport function bake(): number {\n  return preheat(230);\n}\n',
  ...ovenFiles(),
  ...FLOUR_FILES,
};
