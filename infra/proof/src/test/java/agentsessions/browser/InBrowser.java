package agentsessions.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// Tests that a person at a browser would do by hand. Their constructors ask for what each of them
/// needs: a `Client` and a `Visitor` of a workspace of its own, or the `Stage` itself.
@Tag("browser")
@ExtendWith(Visits.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface InBrowser {}
