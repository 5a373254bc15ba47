// A project with translations, build output, an amalgamation, versions of pages, and files that are only similar.

/** Lines of a definition that many files of different projects could have. */
function definition(name: string, first: string): string {
  const steps = ["open", "read", "check", "decode", "store", "close"].map(
    (step) => `  const ${step}ed = this.${step}(${first}, "${name}");`,
  );
  return [`/** Loads the harbour ledger for the ${name}. */`, `function ${name}(${first}) {`]
    .concat(steps, `  return [${first}, "${name}", closed];`, "}", "")
    .join("\n");
}

const LEDGER = definition("loadLedger", "harbour");
const SAIL = definition("mendSail", "boat");
const TIDES = ["countTides", "plotTides", "sumTides"].map((name) => definition(name, "tide"));
const OTHERS = Array.from({ length: 9 }, (_, at) => definition(`other${at}`, `reef${at}`));

export const REPEATING = {
  "src/ledger.js": LEDGER,
  "src/sail.js": SAIL,
  "dist/bundle.js": `"use strict";\n${SAIL}\n${LEDGER}`,
  "dist/bundle.cjs": `"use strict";\n${SAIL}\n${LEDGER}`,
  "examples/one/knots.js": definition("tieKnot", "rope"),
  "examples/two/knots.js": definition("tieKnot", "rope"),
  "src/unix/poll.js": definition("pollBuoy", "buoy"),
  "src/win/poll.js": definition("pollBuoy", "buoy").replace("closed]", "closed, 1]"),
  "src/tides.js": TIDES.join("\n"),
  "all.js": [...TIDES, ...OTHERS].join("\n"),
  "docs/anchor.md":
    "# Drop the anchor\n\nTo drop the anchor of the ship, turn the winch and let the chain run, then wait until it holds.\n",
  "docs/de/anchor.md":
    "# Anker werfen (anchor)\n\nUm den Anker (anchor) des Schiffs (ship) zu werfen, drehen Sie die Winde, bis die Kette (chain) hält.\n",
  "docs/fr/anchor.md":
    "# Jeter l'ancre (anchor)\n\nPour jeter l'ancre (anchor) du navire (ship), tournez le treuil et laissez filer la chaîne (chain).\n",
  // Translated only in part: most of it is English.
  "docs/pl-PL/anchor.md":
    "# Drop the anchor\n\nTo drop the anchor of the ship, turn the winch and let it run. Poczekaj chwilę, if the chain holds.\n",
  "docs/ja/anchor.md":
    "# 錨を下ろす (anchor)\n\n船 (ship) の錨 (anchor) を下ろすには、ウインチを回して鎖 (chain) を出します。\n",
  // Not translated: the name of this folder does not mean a language here.
  "docs/no/anchor.md":
    "# No anchor on the ship\n\nThe ship is without the anchor, and that is when you use the chain of the other ship.\n",
  "docs/v1/rudder.md":
    "# Turn the rudder\n\nThe rudder of the ship turns with the wheel, and the wheel is turned by hand or by the autopilot.\n",
  "docs/v2/rudder.md":
    "# Turn the rudder\n\nThe rudder of the ship turns with the wheel, and the wheel is turned by hand or by the autopilot.\n",
};
