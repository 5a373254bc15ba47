// The types of functions and objects that have no name, as texts in `FileReferences.signatures` of references.ts.
//
//     @Foo               a value, as an expression in the format of `Use.receiver`; "" if it is unknown
//     {@Foo,*@Bar*}@Baz  a function: its parameters, with "*" before one that takes the rest, and its result
//     <a=@Foo,b={}@Bar>  an object with its members
//     [@Foo&<a=@Bar>]    what is all of these
//     +a;b:@Foo          the members of these names, and no others
//     -a;b:@Foo          all members but those of these names
//     $1                 an object of the class that is passed as the second argument
//     $1Type             the same if `Type<T>` is the type of classes with objects of type T
//     'f0=@Foo'          a type parameter, with its bound: see `Use.receiver`
//     %@Foo              the result of a function that tests whether its first argument is a Foo
//     "circle|=true      a value that is the string or the other literal: see TypeCondition. Not a shape
//     new                such a `Type<T>`: the class of its type argument

/** The type of a value, a function or an object. */
export type TypeShape =
  | { readonly kind: "value"; readonly expression: string }
  | {
      readonly kind: "function";
      readonly parameters: readonly TypeShape[];
      /** Whether the last parameter takes all further arguments; its type is that of all together. */
      readonly hasRest: boolean;
      readonly result: TypeShape;
    }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, TypeShape> }
  | { readonly kind: "all"; readonly parts: readonly TypeShape[] }
  | {
      readonly kind: "some";
      readonly of: TypeShape;
      readonly names: readonly string[];
      /** Whether the members of these names are left out, not the others. */
      readonly isWithout: boolean;
    };

/** The shape of an unknown type. */
export const UNKNOWN_SHAPE: TypeShape = { kind: "value", expression: "" };

/** The text of a type alias for the classes with objects of its type argument. */
export const CLASS_OF_ARGUMENT = "new";

/** The result of a function that returns an object of a class it is called with. */
export interface PassedClass {
  /** Index of the argument. */
  readonly argument: number;
  /** The type of the parameter; "" if it is that of a class as it is. */
  readonly type: string;
}

/** Returns the expression for such a result. */
export function passedClassText({ argument, type }: PassedClass): string {
  return `$${argument}${type}`;
}

/** Returns such a result; undefined for other expressions. */
export function passedClass(expression: string): PassedClass | undefined {
  const [, argument, type = ""] = /^\$(-?\d+)(.*)$/.exec(expression) ?? [];
  return argument === undefined ? undefined : { argument: Number(argument), type };
}

const TEST = "%";

/** Returns the expression for the result of a function that tests whether a value is of a type. */
export function testText(type: string): string {
  return type === "" ? "" : `${TEST}${type}`;
}

/** Returns the expression of the type that a function with such a result tests for; undefined for others. */
export function testedType(expression: string): string | undefined {
  return expression.startsWith(TEST) ? expression.slice(TEST.length) : undefined;
}

/** Returns whether the type of a value depends on the call, or is none. */
export function isOpenExpression(expression: string): boolean {
  return expression === "" || expression.startsWith(TEST) || expression.startsWith("$");
}

/** Returns whether something of the type is known. */
export function isKnownShape(shape: TypeShape): boolean {
  if (shape.kind === "value") return shape.expression !== "";
  if (shape.kind === "all") return shape.parts.some(isKnownShape);
  if (shape.kind === "some") return isKnownShape(shape.of);
  const parts = shape.kind === "object" ? [...shape.members.values()] : shape.parameters;
  return parts.some(isKnownShape) || (shape.kind === "function" && isKnownShape(shape.result));
}

/** Returns the text of a shape. */
export function shapeText(shape: TypeShape): string {
  if (shape.kind === "value") return shape.expression;
  if (shape.kind === "object") {
    const members = [...shape.members].map(([name, member]) => `${name}=${shapeText(member)}`);
    return `<${members.join(",")}>`;
  }
  if (shape.kind === "some") {
    return `${shape.isWithout ? "-" : "+"}${shape.names.join(";")}:${shapeText(shape.of)}`;
  }
  if (shape.kind === "all") return `[${shape.parts.map(shapeText).join("&")}]`;
  const last = shape.parameters.length - 1;
  const parameters = shape.parameters.map((one, at) =>
    shape.hasRest && at === last ? `*${shapeText(one)}` : shapeText(one),
  );
  return `{${parameters.join(",")}}${shapeText(shape.result)}`;
}

/** Returns a text without type arguments and type parameters: a parameter is its bound. */
export function withoutTypeArguments(text: string): string {
  if (!text.includes("<:") && !text.includes("'")) return text;
  let plain = text;
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/<:[^<>]*>/g, "");
  }
  return plain
    .replaceAll(/'[cf]\d=([^']*)'/g, "$1")
    .replaceAll(/;?'[cf]\d'[^,}>&;\]]*/g, "")
    .replaceAll(/(^|[{,=[&}]);/g, "$1");
}

/** The text of a value that is one of some literals begins with it: `"circle|square`. */
const LITERALS = '"';

/** Returns the text for a value that is one of some literals, as in `TypeCondition`; "" for none. */
export function literalsText(values: readonly string[]): string {
  return values.length === 0 ? "" : LITERALS + values.join("|");
}

/** Returns the literals of such a text; undefined for others. */
export function literalsIn(text: string): readonly string[] | undefined {
  return text.startsWith(LITERALS) ? text.slice(LITERALS.length).split("|") : undefined;
}

/** Returns the shape of a text. */
export function parseShape(text: string): TypeShape {
  return new ShapeParser(text).read();
}

/** Reads a text from its beginning. */
class ShapeParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): TypeShape {
    const first = this.#text[this.#at];
    if (first === "{") return this.#readFunction();
    if (first === "[") return this.#readAll();
    if (first === "-" || first === "+") return this.#readSome(first === "-");
    return first === "<" ? this.#readObject() : this.#readValue();
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #readFunction(): TypeShape {
    const parameters: TypeShape[] = [];
    let hasRest = false;
    this.#at += 1;
    while (!this.#take("}") && this.#at < this.#text.length) {
      hasRest = this.#take("*");
      parameters.push(this.read());
      // An unknown last parameter is empty.
      if (this.#take(",") && this.#text[this.#at] === "}") parameters.push(UNKNOWN_SHAPE);
    }
    return { kind: "function", parameters, hasRest, result: this.read() };
  }

  #readSome(isWithout: boolean): TypeShape {
    const end = this.#text.indexOf(":", this.#at);
    const names = this.#text.slice(this.#at + 1, end).split(";");
    this.#at = end === -1 ? this.#text.length : end + 1;
    return { kind: "some", of: this.read(), names, isWithout };
  }

  #readAll(): TypeShape {
    const parts: TypeShape[] = [];
    this.#at += 1;
    while (!this.#take("]") && this.#at < this.#text.length) {
      parts.push(this.read());
      if (!this.#take("&") && this.#text[this.#at] !== "]") break;
    }
    return { kind: "all", parts };
  }

  #readObject(): TypeShape {
    const members = new Map<string, TypeShape>();
    this.#at += 1;
    while (!this.#take(">") && this.#at < this.#text.length) {
      const end = this.#text.indexOf("=", this.#at);
      const name = this.#text.slice(this.#at, end);
      this.#at = end === -1 ? this.#text.length : end + 1;
      members.set(name, this.read());
      this.#take(",");
    }
    return { kind: "object", members };
  }

  /** An expression may have steps in braces, and type arguments. */
  #readValue(): TypeShape {
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] ?? "";
      if (depth === 0 && /[,}>&]/.test(character)) break;
      // `[]` is a step.
      if (character === "]" && this.#text[this.#at - 1] !== "[") break;
      if (/[{(<]/.test(character)) depth += 1;
      else if (/[})>]/.test(character)) depth -= 1;
    }
    return { kind: "value", expression: this.#text.slice(start, this.#at) };
  }
}
