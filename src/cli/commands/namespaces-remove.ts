import { defineCommand, JSON_FLAG } from "../command.ts";
import { confirm } from "../confirm.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Deletes a namespace, its index, and the clones of repositories that no other namespace uses, for good: every running svc process answers NAMESPACE_NOT_FOUND from its next call on. Folders of yours stay as they are. API keys and tokens for it stay too, and find nothing. Asks first; where there is no terminal it needs --yes.",
  args: [
    {
      name: "name",
      required: true,
      suggests: "namespace",
      description: "Its name, as `svc namespaces list` shows.",
    },
  ],
  flags: {
    yes: { type: "boolean", short: "y", description: "Do not ask." },
    json: JSON_FLAG,
  },
  examples: [{ run: "svc namespaces remove web --yes", description: "Deletes it without asking." }],
  async run({ args: { name }, flags }, { app, io, signal }) {
    const engine = await app.engine();
    const request = { namespace: name, principal: app.owner, signal };
    const [status] = await engine.status({ ...request, detail: "summary" });
    const question = `Delete "${name}" with the index of ${status?.files ?? 0} files for good?`;
    if (!flags.yes && !(await confirm(question, { io, signal }))) {
      io.err("Nothing was removed.\n");
      return;
    }
    await engine.removeNamespace(request);
    if (flags.json) printJson(io, { removed: name });
    else io.out(safeText(`"${name}" is removed.\n`));
  },
});
