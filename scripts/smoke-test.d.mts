export function smokeTest(
  file: string,
  version: string,
  options?: { readonly emulator?: readonly string[]; readonly isForeign?: boolean },
): Promise<void>;
