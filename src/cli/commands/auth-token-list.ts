import { listCredentials } from "../../credentials/list-credentials.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { tokenJson } from "../credential-json.ts";
import { printCredentials } from "../print-credentials.ts";

export const command = defineCommand({
  description:
    "Lists the access tokens that are in force, oldest first: id, name, namespaces, when each expires and was last used (UTC), and which one this machine uses when none is given. Tokens themselves are not shown again.",
  flags: {
    all: { type: "boolean", description: "Expired and revoked tokens too." },
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc auth token list", description: "The tokens in force." },
    {
      run: "svc auth token list --all --json",
      description: "Every token ever made, for a program.",
    },
  ],
  async run({ flags: { all, json } }, { app, io }) {
    const listed = listCredentials(await app.credentials(), { kind: "token", all });
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
