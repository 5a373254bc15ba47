import { LANGUAGES } from "../../scan/languages.ts";
import { completeWords } from "../complete/complete-words.ts";
import { SHELLS } from "../complete/scripts.ts";
import { shownIn, wordsOf } from "../complete/shell-words.ts";
import { defineCommand } from "../command.ts";
import { knownNamespaces } from "../known-namespaces.ts";
import { safeLine } from "../print/safe-text.ts";

/** The scripts of `svc completions` run this for each completion: it opens only the list of namespaces. */
export const command = defineCommand({
  args: [
    { name: "shell", required: true, choices: SHELLS, description: "Shell that runs the script." },
    { name: "words", variadic: true, description: "The words after svc." },
  ],
  async run({ args: { shell, words } }, { io, app }) {
    const { commands } = await import("../commands.ts");
    const found = await completeWords(wordsOf(shell, words), commands, async (kind) =>
      kind === "language" ? LANGUAGES : ((await knownNamespaces(app)) ?? []),
    );
    if (typeof found === "string") {
      io.out(`:${found}\n`);
      return;
    }
    for (const candidate of found) {
      const { description } = candidate;
      const tail = description === "" ? "" : `\t${safeLine(description)}`;
      io.out(`${shownIn(shell, candidate, words)}${tail}\n`);
    }
  },
});
