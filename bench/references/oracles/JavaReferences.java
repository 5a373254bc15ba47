// java JavaReferences.java ROOT SOURCES > definitions.jsonl
// Every definition in the folders SOURCES (a regular expression for paths) of ROOT with all its references, from
// javac: one JSON object per line, in the format of truth.ts. Libraries that are not on the class path are unknown, so
// the meaning of some names is: such a place is a reference with the flag `u` of every definition of that name.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.lang.model.element.*;
import javax.lang.model.util.*;
import javax.tools.*;

public class JavaReferences {
  static Path root;
  static Trees trees;
  static Elements elements;
  static Types types;
  static final Map<Element, Definition> definitions = new LinkedHashMap<>();
  static final Map<Element, List<Place>> uses = new HashMap<>();
  static final Map<String, List<Place>> unknown = new HashMap<>();
  static final Map<String, List<ExecutableElement>> methods = new HashMap<>();

  record Place(String path, long line, long column, boolean isImport) {}

  record Definition(Element element, String name, String kind, String container, Place place) {}

  public static void main(String[] words) throws Exception {
    root = Paths.get(words[0]).toRealPath();
    Pattern sampled = Pattern.compile(words[1]);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    List<File> sources = new ArrayList<>();
    try (var walk = Files.walk(root)) {
      walk.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
          .sorted()
          .forEach(path -> sources.add(path.toFile()));
    }
    JavacTask task = (JavacTask) compiler.getTask(null, files, problem -> {},
        List.of("-proc:none", "-encoding", "UTF-8", "-XDshould-stop.ifError=FLOW", "--should-stop=ifError=FLOW"), null,
        files.getJavaFileObjectsFromFiles(sources));
    trees = Trees.instance(task);
    elements = task.getElements();
    types = task.getTypes();
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    for (CompilationUnitTree unit : units) new Definer(unit).scan(unit, null);
    for (CompilationUnitTree unit : units) new Reader(unit).scan(unit, null);
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
    for (Definition one : definitions.values()) {
      if (sampled.matcher(one.place.path).find() && !one.name.isEmpty()) out.println(json(one));
    }
    out.flush();
  }

  static String json(Definition of) {
    Map<String, Map<String, Place>> found = new TreeMap<>();
    add(found, List.of(of.place), "d");
    add(found, uses.getOrDefault(of.element, List.of()), "");
    if (of.element instanceof ExecutableElement method && method.getKind() == ElementKind.METHOD) {
      for (ExecutableElement other : methods.getOrDefault(of.name, List.of())) {
        if (other != method && (overrides(other, method) || overrides(method, other))) {
          add(found, uses.getOrDefault(other, List.of()), "r");
          Definition definition = definitions.get(other);
          if (definition != null) add(found, List.of(definition.place), "dr");
        }
      }
    }
    boolean isConstructor = of.element.getKind() == ElementKind.CONSTRUCTOR;
    add(found, unknown.getOrDefault(isConstructor ? of.name + "()" : of.name, List.of()), "u");
    StringJoiner paths = new StringJoiner(",", "{", "}");
    for (var each : found.entrySet()) {
      StringJoiner places = new StringJoiner(" ");
      each.getValue().entrySet().stream()
          .sorted(Comparator.comparingLong((Map.Entry<String, Place> e) -> e.getValue().line)
              .thenComparingLong(e -> e.getValue().column))
          .forEach(e -> places.add(e.getValue().line + ":" + e.getKey().substring(e.getKey().indexOf(':') + 1)));
      paths.add("\"" + each.getKey() + "\":\"" + places + "\"");
    }
    return "{\"name\":\"" + of.name + "\",\"kind\":\"" + of.kind + "\",\"container\":\"" + of.container
        + "\",\"path\":\"" + of.place.path + "\",\"line\":" + of.place.line + ",\"column\":" + of.place.column
        + ",\"references\":" + paths + "}";
  }

  /** Adds places with flags. Of one place, the flags that were added first count. */
  static void add(Map<String, Map<String, Place>> found, List<Place> places, String flags) {
    for (Place place : places) {
      Map<String, Place> ofFile = found.computeIfAbsent(place.path, path -> new HashMap<>());
      String at = place.line + ":" + place.column;
      boolean isKnown = ofFile.keySet().stream().anyMatch(key -> key.replaceAll("[a-z]+$", "").equals(at));
      if (!isKnown) ofFile.put(at + (place.isImport ? "i" : "") + flags, place);
    }
  }

  static boolean overrides(ExecutableElement one, ExecutableElement other) {
    try {
      return elements.overrides(one, other, (TypeElement) one.getEnclosingElement());
    } catch (RuntimeException | AssertionError incomplete) {
      return false;
    }
  }

  static class Scanner extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String path;
    final CharSequence text;

    Scanner(CompilationUnitTree unit) {
      try {
        this.unit = unit;
        this.path = root.relativize(Paths.get(unit.getSourceFile().toUri()).toRealPath()).toString();
        this.text = unit.getSourceFile().getCharContent(true);
      } catch (IOException problem) {
        throw new UncheckedIOException(problem);
      }
    }

    int start(Tree tree) {
      return (int) trees.getSourcePositions().getStartPosition(unit, tree);
    }

    int end(Tree tree) {
      return (int) trees.getSourcePositions().getEndPosition(unit, tree);
    }

    Place placeAt(int at, boolean isImport) {
      long line = unit.getLineMap().getLineNumber(at);
      return new Place(path, line, at - unit.getLineMap().getStartPosition(line) + 1, isImport);
    }

    boolean isAt(int at, CharSequence name) {
      return at >= 0 && at + name.length() <= text.length()
          && text.subSequence(at, at + name.length()).toString().contentEquals(name);
    }
  }

  static class Definer extends Scanner {
    Definer(CompilationUnitTree unit) {
      super(unit);
    }

    @Override public Void visitClass(ClassTree tree, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element != null) {
        String kind = switch (element.getKind()) {
          case ENUM -> "enum";
          case INTERFACE -> "interface";
          case RECORD -> "record";
          case ANNOTATION_TYPE -> "annotation";
          default -> isLocal() ? "local class" : element.getEnclosingElement() instanceof TypeElement ? "nested class" : "class";
        };
        define(tree, tree.getModifiers(), tree.getSimpleName().toString(), kind);
      }
      return super.visitClass(tree, none);
    }

    @Override public Void visitMethod(MethodTree tree, Void none) {
      if (trees.getElement(getCurrentPath()) instanceof ExecutableElement element
          && elements.getOrigin(element) == Elements.Origin.EXPLICIT) {
        Element owner = element.getEnclosingElement();
        boolean isConstructor = element.getKind() == ElementKind.CONSTRUCTOR;
        String name = isConstructor ? owner.getSimpleName().toString() : tree.getName().toString();
        long same = owner.getEnclosedElements().stream()
            .filter(one -> one.getKind() == element.getKind() && one.getSimpleName().equals(element.getSimpleName()))
            .count();
        String kind = isLocal() ? "local method"
            : isConstructor ? "constructor"
            : same > 1 ? "overload"
            : owner.getKind() == ElementKind.INTERFACE ? "member" : "method";
        methods.computeIfAbsent(name, one -> new ArrayList<>()).add(element);
        define(tree, tree.getReturnType() == null ? tree.getModifiers() : tree.getReturnType(), name, kind);
      }
      return super.visitMethod(tree, none);
    }

    @Override public Void visitVariable(VariableTree tree, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element != null && element.getKind().isField()) {
        Set<Modifier> modifiers = element.getModifiers();
        String kind = element.getKind() == ElementKind.ENUM_CONSTANT ? "enum constant"
            : modifiers.contains(Modifier.STATIC) && modifiers.contains(Modifier.FINAL) ? "constant" : "field";
        Tree before = element.getKind() == ElementKind.ENUM_CONSTANT || tree.getType() == null || end(tree.getType()) < 0
            ? tree.getModifiers() : tree.getType();
        define(tree, before, tree.getName().toString(), kind);
      }
      return super.visitVariable(tree, none);
    }

    void define(Tree tree, Tree before, String name, String kind) {
      Element element = trees.getElement(getCurrentPath());
      int from = Math.max(start(tree), end(before));
      if (name.isEmpty() || from < 0) return;
      Matcher match = Pattern.compile("(?<![\\w$])" + Pattern.quote(name) + "(?![\\w$])").matcher(text);
      if (!match.find(from)) return;
      Element owner = element.getEnclosingElement();
      String container = owner instanceof TypeElement type ? type.toString() : "";
      Definition definition = new Definition(element, name, kind, container, placeAt(match.start(), false));
      definitions.put(element, definition);
    }

    boolean isLocal() {
      for (TreePath at = getCurrentPath().getParentPath(); at != null; at = at.getParentPath()) {
        Tree leaf = at.getLeaf();
        if (leaf instanceof MethodTree || leaf instanceof LambdaExpressionTree || leaf instanceof NewClassTree) return true;
        if (leaf instanceof BlockTree) return true;
      }
      return false;
    }
  }

  static class Reader extends Scanner {
    boolean isImport = false;

    Reader(CompilationUnitTree unit) {
      super(unit);
    }

    @Override public Void visitImport(ImportTree tree, Void none) {
      isImport = true;
      super.visitImport(tree, none);
      isImport = false;
      return null;
    }

    @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
      int at = start(tree);
      if (isAt(at, tree.getName())) note(at, tree.getName().toString(), trees.getElement(getCurrentPath()));
      return super.visitIdentifier(tree, none);
    }

    @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      int at = end(tree) - tree.getIdentifier().length();
      if (isAt(at, tree.getIdentifier())) note(at, tree.getIdentifier().toString(), trees.getElement(getCurrentPath()));
      return super.visitMemberSelect(tree, none);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      boolean isNew = tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
      String name = isNew ? "new" : tree.getName().toString();
      int at = end(tree) - name.length();
      Element element = trees.getElement(getCurrentPath());
      if (isNew) noteConstructor(at, element, nameOf(tree.getQualifierExpression()));
      else note(at, name, element);
      return super.visitMemberReference(tree, none);
    }

    @Override public Void visitNewClass(NewClassTree tree, Void none) {
      int at = nameIn(tree.getIdentifier());
      if (at >= 0) {
        Element element = trees.getElement(getCurrentPath());
        if (tree.getClassBody() != null) element = superConstructor(tree.getClassBody(), new TreePath(getCurrentPath(), tree.getClassBody()));
        noteConstructor(at, element, nameOf(tree.getIdentifier()));
      }
      return super.visitNewClass(tree, none);
    }

    @Override public Void visitVariable(VariableTree tree, Void none) {
      // An enum constant calls a constructor of its enum.
      Element element = trees.getElement(getCurrentPath());
      if (element != null && element.getKind() == ElementKind.ENUM_CONSTANT && tree.getInitializer() instanceof NewClassTree made) {
        TreePath path = new TreePath(getCurrentPath(), made);
        Element constructor = made.getClassBody() == null
            ? trees.getElement(path)
            : superConstructor(made.getClassBody(), new TreePath(path, made.getClassBody()));
        Definition definition = definitions.get(element);
        if (constructor != null && definition != null) {
          uses.computeIfAbsent(constructor, one -> new ArrayList<>()).add(definition.place);
        }
      }
      return super.visitVariable(tree, none);
    }

    /** The constructor that the generated constructor of an anonymous class calls. */
    Element superConstructor(ClassTree body, TreePath path) {
      for (Tree member : body.getMembers()) {
        if (!(member instanceof MethodTree method) || !method.getName().contentEquals("<init>")) continue;
        if (method.getBody() == null || method.getBody().getStatements().isEmpty()) return null;
        StatementTree first = method.getBody().getStatements().get(0);
        if (!(first instanceof ExpressionStatementTree statement)) return null;
        if (!(statement.getExpression() instanceof MethodInvocationTree call)) return null;
        TreePath at = new TreePath(new TreePath(new TreePath(path, method), method.getBody()), first);
        at = new TreePath(at, call);
        return trees.getElement(new TreePath(at, call.getMethodSelect()));
      }
      return null;
    }

    int nameIn(Tree type) {
      Tree tree = type;
      while (true) {
        if (tree instanceof ParameterizedTypeTree generic) tree = generic.getType();
        else if (tree instanceof AnnotatedTypeTree annotated) tree = annotated.getUnderlyingType();
        else break;
      }
      if (tree instanceof MemberSelectTree select) return end(select) - select.getIdentifier().length();
      return tree instanceof IdentifierTree ? start(tree) : -1;
    }

    String nameOf(Tree type) {
      int at = nameIn(type);
      if (at < 0) return "";
      int to = at;
      while (to < text.length() && Character.isJavaIdentifierPart(text.charAt(to))) to++;
      return text.subSequence(at, to).toString();
    }

    void noteConstructor(int at, Element element, String name) {
      Place place = placeAt(at, false);
      boolean isKnown = element != null && element.getKind() == ElementKind.CONSTRUCTOR;
      if (isKnown) uses.computeIfAbsent(element, one -> new ArrayList<>()).add(place);
      else unknown.computeIfAbsent(name + "()", one -> new ArrayList<>()).add(place);
    }

    void note(int at, String name, Element element) {
      Place place = placeAt(at, isImport);
      Element meant = element;
      // The accessor of a record's component has no declaration of its own.
      if (meant instanceof ExecutableElement method && definitions.get(method) == null
          && method.getEnclosingElement().getKind() == ElementKind.RECORD) {
        for (Element one : method.getEnclosingElement().getEnclosedElements()) {
          if (one.getKind() == ElementKind.FIELD && one.getSimpleName().equals(method.getSimpleName())) meant = one;
        }
      }
      boolean isUnknown = element == null || element.asType() == null
          || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR && definitions.get(element) == null;
      if (isUnknown) unknown.computeIfAbsent(name, one -> new ArrayList<>()).add(place);
      else uses.computeIfAbsent(meant, one -> new ArrayList<>()).add(place);
    }
  }
}
