package agentsessions.local;

import java.util.List;
import java.util.stream.Collectors;

/// An agent of the catalogue, as it stands on this machine.
sealed interface Offer {
  String name();

  /// Sessions can be created with it.
  ///
  /// @param unset variables that it needs and that are not set: its turns will fail and say so
  record Offered(String name, List<String> unset) implements Offer {}

  /// It cannot run here.
  ///
  /// @param obstacle why, for people
  record Missing(String name, String obstacle) implements Offer {}

  /// Why the others are not, a line for each.
  static String obstacles(List<Offer> offers) {
    return offers.stream()
        .filter(Missing.class::isInstance)
        .map(Missing.class::cast)
        .map(missing -> missing.name() + " " + missing.obstacle())
        .collect(Collectors.joining("\n"));
  }

  /// The names of those that are offered.
  static List<String> names(List<Offer> offers) {
    return offers.stream().filter(Offered.class::isInstance).map(Offer::name).toList();
  }
}
