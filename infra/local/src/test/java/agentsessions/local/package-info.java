/// Tests of the stand-ins; the service behind them is tested by the contract suite.
@NullMarked
package agentsessions.local;

import org.jspecify.annotations.NullMarked;
