import { counted } from "../base/amounts.ts";
import { toSvcError } from "../base/errors.ts";
import type { Check } from "./check-context.ts";
import { createReporter, type Finding } from "./finding.ts";

const CHECK = "MCP server";
const { ok, warning, failed } = createReporter(CHECK);

const RUN_SERVER = "Run `svc mcp --stdio </dev/null` to see its messages, or install svc again.";

/** The program starts as an MCP server, and answers a client: the handshake, the list of tools and a search. */
export const checkMcpServer: Check = {
  name: CHECK,
  async run({ credentialsOf, signal }) {
    // The SDK is loaded for this check only: it takes longer to load than the rest of the program.
    const { SelfTestError, testMcpServer } = await import("./mcp-self-test.ts");
    try {
      const { toolCount, foundSample } = await testMcpServer(credentialsOf, signal);
      const answers = `answers with ${counted(toolCount, "tool")}`;
      if (foundSample) return [ok(`${answers}, and a test search found its line`)];
      return [failed(`${answers}, but a test search did not find its line`, RUN_SERVER)];
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof SelfTestError)) return [notTested(thrown)];
      const { message, lastLogLine } = thrown;
      const log = lastLogLine === "" ? "" : ` (${lastLogLine})`;
      return [failed(`does not answer: ${message}${log}`, RUN_SERVER)];
    }
  },
};

/** The temporary folder of the test could not be made or used. */
function notTested(thrown: unknown): Finding {
  const { message, code } = toSvcError(thrown);
  const reason = code === "INTERNAL_ERROR" && thrown instanceof Error ? thrown.message : message;
  return warning(`not tested: ${reason}`, "Set TMPDIR to a folder that svc can write.");
}
