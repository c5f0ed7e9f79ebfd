package agentsessions.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test class of the console in a browser. Its constructor takes what each test needs: a `Client`
/// and a `Visitor` of a workspace of its own, or the `Stage` itself.
@Tag("browser")
@ExtendWith(Visits.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface InBrowser {}
