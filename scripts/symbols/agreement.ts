// Shows the agreement of svc's definitions with those of universal-ctags and of the grammar's tags queries.
//
//     node scripts/symbols/agreement.ts --language go --tree DIR [--tree DIR …] [--examples N] [--brief]
//
// `ctags` must be on the path. With --brief it prints one line for each tree, as in the table of docs/symbols.md.
import { parseArgs } from "node:util";

import { compareTree } from "./compare.ts";
import { report, tableRow } from "./report.ts";

const { values } = parseArgs({
  options: {
    language: { type: "string" },
    tree: { type: "string", multiple: true },
    examples: { type: "string", default: "2" },
    brief: { type: "boolean", default: false },
  },
});
const { language, tree: trees, examples, brief } = values;

if (language === undefined || trees === undefined) {
  console.error(
    "usage: node scripts/symbols/agreement.ts --language ID --tree DIR [--examples N] [--brief]",
  );
  process.exitCode = 2;
} else {
  for (const tree of trees) {
    // oxlint-disable-next-line no-await-in-loop -- one tree takes all there is of a core
    const agreement = await compareTree(language, tree);
    console.log(
      brief
        ? `| ${language} | ${tree} | ${tableRow(agreement)} |`
        : `${tree}: ${report(agreement, { examples: Number(examples) })}\n`,
    );
  }
}
