// scala -cp scala-compiler.jar:CLASSES ScalaReferences ROOT FILES > facts.tsv
// The definitions in the files FILES (a regular expression) of ROOT, and what each name there refers to, from the compiler
// of Scala 2.11, in the format of compiled-facts.ts. Overloads are one definition, and so are a class and its companion.
// A name that the compiler leaves nothing of is unknown: the name of an argument, a constant that it replaced by its value,
// and what is of a missing library.
import java.io.{File, PrintStream, FileOutputStream, FileDescriptor}
import java.nio.file.{Files, Path, Paths}
import scala.collection.JavaConverters._
import scala.collection.mutable
import scala.reflect.internal.util.{BatchSourceFile, Position, SourceFile}
import scala.reflect.io.PlainFile
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.Reporter

object ScalaReferences {
  /** A missing library must not keep the compiler from reading on. */
  object Silent extends Reporter {
    override def info0(pos: Position, message: String, severity: Severity, force: Boolean): Unit = ()
  }

  def main(words: Array[String]): Unit = {
    val root = Paths.get(words(0)).toRealPath()
    val read = words(1).r
    val settings = new Settings(_ => ())
    settings.usejavacp.value = true
    settings.Yrangepos.value = true
    settings.stopAfter.value = List("typer")
    val files = Files.walk(root).iterator().asScala.toVector
      .map(path => root.relativize(path).toString).sorted
      .filter(path => read.findFirstIn(path).isDefined)
    val global = new Global(settings, Silent)
    val sources = files.map(path => new BatchSourceFile(new PlainFile(new scala.reflect.io.File(root.resolve(path).toFile)(scala.io.Codec.UTF8))))
    new Facts(global, root).print(sources.toList)
  }

  class Facts(val global: Global, root: Path) {
    import global._

    private val out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8")
    /** Offsets of the names of which the compiler knows what they mean, by file. */
    private val known = mutable.Map[SourceFile, mutable.Set[Int]]()

    def print(files: List[SourceFile]): Unit = {
      val run = new Run
      run.compileSources(files)
      val units = run.units.toVector
      for (unit <- units) known(unit.source) = mutable.Set()
      for (unit <- units) new Names(unit.source).read(unit.body)
      units.foreach(printUnknown)
      out.flush()
    }

    private def pathOf(source: SourceFile): String =
      root.relativize(Paths.get(source.file.path)).toString

    private def placeOf(source: SourceFile, offset: Int): String = {
      val line = source.offsetToLine(offset)
      s"${pathOf(source)}:${line + 1}:${offset - source.lineToOffset(line) + 1}"
    }

    private def line(words: String*): Unit = out.println(words.mkString("\t"))

    private def nameOf(symbol: Symbol): String = {
      val name = symbol.name.decoded.trim
      if (symbol.isSetter) name.stripSuffix("_=") else name
    }

    /** Returns the definition that a symbol is part of: the class of a constructor or of a module class. */
    private def whole(symbol: Symbol): Symbol =
      if (symbol.isConstructor) whole(symbol.owner)
      else if (symbol.isModuleClass && symbol.sourceModule != NoSymbol) symbol.sourceModule
      else symbol

    /** Empty for locals, parameters, and definitions of a library. */
    private def keyOf(of: Symbol): String = {
      val symbol = whole(of)
      val source = symbol.sourceFile
      if (source == null || symbol == NoSymbol || symbol.hasPackageFlag || symbol.isTypeSkolem) return ""
      val isParameter = symbol.isParameter && !symbol.isParamAccessor
      // What only the body of the class can name is a parameter.
      val isHidden = symbol.isParamAccessor && symbol.isPrivateThis && !symbol.hasFlag(reflect.internal.Flags.ACCESSOR) &&
        (symbol.getter(symbol.owner) == NoSymbol)
      val owners = symbol.ownerChain.tail.takeWhile(one => !one.hasPackageFlag && one != NoSymbol)
      if (isParameter || isHidden || owners.exists(one => !one.isClass || one.isAnonymousClass)) return ""
      val path = try root.relativize(Paths.get(source.path)).toString catch { case _: IllegalArgumentException => return "" }
      if (path.startsWith("..")) return ""
      s"$path#${containerOf(symbol)}#${nameOf(symbol)}"
    }

    private def containerOf(symbol: Symbol): String =
      symbol.ownerChain.tail.takeWhile(one => !one.hasPackageFlag && one != NoSymbol)
        .map(one => if (one.isPackageObjectOrClass) one.owner.name.decoded else one.name.decoded).reverse.mkString(".")

    private def kindOf(symbol: Symbol): String = {
      val owner = symbol.owner
      val isTop = owner.hasPackageFlag || owner.isPackageObjectClass
      val isOfTrait = owner.isTrait
      if (symbol.isTrait) "interface"
      else if (symbol.isClass || symbol.isModule) if (isTop) "class" else "nested class"
      else if (symbol.isType) "type"
      else if (symbol.isMethod && !symbol.isAccessor) if (isTop) "function" else if (isOfTrait) "member" else "method"
      else if (owner.isModuleClass) "constant"
      else if (isOfTrait) "member"
      else "field"
    }

    /** Returns the length of a name that is written at an offset, 0 if it is not. */
    private def lengthAt(source: SourceFile, offset: Int, name: String): Int = {
      val content = source.content
      def isAt(from: Int): Boolean =
        from + name.length <= content.length && name.indices.forall(at => content(from + at) == name(at))
      def goesOn(at: Int): Boolean =
        Character.isUnicodeIdentifierPart(name.last) && at < content.length && Character.isUnicodeIdentifierPart(content(at))
      if (name.isEmpty || offset < 0 || offset >= content.length) 0
      else if (content(offset) == '`' && isAt(offset + 1)) name.length + 2
      else if (isAt(offset) && !goesOn(offset + name.length)) name.length
      else 0
    }

    private def column(source: SourceFile, offset: Int): Int =
      if (source.content(offset) == '`') offset + 1 else offset

    private class Names(source: SourceFile) extends Traverser {
      private val printed = mutable.LinkedHashSet[Seq[String]]()
      private var isInImport = false

      /** The accessor of a field has the name of its definition as a use. */
      private val defined = mutable.Set[String]()

      def read(tree: Tree): Unit = {
        traverse(tree)
        for (words <- printed if words.head == "definition" || !defined(words.last)) line(words: _*)
      }

      private def once(words: String*): Unit = {
        printed.add(words)
        if (words.head == "definition") defined.add(words.last)
      }

      /** Returns whether the name of the symbol is written at the offset. */
      private def note(symbol: Symbol, offset: Int, kind: String): Boolean = {
        if (symbol == null || symbol == NoSymbol || symbol.isErroneous) return false
        val meant = whole(symbol)
        val name = nameOf(meant)
        // `List` of the package object is written where its target is meant.
        if (lengthAt(source, offset, name) == 0) return false
        known(source) += offset
        val key = keyOf(meant)
        if (key != "") once(kind, key, placeOf(source, column(source, offset)))
        true
      }

      private def define(tree: DefTree): Unit = {
        val symbol = whole(tree.symbol)
        if (symbol == NoSymbol || tree.symbol.isConstructor || !tree.pos.isDefined) return
        val offset = tree.pos.point
        val name = nameOf(symbol)
        if (lengthAt(source, offset, name) == 0) return
        known(source) += offset
        val key = keyOf(symbol)
        if (key == "" || symbol.isSynthetic && !symbol.isModule) return
        once("definition", key, kindOf(symbol), name, containerOf(symbol), placeOf(source, column(source, offset)))
        for (base <- symbol.allOverriddenSymbols) {
          val other = keyOf(base)
          if (other != "" && other != key) once("overrides", key, other)
        }
      }

      override def traverse(tree: Tree): Unit = {
        tree.attachments.all.foreach {
          case analyzer.MacroExpansionAttachment(expandee, _) => super.traverse(expandee.asInstanceOf[Tree])
          case _ => ()
        }
        tree match {
          case definition: DefTree =>
            define(definition)
            definition.symbol.annotations.foreach(one => traverse(one.original))
            super.traverse(tree)
          case types: TypeTree =>
            if (types.original != null) traverse(types.original)
          case Import(from, selectors) =>
            isInImport = true
            traverse(from)
            isInImport = false
            for (one <- selectors if one.name != nme.WILDCARD) {
              val found = Seq(one.name, one.name.toTypeName).flatMap(from.tpe.member(_).alternatives)
              for (symbol <- found) note(symbol, one.namePos, "import")
              // The new name leads to what the compiler shows where it is used.
              if (one.rename != null && one.rename != one.name && one.renamePos >= 0) known(source) += one.renamePos
            }
          case name: RefTree =>
            if (tree.pos.isDefined) note(tree.symbol, tree.pos.point, if (isInImport) "import" else "use")
            super.traverse(tree)
          case This(qualifier) =>
            if (tree.pos.isRange && qualifier != tpnme.EMPTY) note(tree.symbol, tree.pos.start, "use")
          case Super(This(qualifier), _) =>
            if (tree.pos.isRange && qualifier != tpnme.EMPTY) note(tree.symbol, tree.pos.start, "use")
          case _ => super.traverse(tree)
        }
      }
    }

    /** Prints the names in a file of which nothing was printed. */
    private def printUnknown(unit: global.CompilationUnit): Unit = {
      import scala.tools.nsc.ast.parser.Tokens._
      val source = unit.source
      val scanner = new syntaxAnalyzer.UnitScanner(new CompilationUnit(source))
      scanner.init()
      while (scanner.token != EOF) {
        val isName = scanner.token == IDENTIFIER || scanner.token == BACKQUOTED_IDENT
        if (isName && !known(source)(scanner.offset)) {
          line("unknown", scanner.name.decoded, placeOf(source, column(source, scanner.offset)))
        }
        scanner.nextToken()
      }
    }
  }
}
