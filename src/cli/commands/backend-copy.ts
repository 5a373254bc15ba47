import { SvcError } from "../../base/errors.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const PLACE =
  "a PostgreSQL database (postgres://USER@HOST/DATABASE), a data directory, or `files` for the data directory of this machine";

export const command = defineCommand({
  description: `Copies namespaces with their indexes, changes and sources from one place to another. A place is ${PLACE}. Into a database, svc also copies the texts of the files. It copies no monitors and no credentials, and changes nothing in the source.\n\nTo continue an interrupted copy, run the command again. svc compares both indexes at the end. It refuses a namespace for which the target has a different index.`,
  flags: {
    from: {
      type: "string",
      required: true,
      placeholder: "PLACE",
      description: "Copy from this place.",
    },
    to: {
      type: "string",
      required: true,
      placeholder: "PLACE",
      description: "Copy to this place.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Copy only this namespace." },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc backend copy --from files --to postgres://db.example.org/svc",
      description: "Copy all indexes of this machine to a team's database.",
    },
    {
      run: "svc backend copy --from postgres://db.example.org/svc --to files --namespace docs",
      description: "Copy one index of a team to this machine.",
    },
  ],
  async run({ flags: { from, to, namespace, json } }, { app, io, signal }) {
    if (from === to) {
      throw new SvcError("USAGE", "--from and --to name the same place.", {
        hint: "Name two different places.",
      });
    }
    const copied: object[] = [];
    for await (const one of await app.copyBackend(from, to, namespace)) {
      signal.throwIfAborted();
      const { namespace: name, files, sum, changedFiles, isNew } = one;
      copied.push({ namespace: name, files, sum, changed_files: changedFiles, copied: isNew });
      if (json) continue;
      const what = isNew ? "copied" : "equal already";
      io.out(safeText(`${name}: ${what} (${files} files, sum ${sum}).\n`));
      if (changedFiles === 0) continue;
      io.out(
        `  ${changedFiles} of them have changed since they were indexed. \`svc index\` with the target updates them.\n`,
      );
    }
    if (copied.length === 0) {
      throw new SvcError("INDEX_EMPTY", "Nothing is indexed there yet.", {
        hint: "Run `svc index`.",
      });
    }
    if (json) printJson(io, copied);
  },
});
