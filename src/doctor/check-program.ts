import { productVersion } from "../base/assets.ts";
import { selfCheck } from "../base/self-check.ts";
import type { Check } from "./check-context.ts";
import { firstFew, createReporter } from "./finding.ts";

const { ok, failed } = createReporter("program");

/** The executable is complete and unaltered; a truncated download is not. */
export const checkProgram: Check = {
  name: "program",
  run() {
    const about = `svc ${productVersion()}, Node ${process.versions.node}, ${process.platform}-${process.arch}`;
    const { assetCount, problems } = selfCheck();
    if (problems.length > 0) {
      return [failed(`${about}: ${firstFew(problems)}`, "The file is damaged; install svc again.")];
    }
    const kind = assetCount === 0 ? "run from source" : `${assetCount} bundled files verified`;
    return [ok(`${about}: ${kind}`)];
  },
};
