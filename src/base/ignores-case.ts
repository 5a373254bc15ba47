const IGNORES_CASE =
  /(?:\.(?:ps1|psm1|psd1|sql|psql|plsql|ddl|cmake|f|f77|f90|f95|f03|f08|pas|pp|dpr|vb|vbs|bas|vhd|vhdl|bat|cmd)|(?:^|\/)cmakelists\.txt)$/i;

/** Returns whether names in a file, by its path, are the same in upper and lower case. */
export function ignoresCase(path: string): boolean {
  return IGNORES_CASE.test(path);
}
