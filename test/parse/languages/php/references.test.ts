import { describe, expect, it } from "vitest";

import { importsIn, typesIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in PHP", () => {
  it("include members, constants and imports", async () => {
    const source = `<?php
namespace App\\Handler;
use App\\Logger;
use App\\{Level, Utils as U};
use function App\\helper;
abstract class Stream extends Base implements HandlerInterface, \\Countable
{
    use Formattable;
    private ?Logger $logger = null;
    protected static array $cache = [];
    public const A = 1;
    public function __construct(private Formatter $formatter, Level|int $level = Level::Debug)
    {
        parent::__construct($level);
        $this->logger = new Logger(self::A, static::$cache);
    }
    public function handle(Record $record): ?self
    {
        $this->formatter->format($record->message);
        U::clean(helper(LIMIT), Logger::class);
        return self::make()->run();
    }
    public static function make(): static { return new static(); }
}
`;
    expect(await usesIn("php", source)).toEqual([
      "3 import Logger from 0",
      "4 import Level from 1",
      "4 import Utils from 2",
      "5 import helper from 3",
      "6 inherit Base in Stream",
      "6 inherit HandlerInterface in Stream",
      "8 inherit Formattable in Stream",
      "9 type Logger from 0 in Stream.logger",
      "12 type Formatter in Stream.__construct",
      "12 type Level from 1 in Stream.__construct",
      "12 value Level from 1 in Stream.__construct",
      "12 value Level.Debug in Stream.__construct",
      "14 call @Base.__construct in Stream.__construct",
      "15 value @Stream.logger in Stream.__construct",
      "15 call Logger from 0 in Stream.__construct",
      "15 value @Stream.A in Stream.__construct",
      "15 value @Stream.cache in Stream.__construct",
      "17 type Record in Stream.handle",
      "19 value @Stream.formatter in Stream.handle",
      "19 call @Stream.formatter.format in Stream.handle",
      "19 value @Record.message in Stream.handle",
      "20 value Utils from 2 in Stream.handle",
      "20 call U.clean in Stream.handle",
      "20 call helper from 3 in Stream.handle",
      "20 value LIMIT in Stream.handle",
      "20 value Logger from 0 in Stream.handle",
      "21 call @Stream.make in Stream.handle",
      "21 call @Stream.make().run in Stream.handle",
    ]);
    expect(await typesIn("php", source)).toEqual([
      "Stream.logger @Logger",
      "Stream.A @int",
      "Stream.handle @Stream",
      "Stream.make @Stream",
      "Stream.formatter @Formatter",
    ]);
    expect(await importsIn("php", source)).toEqual([
      "3 App\\Logger Logger>Logger",
      "4 App\\Level Level>Level",
      "4 App\\Utils Utils>U",
      "5 App\\helper helper>helper",
    ]);
  });

  it("have the types of variables as receivers", async () => {
    const source = `<?php
function f(Parser $p, ?Foo $q, \\App\\Bar $r, $none, Foo ...$rest) {
    $p->a; $q?->b(); $r->c(); $none->d();
    $e = new Store(); $e->e(); $e->prop->deep();
    foreach ($rest as $k => $g) { $g->g(); }
    try { } catch (MyError $h) { $h->h(); }
    $fn = fn (Bar $i) => $i->i;
    $cl = function (Baz $j) use ($e) { return $j->j($e->k); };
    if ($p instanceof Special) { }
    call(name: 3); $fn(1);
    "text $p->l";
    require_once __DIR__ . '/other.php';
}
`;
    expect(await usesIn("php", source)).toEqual([
      "2 type Parser in f",
      "2 type Foo in f",
      "2 type App.Bar in f",
      "2 type Foo in f",
      "3 value @Parser.a in f",
      "3 call @Foo.b in f",
      "3 call @App.Bar.c in f",
      "3 call ?.d in f",
      "4 call Store in f",
      "4 call @Store.e in f",
      "4 value @Store.prop in f",
      "4 call @Store.prop.deep in f",
      "5 call @Foo.g in f",
      "6 type MyError in f",
      "6 call @MyError.h in f",
      "7 type Bar in f",
      "7 value @Bar.i in f",
      "8 type Baz in f",
      "8 call @Baz.j in f",
      "8 value @Store.k in f",
      "9 type Special in f",
      "10 call call in f",
      "11 value @Parser.l in f",
    ]);
    expect(await importsIn("php", source)).toEqual(["12 /other.php wildcard"]);
  });
});
