import { namespaceOfKey } from "../../credentials/api-keys.ts";
import { listCredentials } from "../../credentials/list-credentials.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { keyJson } from "../credential-json.ts";
import { printCredentials } from "../print-credentials.ts";

export const command = defineCommand({
  description:
    "Lists the API keys that are in force, oldest first: id, name, namespace, when each was created and last used (UTC). Keys themselves are kept nowhere and cannot be shown again.",
  flags: {
    all: { type: "boolean", description: "Revoked keys too." },
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc auth keys list", description: "The keys in force." },
    { run: "svc auth keys list --all --json", description: "Every key ever made, for a program." },
  ],
  async run({ flags: { all, json } }, { app, io }) {
    const listed = listCredentials(await app.credentials(), { kind: "key", all });
    printCredentials(io, listed, {
      asJson: json,
      shape: ({ record }) => keyJson(record, all),
      empty: "There are no API keys. Run `svc auth keys create --name NAME --namespace NS`.",
      titles: ["NAMESPACE", "CREATED", all ? "NOTES" : ""],
      opens: ({ record }) => namespaceOfKey(record),
      time: ({ record }) => record.createdAt,
    });
  },
});
