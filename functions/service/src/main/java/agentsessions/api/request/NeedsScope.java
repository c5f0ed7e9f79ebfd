package agentsessions.api.request;

import agentsessions.authorizer.Scope;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The scope that a key must have to call a controller method. Every method that takes a `Call` has
/// it, or [AnyScope].
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface NeedsScope {
  Scope value();
}
