import { expect, onTestFinished } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { Principal } from "../../src/sources/principal.ts";
import { tools } from "../../src/tools/registry.ts";
import { createProject, request } from "../helpers/project.ts";
import { openSession } from "../helpers/rpc.ts";
import { plant, tree } from "../helpers/tree.ts";
import { promise, sized } from "./promise.ts";

const OWNERS = ["north", "south"] as const;
type Owner = (typeof OWNERS)[number];

/** The same names in every namespace, and a word that is unique to it; `edition` grows with each save. */
function filesOf(owner: Owner, edition: number): Readonly<Record<string, string>> {
  const canary = `canary${owner}${edition}`;
  return {
    "ferry.ts": `/** Crosses: ${canary}. */\nexport function cross(): string {\n  return "${canary}";\n}\n`,
    "use.ts": `import { cross } from "./ferry.ts";\ncross(); // ${canary}\n`,
    "ferry.test.ts": `import { cross } from "./ferry.ts";\ncross(); // ${canary}\n`,
    "ferry.md": `# Ferry\n\n\`cross\` is for ${canary}.\n`,
  };
}

/** All calls that quote files; few enough that most calls are repeats. */
const CALLS = [
  ["search_context", { query: "what crosses" }],
  ["search_text", { pattern: "canary" }],
  ["find_symbol", { name: "cross" }],
  ["read_context", { targets: ["ferry.ts"] }],
  ["find_references", { symbol: "cross" }],
] as const;

promise(
  [29],
  "a cached answer goes to no caller with other rights, to no caller whose credential has ended, and is never out of date",
  async () => {
    const project = createProject({}, { onDisk: true });
    onTestFinished(project.dispose);
    const roots = new Map<Owner, string>();
    for (const owner of OWNERS) {
      const { path, dispose } = tree(filesOf(owner, 0));
      onTestFinished(dispose);
      roots.set(owner, path);
      await project.engine.index({ ...request(), source: path, namespace: owner });
    }
    let caller: Principal | undefined;
    const session = openSession({
      tools,
      engine: () => Promise.resolve(project.engine),
      authorize: async () => {
        if (caller !== undefined) return caller;
        throw new SvcError("CREDENTIAL_REVOKED", "The credential was revoked.");
      },
    });
    const rightsOf = (owner: Owner, readOnly: boolean): Principal =>
      new Principal({ id: `of ${owner}`, namespaces: [owner], readOnly });
    const ask = async (at: number, namespace?: Owner): Promise<string> => {
      const [name, input] = CALLS[at % CALLS.length] ?? CALLS[0];
      const args = namespace === undefined ? input : { ...input, namespace };
      return JSON.stringify(await session.request("tools/call", { name, arguments: args }));
    };
    const editions = new Map<Owner, number>(OWNERS.map((owner) => [owner, 0]));
    const cases = sized({ quick: 400, full: 8000 });
    for (let at = 0; at < cases; at += 1) {
      const [owner, other]: readonly [Owner, Owner] =
        at % 3 === 0 ? ["north", "south"] : ["south", "north"];
      caller = rightsOf(owner, at % 5 === 0);
      const answer = await ask(at);
      const canaries = new Set(answer.match(/canary(?:north|south)\d+/g));
      expect([...canaries]).toEqual([`canary${owner}${editions.get(owner)}`]);
      expect(await ask(at, other)).toMatch(/"NAMESPACE_NOT_FOUND"/);
      if (at % 7 === 0) {
        caller = undefined;
        const refused = await ask(at);
        expect(refused).toMatch(/"CREDENTIAL_REVOKED"/);
        expect(refused).not.toMatch(/canary/);
      }
      if (at % 40 === 39) {
        const edition = (editions.get(owner) ?? 0) + 1;
        editions.set(owner, edition);
        plant(roots.get(owner) ?? "", filesOf(owner, edition));
        // Every other time the index does not know yet.
        if (at % 80 === 79)
          await project.engine.index({ ...request(), namespace: owner, source: roots.get(owner) });
      }
    }
    return cases;
  },
);
