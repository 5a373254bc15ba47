/** A part of a text: UTF-16 units, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
