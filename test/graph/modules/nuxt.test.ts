import { expect, test } from "vitest";

import { NuxtImports } from "../../../src/graph/modules/nuxt.ts";
import { fileTreeOf } from "../../../src/index/file-tree.ts";
import { usersIn } from "../../helpers/reference-users.ts";

const FILES = [
  "web/nuxt.config.ts",
  "web/app/composables/user.ts",
  "web/app/composables/masto/account.ts",
  "web/app/composables/user.test.ts",
  "web/utils/text.ts",
  "web/layers/shop/composables/cart.ts",
  "web/server/utils/db.ts",
  "web/server/api/user.ts",
  "web/shared/utils/dates.ts",
  "tool/composables/other.ts",
];

test("files of the application and of the server see different folders", () => {
  const imports = new NuxtImports(fileTreeOf(FILES));
  expect(imports.seenBy("web/app/pages/index.vue").toSorted()).toEqual([
    "web/app/composables/masto/account.ts",
    "web/app/composables/user.ts",
    "web/layers/shop/composables/cart.ts",
    "web/shared/utils/dates.ts",
    "web/utils/text.ts",
  ]);
  expect(imports.seenBy("web/server/api/user.ts")).toEqual([
    "web/server/utils/db.ts",
    "web/shared/utils/dates.ts",
  ]);
  expect(imports.seenBy("tool/index.ts")).toEqual([]);
});

test("names without an import are exact if such a file exports them", async () => {
  const users = await usersIn({
    "nuxt.config.ts": "export default defineNuxtConfig({});\n",
    "composables/user.ts": `export function useUser() { const name = "a"; return { name }; }
function hidden() {}
`,
    "lib/other.ts": "export function useOther() {}\n",
    "pages/index.ts": `export function show() { const { name } = useUser(); return name; }
hidden();
useOther();
`,
  });
  expect(await users("useUser")).toEqual(["pages/index.ts:1 call"]);
  expect(await users("useUser.name")).toContain("pages/index.ts:1 value");
  expect(await users("hidden")).toEqual(["pages/index.ts:2 call ?"]);
  expect(await users("useOther")).toEqual(["pages/index.ts:3 call ?"]);
});
