package agentsessions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// The section of the specification that a class checks; the classes with this annotation are the
/// [Suite].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Suite.class)
public @interface Section {
  /// The section's numbers in the specification; `api` for rules that only `infra/openapi.yaml`
  /// has.
  String number();

  /// The section's topic, in a few words.
  String title();
}
