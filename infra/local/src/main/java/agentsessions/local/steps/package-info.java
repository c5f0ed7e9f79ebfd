/// The step engine: runs the same file that is deployed to Step Functions, so that the flow of a
/// turn is written once.
///
/// It supports a strict subset of the States Language with JSONata and refuses everything else when
/// the file is loaded. It sees the JDK, Jackson and a JSONata library; never the service, HTTP or
/// the other stand-ins.
@NullMarked
package agentsessions.local.steps;

import org.jspecify.annotations.NullMarked;
