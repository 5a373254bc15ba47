import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { confirm } from "../confirm.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Permanently deletes a namespace, its index, and the clones of repositories that no other namespace uses. Every running svc process answers NAMESPACE_NOT_FOUND from its next call on. Your folders do not change. API keys and tokens for the namespace stay valid and find nothing. Asks for confirmation; without a terminal, --yes is required.",
  args: [
    {
      name: "name",
      required: true,
      suggests: "namespace",
      description: "Name of the namespace (see `svc namespaces list`).",
    },
  ],
  flags: {
    yes: { type: "boolean", short: "y", description: "Do not ask for confirmation." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc namespaces remove web --yes",
      description: "Delete a namespace without confirmation.",
    },
  ],
  async run({ args: { name }, flags }, { app, io, signal }) {
    const engine = await app.engine();
    const request = { namespace: name, principal: app.owner, signal };
    const [status] = await engine.status({ ...request, detail: "summary" });
    const question = `Permanently delete "${name}" and its index of ${status?.files ?? 0} files?`;
    if (!flags.yes && !(await confirm(question, { io, signal }))) {
      io.err("Nothing was removed.\n");
      return;
    }
    await engine.removeNamespace(request);
    if (flags.json) printJson(io, { removed: name });
    else io.out(safeText(`Removed "${name}".\n`));
  },
});
