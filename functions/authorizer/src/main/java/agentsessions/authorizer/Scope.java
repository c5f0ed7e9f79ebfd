package agentsessions.authorizer;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The permission of a key: to read sessions, to change them, to administer the workspace, to
/// decide what agents may do.
public enum Scope {
  READ,
  WRITE,
  ADMIN,
  DECIDE;

  /// As the API spells it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The scope that the API spells so.
  public static Optional<Scope> of(String text) {
    return Arrays.stream(values()).filter(scope -> scope.text().equals(text)).findFirst();
  }

  /// Whether a key with these scopes may do what needs this one. Who may write may read; who may
  /// administer may neither. Deciding is included in nothing: a program that starts sessions cannot
  /// loosen what they are held to.
  public boolean isIn(Set<Scope> granted) {
    return granted.contains(this) || (this == READ && granted.contains(WRITE));
  }

  /// The scopes in the order of this list, separated by spaces.
  public static String texts(Collection<Scope> scopes) {
    return Arrays.stream(values()).filter(scopes::contains).map(Scope::text).collect(joining(" "));
  }

  /// The scopes in a text of [#texts]; a word that is no scope is left out.
  public static Set<Scope> read(String texts) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    Arrays.stream(texts.split(" ", -1))
        .map(Scope::of)
        .flatMap(Optional::stream)
        .forEach(scopes::add);
    return scopes;
  }

  /// All there are.
  public static Set<Scope> all() {
    return EnumSet.allOf(Scope.class);
  }
}
