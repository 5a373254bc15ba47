// java JavaOracle.java ROOT < occurrences.jsonl > judged.jsonl
// What javac takes each name for: adds "target", "path:line" of the name of the definition in ROOT, or null
// for what is defined in a method, and what is not of ROOT. Libraries that are not on the class path stay unknown.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavaOracle {
  static Path root;
  static Trees trees;
  static final Map<String, Element> meanings = new HashMap<>();
  static final Map<Element, String> definitions = new HashMap<>();

  public static void main(String[] words) throws Exception {
    root = Paths.get(words[0]).toRealPath();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    List<File> sources = new ArrayList<>();
    try (var walk = Files.walk(root)) {
      walk.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
          .forEach(path -> sources.add(path.toFile()));
    }
    JavacTask task = (JavacTask) compiler.getTask(null, files, problem -> {},
        List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "--should-stop=ifError=FLOW"), null,
        files.getJavaFileObjectsFromFiles(sources));
    trees = Trees.instance(task);
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    for (CompilationUnitTree unit : units) new Reader(unit).scan(unit, null);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    Pattern form = Pattern.compile("\\{\"path\":\"(.*?)\",\"line\":(\\d+),\"column\":(\\d+),\"name\":\"(.*?)\"\\}");
    for (String line; (line = in.readLine()) != null; ) {
      Matcher match = form.matcher(line);
      if (!match.matches()) continue;
      Element element = meanings.get(match.group(1) + ":" + match.group(2) + ":" + match.group(3));
      String target = element == null ? null : definitions.get(element);
      System.out.println(line.substring(0, line.length() - 1) + ",\"target\":"
          + (target == null ? "null" : "\"" + target + "\"") + "}");
    }
  }

  static class Reader extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String path;
    final CharSequence text;

    Reader(CompilationUnitTree unit) throws IOException {
      this.unit = unit;
      this.path = root.relativize(Paths.get(unit.getSourceFile().toUri()).toRealPath()).toString();
      this.text = unit.getSourceFile().getCharContent(true);
    }

    @Override public Void visitIdentifier(IdentifierTree tree, Void none) {
      note(start(tree), trees.getElement(getCurrentPath()));
      return super.visitIdentifier(tree, none);
    }

    @Override public Void visitMemberSelect(MemberSelectTree tree, Void none) {
      note(nameEnd(tree, tree.getIdentifier()), trees.getElement(getCurrentPath()));
      return super.visitMemberSelect(tree, none);
    }

    @Override public Void visitMemberReference(MemberReferenceTree tree, Void none) {
      note(nameEnd(tree, tree.getName()), trees.getElement(getCurrentPath()));
      return super.visitMemberReference(tree, none);
    }

    @Override public Void visitNewClass(NewClassTree tree, Void none) {
      // `new Name(…)` means the class here, as it does in its own visit.
      return super.visitNewClass(tree, none);
    }

    @Override public Void visitClass(ClassTree tree, Void none) {
      define(tree, tree.getSimpleName());
      return super.visitClass(tree, none);
    }

    @Override public Void visitMethod(MethodTree tree, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element != null && element.getKind() == ElementKind.METHOD) define(tree, tree.getName());
      return super.visitMethod(tree, none);
    }

    @Override public Void visitVariable(VariableTree tree, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element != null && element.getKind().isField()) define(tree, tree.getName());
      return super.visitVariable(tree, none);
    }

    void define(Tree tree, Name name) {
      Element element = trees.getElement(getCurrentPath());
      if (element == null || name.length() == 0 || isInMethod()) return;
      int from = start(tree);
      Tree modifiers = tree instanceof ClassTree c ? c.getModifiers()
          : tree instanceof MethodTree m ? m.getModifiers() : ((VariableTree) tree).getModifiers();
      int after = (int) trees.getSourcePositions().getEndPosition(unit, modifiers);
      if (tree instanceof MethodTree m && m.getReturnType() != null) {
        after = (int) trees.getSourcePositions().getEndPosition(unit, m.getReturnType());
      } else if (tree instanceof VariableTree v && v.getType() != null) {
        int end = (int) trees.getSourcePositions().getEndPosition(unit, v.getType());
        if (end > after) after = end;
      }
      Matcher match = Pattern.compile("\\b" + Pattern.quote(name.toString()) + "\\b").matcher(text);
      int at = match.find(Math.max(Math.max(from, after), 0)) ? match.start() : from;
      if (element.getKind() == ElementKind.ENUM_CONSTANT) at = from;
      definitions.put(element, path + ":" + unit.getLineMap().getLineNumber(at));
    }

    boolean isInMethod() {
      for (TreePath at = getCurrentPath().getParentPath(); at != null; at = at.getParentPath()) {
        if (at.getLeaf() instanceof MethodTree || at.getLeaf() instanceof LambdaExpressionTree) return true;
      }
      return false;
    }

    int start(Tree tree) {
      return (int) trees.getSourcePositions().getStartPosition(unit, tree);
    }

    int nameEnd(Tree tree, Name name) {
      return (int) trees.getSourcePositions().getEndPosition(unit, tree) - name.length();
    }

    void note(int at, Element element) {
      if (at < 0 || element == null) return;
      long line = unit.getLineMap().getLineNumber(at);
      long column = at - unit.getLineMap().getStartPosition(line) + 1;
      meanings.put(path + ":" + line + ":" + column, element);
    }
  }
}
