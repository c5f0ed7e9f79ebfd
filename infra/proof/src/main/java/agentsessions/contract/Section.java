package agentsessions.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// The part of the specification that a class checks; classes with it are the [Suite].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Suite.class)
public @interface Section {
  /// Its numbers in the specification; `api` for what `infra/openapi.yaml` adds to that.
  String number();

  /// What it is about, in a few words.
  String title();
}
