import { listCredentials } from "../../credentials/list-credentials.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { tokenJson } from "../credential-json.ts";
import { printCredentials } from "../print-credentials.ts";

export const command = defineCommand({
  description:
    "Lists valid access tokens, oldest first: id, name, namespaces, expiry and last use (UTC), and which one is this machine's default. The tokens themselves cannot be shown again.",
  flags: {
    all: { type: "boolean", description: "Include expired and revoked tokens." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc auth token list", description: "List valid tokens." },
    {
      run: "svc auth token list --all --json",
      description: "List every token ever created, as JSON.",
    },
  ],
  async run({ flags: { all, json } }, { app, io }) {
    const { defaultToken } = app.credentials;
    const store = await app.credentials.store();
    const listed = await listCredentials(store, { kind: "token", all, defaultToken });
    printCredentials(io, listed, {
      asJson: json,
      shape: (one) => tokenJson(one, all),
      empty: "There are no access tokens. Run `svc auth token create --name NAME --save`.",
      titles: ["NAMESPACES", "EXPIRES", "NOTES"],
      opens: ({ record: { namespaces } }) =>
        namespaces === "all" ? namespaces : namespaces.join(","),
      time: ({ record }) => record.expiresAt,
    });
  },
});
