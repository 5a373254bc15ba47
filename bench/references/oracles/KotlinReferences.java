// java -cp 'kotlin-compiler/lib/*' KotlinReferences.java ROOT FILES > facts.tsv
// The definitions in the files FILES (a regular expression) of ROOT, and what each name there refers to, from the
// compiler of Kotlin 1.9, in the format of compiled-facts.ts. Overloads are one definition. Uses without the name, as of
// operators, `invoke` and delegates, are left out.
import com.intellij.openapi.util.Disposer;
import com.intellij.psi.PsiElement;
import com.intellij.psi.util.PsiTreeUtil;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.config.ContentRootsKt;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.cli.jvm.config.JvmContentRootsKt;
import org.jetbrains.kotlin.config.*;
import org.jetbrains.kotlin.descriptors.*;
import org.jetbrains.kotlin.psi.*;
import org.jetbrains.kotlin.resolve.*;

public class KotlinReferences {
  static Path root;
  static BindingContext context;
  static PrintStream out;

  public static void main(String[] words) throws Exception {
    out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
    root = Paths.get(words[0]).toRealPath();
    Pattern read = Pattern.compile(words[1]);
    CompilerConfiguration configuration = new CompilerConfiguration();
    configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "main");
    configuration.put(JVMConfigurationKeys.JDK_HOME, new File(System.getProperty("java.home")));
    JvmContentRootsKt.configureJdkClasspathRoots(configuration);
    for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (jar.matches(".*kotlin-(stdlib|test|reflect)[^/]*")) JvmContentRootsKt.addJvmClasspathRoot(configuration, new File(jar));
    }
    try (var walk = Files.walk(root)) {
      for (Path path : walk.sorted().toList()) {
        if (read.matcher(root.relativize(path).toString()).find()) ContentRootsKt.addKotlinSourceRoot(configuration, path.toString());
      }
    }
    KotlinCoreEnvironment environment = KotlinCoreEnvironment.createForProduction(
        Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES);
    context = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(
        environment.getProject(), environment.getSourceFiles(), new NoScopeRecordCliBindingTrace(), configuration,
        environment::createPackagePartProvider).getBindingContext();
    for (KtFile file : environment.getSourceFiles()) {
      for (KtNamedDeclaration one : PsiTreeUtil.collectElementsOfType(file, KtNamedDeclaration.class)) define(one);
      for (KtSimpleNameExpression one : PsiTreeUtil.collectElementsOfType(file, KtSimpleNameExpression.class)) note(one);
    }
    out.flush();
    System.exit(0);
  }

  /** Null for locals, parameters and constructors. */
  static String keyOf(PsiElement declaration) {
    if (!(declaration instanceof KtNamedDeclaration named) || named.getNameIdentifier() == null) return null;
    boolean isParameter = declaration instanceof KtParameter parameter && !parameter.hasValOrVar();
    boolean isHidden = declaration instanceof KtTypeParameter || declaration instanceof KtDestructuringDeclarationEntry;
    if (isParameter || isHidden || isLocal(named)) return null;
    return pathOf(named) + "#" + containerOf(named) + "#" + named.getName();
  }

  static boolean isLocal(KtNamedDeclaration of) {
    return PsiTreeUtil.getParentOfType(of, KtBlockExpression.class, KtObjectLiteralExpression.class, KtDeclarationWithBody.class) != null
        && !(of instanceof KtParameter && of.getParent().getParent() instanceof KtPrimaryConstructor && !isLocal(PsiTreeUtil.getParentOfType(of, KtClass.class)));
  }

  static String containerOf(KtNamedDeclaration of) {
    List<String> names = new ArrayList<>();
    for (PsiElement at = of.getParent(); at != null; at = at.getParent()) {
      if (at instanceof KtClassOrObject type) names.add(0, String.valueOf(type.getName()));
    }
    // An extension belongs to the type that it extends.
    KtTypeReference extended = of instanceof KtCallableDeclaration callable ? callable.getReceiverTypeReference() : null;
    if (extended != null) names.add(extended.getText().replaceAll("<.*|[()?]", "").replaceAll(".*[.\\s]", ""));
    return String.join(".", names);
  }

  static void define(KtNamedDeclaration of) {
    String key = keyOf(of);
    if (key == null) return;
    KtClassOrObject owner = PsiTreeUtil.getParentOfType(of, KtClassOrObject.class);
    boolean isOfInterface = owner instanceof KtClass type && type.isInterface();
    String kind = of instanceof KtEnumEntry ? "enum constant"
        : of instanceof KtClass type && type.isEnum() ? "enum"
        : of instanceof KtClass type && type.isInterface() ? "interface"
        : of instanceof KtClassOrObject ? owner == null ? "class" : "nested class"
        : of instanceof KtTypeAlias ? "type"
        : of instanceof KtFunction ? owner == null ? "function" : isOfInterface ? "member" : "method"
        : owner == null ? "constant" : isOfInterface ? "member" : "field";
    print("definition", key, kind, of.getName(), containerOf(of), placeOf(of.getNameIdentifier()));
    DeclarationDescriptor own = of instanceof KtParameter parameter
        ? context.get(BindingContext.PRIMARY_CONSTRUCTOR_PARAMETER, parameter)
        : context.get(BindingContext.DECLARATION_TO_DESCRIPTOR, of);
    if (own instanceof CallableMemberDescriptor member) {
      for (CallableMemberDescriptor base : DescriptorUtils.getAllOverriddenDeclarations(member)) {
        String other = keyOf(DescriptorToSourceUtils.descriptorToDeclaration(base));
        if (other != null && !other.equals(key)) print("overrides", key, other);
      }
    }
  }

  static void note(KtSimpleNameExpression of) {
    PsiElement name = of.getReferencedNameElement();
    String text = name.getText().replace("`", "");
    boolean isImport = PsiTreeUtil.getParentOfType(of, KtImportDirective.class) != null;
    if (!text.matches("[\\w$]+") || of instanceof KtLabelReferenceExpression) return;
    if (PsiTreeUtil.getParentOfType(of, KtPackageDirective.class) != null) return;
    List<DeclarationDescriptor> targets = new ArrayList<>();
    DeclarationDescriptor target = context.get(BindingContext.REFERENCE_TARGET, of);
    Collection<? extends DeclarationDescriptor> several = context.get(BindingContext.AMBIGUOUS_REFERENCE_TARGET, of);
    if (target != null) targets.add(target);
    // An import leads to all that have the name.
    else if (several != null && isImport) targets.addAll(several);
    if (targets.isEmpty()) print("unknown", text, placeOf(name));
    Set<String> keys = new LinkedHashSet<>();
    for (DeclarationDescriptor one : targets) {
      for (DeclarationDescriptor meant : DescriptorToSourceUtils.INSTANCE.getEffectiveReferencedDescriptors(one)) {
        boolean isCompanion = DescriptorUtils.isCompanionObject(meant) && !meant.getName().asString().equals(text);
        DeclarationDescriptor named = meant instanceof ConstructorDescriptor made ? made.getConstructedClass()
            : isCompanion ? meant.getContainingDeclaration() : meant;
        String key = keyOf(DescriptorToSourceUtils.descriptorToDeclaration(named));
        // An import may give another name.
        if (key != null && key.endsWith("#" + text)) keys.add(key);
      }
    }
    for (String key : keys) print(isImport ? "import" : "use", key, placeOf(name));
  }

  static String pathOf(PsiElement element) {
    KtFile file = (KtFile) element.getContainingFile();
    return root.relativize(Paths.get(file.getVirtualFilePath())).toString();
  }

  /** `path:line:column`. */
  static String placeOf(PsiElement element) {
    String text = element.getContainingFile().getText();
    int at = element.getTextRange().getStartOffset();
    long line = text.substring(0, at).chars().filter(one -> one == '\n').count() + 1;
    return pathOf(element) + ":" + line + ":" + (at - text.lastIndexOf('\n', at - 1));
  }

  static void print(String... words) {
    out.println(String.join("\t", words));
  }
}
