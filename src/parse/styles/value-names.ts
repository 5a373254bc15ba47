// The names in a value, a condition or the arguments of a style sheet.

import type { StyleDialect } from "./style-dialect.ts";

/** A name that a value uses. */
export interface ValueName {
  readonly name: string;
  /** Offset in the value. */
  readonly at: number;
  /** The name of the module before the dot: `theme` in `theme.$width`. */
  readonly module?: string | undefined;
  readonly isCall: boolean;
}

const NAME = String.raw`-?[\p{L}_][\p{L}\p{N}_-]*`;
/** The whole name, and no colon after it, as after the name of an argument. */
const NO_KEY = String.raw`(?![\p{L}\p{N}_-]|\s*:(?!:))`;
const PROPERTY = String.raw`(?<![\p{L}\p{N}_-])(?<property>--[\p{L}\p{N}_-]+)`;
const TEXT = String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const SCSS = new RegExp(
  `${TEXT}|${PROPERTY}|(?:(?<![\\p{L}\\p{N}_.-])(?<module>${NAME})\\.)?(?:(?<variable>\\$${NAME}${NO_KEY})|(?<![\\p{L}\\p{N}_.$#%-])(?<called>${NAME})(?=\\()|(?<=\\.)(?<member>${NAME})(?=\\())`,
  "gu",
);
const LESS = new RegExp(
  `${TEXT}|${PROPERTY}|(?<less>@@?\\{?${NAME}${NO_KEY})|(?<![\\p{L}\\p{N}_.$#%-])(?<called>${NAME})(?=\\()`,
  "gu",
);
const CSS = new RegExp(`${TEXT}|${PROPERTY}`, "gu");

/** Functions of CSS, Sass and Less themselves. */
const KNOWN_FUNCTIONS = new Set(
  (
    "abs acos adjust-color adjust-hue alpha anchor anchor-size append argb asin atan atan2 attr average blackness blend blue blur brightness " +
    "calc call ceil change-color circle clamp cleanfloat color color-contrast color-mix comparable complement conic-gradient contrast convert cos counter " +
    "counters cross-fade css cubic-bezier darken data-uri default desaturate device-cmyk difference drop-shadow e each element ellipse env escape exclusion " +
    "exp expression extract fade fadein fadeout feature-exists fit-content floor format function-exists get-function get-unit " +
    "global-variable-exists gradient grayscale greater green greyscale hardlight hsl hsla hsv hsva hsvhue hsvsaturation hsvvalue " +
    "hue hue-rotate hwb hypot ie-hex-str if image image-height image-set image-size image-width index inset inspect invert is-bracketed iscolor isdefined " +
    "iskeyword isnumber isruleset isstring isunit isurl join keywords lab layer layout lch length light-dark lighten lightness linear " +
    "linear-gradient list-separator local log luma luminance map-get map-has-key map-keys map-merge map-remove map-values matrix matrix3d max " +
    "min minmax mix mixin-exists mod multiply negation not nth oklab oklch opacify opacity or and only overlay paint palette-mix path percentage " +
    "perspective pi polygon pow progid quote radial-gradient random range rect red repeat repeating-conic-gradient repeating-linear-gradient " +
    "repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round saturate saturation scale scale-color " +
    "scale3d scalex scaley scalez screen selector-append selector-nest selector-replace selector-unify sepia set-nth shadow sign sin skew skewx " +
    "skewy softlight spin sqrt src steps str-index str-insert str-length str-slice style supports svg-gradient symbols tan to-lower-case " +
    "to-upper-case translate translate3d translatex translatey translatez transparentize type-of unique-id unit unitless unquote url " +
    "url-prefix var view where whiteness xywh zip selector media from to until unless when is has"
  ).split(" "),
);
/** Rules of CSS and Less that begin like variables of Less. */
const RULES = new Set(
  "@media @import @charset @font-face @keyframes @supports @page @namespace @layer @container @property @plugin @arguments @rest @apply @include @extend @return @if @else @use @forward @mixin @function @at-root @content @error @warn @debug @tailwind @theme @screen @variants @variant @utility @custom-variant @source @starting-style @scope @counter-style @document @viewport @-webkit-keyframes @-moz-keyframes".split(
    " ",
  ),
);

/** Yields the names in a text, from left to right. */
export function* valueNames(text: string, dialect: StyleDialect): Generator<ValueName> {
  // Nearly all values have none.
  if (!/[-$@("']/.test(text)) return;
  const pattern = { css: CSS, scss: SCSS, less: LESS }[dialect];
  for (const { groups = {}, index, 0: whole } of text.matchAll(pattern)) {
    const { text: quoted, property, module, variable, called, member, less } = groups;
    if (quoted !== undefined) yield* namesInQuotes(quoted, index, dialect);
    else if (property !== undefined) yield { name: property, at: index, isCall: false };
    else if (variable !== undefined) {
      yield { name: variable, at: index + whole.length - variable.length, module, isCall: false };
    } else if (less !== undefined) {
      const name = less.replace(/^@@|^@\{/, "@");
      if (!RULES.has(name.toLowerCase())) yield { name, at: index, isCall: false };
    } else {
      const name = called ?? member ?? "";
      if (module !== undefined || (called !== undefined && !isKnown(called)))
        yield { name, at: index + whole.length - name.length, module, isCall: true };
    }
  }
}

/** Browsers' own functions begin with a dash. */
function isKnown(name: string): boolean {
  return name.startsWith("-") || KNOWN_FUNCTIONS.has(name.toLowerCase());
}

const INTERPOLATION = /#\{([^{}]*)\}|@\{([^{}]*)\}/g;

/** A text in quotes has names in its interpolations: `"#{$prefix}-x"`, `"@{prefix}-x"`. */
function* namesInQuotes(
  quoted: string,
  offset: number,
  dialect: StyleDialect,
): Generator<ValueName> {
  if (dialect === "css" || !quoted.includes("{")) return;
  for (const { 0: whole, 1: code, index } of quoted.matchAll(INTERPOLATION)) {
    if (code === undefined && dialect === "less") {
      yield { name: `@${whole.slice(2, -1)}`, at: offset + index, isCall: false };
    } else if (code !== undefined && dialect === "scss" && !/["']/.test(code)) {
      for (const one of valueNames(code, dialect))
        yield { ...one, at: offset + index + 2 + one.at };
    }
  }
}

/** Words of `animation` that are no name. */
const ANIMATION_WORDS =
  /^(?:none|initial|inherit|unset|revert|auto|ease(?:-in|-out|-in-out)?|linear|step-(?:start|end)|infinite|normal|reverse|alternate(?:-reverse)?|forwards|backwards|both|running|paused|important)$/i;
const WORD = /(?<![\p{L}\p{N}_$@.#%-])[\p{L}_-][\p{L}\p{N}_-]*(?!\s*\(|[\p{L}\p{N}_-])/gu;
/** What is between brackets or quotes is no name. */
const NO_WORDS = /\([^()]*\)|"[^"\n]*"|'[^'\n]*'/g;

/** Yields the names of keyframes in a value of `animation` or `animation-name`. */
export function* animationNames(value: string): Generator<ValueName> {
  const plain = value.replaceAll(NO_WORDS, (part) => part.replaceAll(/[^\n]/g, "("));
  for (const { 0: name, index } of plain.matchAll(WORD)) {
    if (!ANIMATION_WORDS.test(name) && !name.startsWith("--"))
      yield { name, at: index, isCall: false };
  }
}
