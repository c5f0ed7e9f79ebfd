/// The life of a turn: what Step Functions and the schedule run (begin, fail, sweep), and the
/// endpoints of the runner. Sees `aws` and `session`. Never in here: the SDK, anything a client of
/// the API sees.
@org.jspecify.annotations.NullMarked
package agentsessions.turn;
