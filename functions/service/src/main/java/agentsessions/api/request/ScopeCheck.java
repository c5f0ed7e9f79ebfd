package agentsessions.api.request;

import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.HttpRequest;
import io.micronaut.web.router.RouteAttributes;
import java.util.Set;

/// The check of a key's scopes against the route that it calls, before anything else is read.
final class ScopeCheck {
  /// @param granted to the key of the request
  static void require(HttpRequest<?> request, Set<Scope> granted) {
    AnnotationMetadata route =
        RouteAttributes.getRouteMatch(request)
            .orElseThrow(() -> new IllegalStateException("a call without a route"))
            .getAnnotationMetadata();
    if (!route.hasAnnotation(AnyScope.class)) {
      require(needed(route), granted);
    }
  }

  private static Scope needed(AnnotationMetadata route) {
    return route
        .enumValue(NeedsScope.class, Scope.class)
        .orElseThrow(() -> new IllegalStateException("a route that names no scope"));
  }

  private static void require(Scope needed, Set<Scope> granted) {
    if (!needed.isIn(granted)) {
      throw Refusal.of(
          Refusal.Code.FORBIDDEN, "This key lacks the scope \"%s\"".formatted(needed.text()));
    }
  }

  private ScopeCheck() {}
}
