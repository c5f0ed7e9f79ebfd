package agentsessions.api.request;

import agentsessions.authorizer.Scope;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Says which scope the key of a request must have, on each controller method that wants a `Call`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface NeedsScope {
  Scope value();
}
