// Documents on the page of `svc serve`, in a real browser.
import { expect, test } from "vitest";

import { findings } from "./browser.ts";
import { ask, results, searchPage } from "./search-page-user.ts";
import { needs } from "../helpers/needs.ts";
import { notebookOf } from "../helpers/notebook-text.ts";

needs(["chromium"], () => {
  const { enter } = searchPage({
    "docs/analysis.ipynb": notebookOf([
      "# Harbour traffic",
      "import harbour\n\n\ndef count_ships(log):\n    return harbour.arrivals(log)",
      "# Pilot boats\n\nThey meet the ships at the buoy.",
    ]),
    "harbour.py": "def arrivals(log):\n    return log\n",
  });

  test("a result names its part of the document, copies it, and opens the text at the line", async () => {
    const { page, violations, faults } = await enter("", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await ask(page, "where do pilot boats meet the ships");
    const first = results(page).first();
    expect(await first.innerText()).toContain("docs/analysis.ipynb:cell 3:1-3");
    await first.getByRole("button", { name: /^Copy/ }).click();
    await expect
      .poll(() => page.evaluate("navigator.clipboard.readText()"))
      .toBe("docs/analysis.ipynb:cell 3:1-3");
    await first.getByRole("link").first().click();
    await expect.poll(() => page.locator("#code").innerText()).toContain("def count_ships(log):");
    await expect.poll(() => page.locator("#outline").innerText()).toContain("Pilot boats");
    expect(await findings(page)).toEqual([]);
    expect([await violations(), faults]).toEqual([[], []]);
  });
});
