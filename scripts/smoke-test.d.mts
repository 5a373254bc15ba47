export function smokeTest(
  file: string,
  version: string,
  emulator?: readonly string[],
): Promise<void>;
