import { SvcError } from "../base/errors.ts";
import { requireNamespaceName } from "../sources/namespace.ts";

/** The flags of `svc serve` for provider keys. */
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

/** The provider of the flags; undefined without `--byok`. Throws USAGE if a flag is missing or has no effect. */
export function byokChoice(flags: ByokFlags): ByokChoice | undefined {
  const { byok, provider, providerModel, byokNamespace } = flags;
  const given = { provider, "provider-model": providerModel, "byok-namespace": byokNamespace };
  if (!byok) {
    const [unused] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (unused === undefined) return undefined;
    throw new SvcError("USAGE", `--${unused} needs --byok.`, {
      hint: "Add --byok to accept provider keys.",
    });
  }
  if (provider === undefined) {
    throw new SvcError("USAGE", "--byok needs the address of a model provider.", {
      hint: `Add --provider URL, for example: ${EXAMPLE}`,
    });
  }
  if (providerModel?.trim() === "") {
    throw new SvcError("USAGE", "--provider-model is empty.", {
      hint: "Give the name of a model that the provider lists, or omit the flag.",
    });
  }
  const namespace = byokNamespace === undefined ? undefined : requireNamespaceName(byokNamespace);
  return { url: provider, model: providerModel, namespace };
}
