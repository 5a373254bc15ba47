import { SvcError } from "../base/errors.ts";
import { requireNamespaceName } from "../sources/namespace.ts";

/** The flags of `svc serve` about keys of a model provider. */
interface ByokFlags {
  readonly byok: boolean;
  readonly provider: string | undefined;
  readonly providerModel: string | undefined;
  readonly byokNamespace: string | undefined;
}

interface ByokChoice {
  readonly url: string;
  readonly model: string | undefined;
  readonly namespace: string | undefined;
}

const EXAMPLE = "--byok --provider https://api.openai.com/v1 --byok-namespace NAMESPACE";

/** What was chosen; undefined without `--byok`. Throws USAGE where a part is missing or means nothing. */
export function byokChoice(flags: ByokFlags): ByokChoice | undefined {
  const { byok, provider, providerModel, byokNamespace } = flags;
  const given = { provider, "provider-model": providerModel, "byok-namespace": byokNamespace };
  if (!byok) {
    const [idle] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (idle === undefined) return undefined;
    throw new SvcError("USAGE", `--${idle} means nothing without --byok.`, {
      hint: "Give --byok to have keys of a model provider taken.",
    });
  }
  if (provider === undefined) {
    throw new SvcError("USAGE", "--byok needs the address of the provider that keys are for.", {
      hint: `Give --provider URL, as in ${EXAMPLE}.`,
    });
  }
  if (providerModel?.trim() === "") {
    throw new SvcError("USAGE", "--provider-model is empty.", {
      hint: "Give a name that the provider lists, or leave it out.",
    });
  }
  const namespace = byokNamespace === undefined ? undefined : requireNamespaceName(byokNamespace);
  return { url: provider, model: providerModel, namespace };
}
