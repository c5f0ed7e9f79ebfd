package agentsessions.authorizer;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a key may be used for: to read sessions, to change them, to administer the workspace.
public enum Scope {
  READ,
  WRITE,
  ADMIN;

  /// As the API spells it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The scope that the API spells so.
  public static Optional<Scope> of(String text) {
    return Arrays.stream(values()).filter(scope -> scope.text().equals(text)).findFirst();
  }

  /// Whether a key with these scopes may do what needs this one. Who may write may read; who may
  /// administer may neither.
  public boolean isIn(Set<Scope> granted) {
    return granted.contains(this) || (this == READ && granted.contains(WRITE));
  }

  /// In the order of this list, with spaces.
  public static String texts(Collection<Scope> scopes) {
    return Arrays.stream(values()).filter(scopes::contains).map(Scope::text).collect(joining(" "));
  }

  /// What [#texts] has written; what is no scope is left out.
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
