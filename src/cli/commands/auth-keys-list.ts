import { listCredentials } from "../../credentials/list-credentials.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { keyJson, namespacesText } from "../credential-json.ts";
import { printCredentials } from "../print-credentials.ts";

export const command = defineCommand({
  description:
    "Lists valid API keys, oldest first: id, name, namespaces, creation and last use (UTC). The keys themselves are not stored and cannot be shown again.",
  flags: {
    all: { type: "boolean", description: "Include revoked keys." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc auth keys list", description: "List valid keys." },
    {
      run: "svc auth keys list --all --json",
      description: "List every key ever created, as JSON.",
    },
  ],
  async run({ flags: { all, json } }, { app, io }) {
    const listed = await listCredentials(await app.credentials.store(), { kind: "key", all });
    printCredentials(io, listed, {
      asJson: json,
      shape: ({ record }) => keyJson(record, all),
      empty: "There are no API keys. Run `svc auth keys create --name NAME --namespace NS`.",
      titles: ["NAMESPACES", "CREATED", all ? "NOTES" : ""],
      opens: ({ record }) => namespacesText(record),
      time: ({ record }) => record.createdAt,
    });
  },
});
