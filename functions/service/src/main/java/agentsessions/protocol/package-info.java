/// The runner protocol: the endpoints under `/runner/v1`, what is read from them, and how a turn's
/// report becomes its ending. Sees `turn` and every room to its right, and alone the messages,
/// `wire`. Never in here: the SDK, anything a client of the API sees.
@NullMarked
package agentsessions.protocol;

import org.jspecify.annotations.NullMarked;
