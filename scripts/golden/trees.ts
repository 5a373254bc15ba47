import type { GoldenTree } from "./question.ts";
import { NATIVE } from "./questions/native.ts";
import { SDK } from "./questions/sdk.ts";
import { UNDICI } from "./questions/undici.ts";
import { ZOD } from "./questions/zod.ts";

export const TREES: readonly GoldenTree[] = [NATIVE, SDK, UNDICI, ZOD];
