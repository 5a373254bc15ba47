import { productVersion } from "../base/assets.ts";
import { selfCheck } from "../base/self-check.ts";
import type { Check } from "./check-context.ts";
import { firstFew, createReporter } from "./finding.ts";

const { ok, failed } = createReporter("program");

/** The executable is what was built: a download that was cut off is not. */
export const checkProgram: Check = {
  name: "program",
  run() {
    const about = `svc ${productVersion()}, Node ${process.versions.node}, ${process.platform}-${process.arch}`;
    const { assetCount, problems } = selfCheck();
    if (problems.length > 0) {
      return [failed(`${about}: ${firstFew(problems)}`, "Install svc again; the file is damaged.")];
    }
    const kind = assetCount === 0 ? "from its sources" : `its ${assetCount} parts are whole`;
    return [ok(`${about}: ${kind}`)];
  },
};
