/// The Lambda entry points: the handlers that template.yaml names, the codec of their events, and
/// the one Micronaut context behind them. Sees every other room. Never in here: a route, a rule, a
/// write.
@NullMarked
package agentsessions.lambda;

import org.jspecify.annotations.NullMarked;
