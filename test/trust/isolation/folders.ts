// Three projects next to each other in one git repository: the content of each namespace, which no other may see.
import type { GitRepository } from "../../helpers/git-repository.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { canariesOf, type Canaries } from "./canaries.ts";

/** Folder and canaries of a namespace. */
export interface Holding {
  readonly name: string;
  readonly canaries: Canaries;
}

export const MINE: Holding = { name: "mine", canaries: canariesOf("m") };
export const SHARED: Holding = { name: "shared", canaries: canariesOf("s") };
const THEIR_CANARIES = canariesOf("t");
export const THEIRS: Holding = {
  name: `theirs-${THEIR_CANARIES.namespace}`,
  canaries: THEIR_CANARIES,
};

/** The folder of a namespace, relative to the repository. */
export function folderOf({ name }: Holding): string {
  return `all/${name}`;
}

/** The three projects, with commits that touch all of them and an uncommitted change. */
export function repository(): GitRepository {
  const created = gitRepository();
  const all = [MINE, SHARED, THEIRS];
  for (const round of [1, 2, 3]) {
    const files = all.flatMap((one) =>
      Object.entries(filesOf(one.canaries, round)).map(([path, text]) => [
        `${folderOf(one)}/${path}`,
        text,
      ]),
    );
    created.commit(Object.fromEntries(files));
    created.git("commit", "-q", "--amend", "-m", `round ${round} ${THEIR_CANARIES.commit}`);
  }
  created.git("tag", "-a", "-m", THEIR_CANARIES.commit, `v-${THEIR_CANARIES.commit}`);
  return created;
}

/** The same words everywhere, so that each question has an answer in each namespace, and the canaries. */
export function filesOf(
  { content, file, symbol, folder }: Canaries,
  round = 3,
): Readonly<Record<string, string>> {
  const name = `settle_${symbol}`;
  return {
    "src/ledger.ts": [
      `/** Settles an invoice, round ${round}. ${content} */`,
      "export function settleInvoice(amount: number): number {",
      `  return ${name}(amount) + openLedger();`,
      "}",
      `export function ${name}(amount: number): number {`,
      `  return amount + ${round};`,
      "}",
      "export function openLedger(): number {",
      `  return "${content}".length;`,
      "}",
    ].join("\n"),
    [`src/${folder}/${file}.ts`]: [
      `import { settleInvoice, ${name} } from "../ledger.ts";`,
      `export class Ledger_${symbol} {`,
      `  settle(): number { return settleInvoice(${round}) + ${name}(2); }`,
      "}",
    ].join("\n"),
    "test/ledger.test.ts": `import { settleInvoice } from "../src/ledger.ts";\ntest("${content}", () => settleInvoice(${round}));\n`,
    "docs/ledger.md": `# The ledger ${symbol}\n\nHow \`settleInvoice\` settles an invoice: ${content}.\n\n## Refunds\n\nRound ${round}.\n`,
    [`docs/${folder}/notes.md`]: `# Notes ${symbol}\n\nSee src/ledger.ts. ${content}\n`,
    ".env": `SECRET=${content}\n`,
  };
}
