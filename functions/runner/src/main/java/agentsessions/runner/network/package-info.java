/// The proxies by which an agent reaches others: one to its model, which limits its requests and
/// reads the usage from the responses; one to the hosts of its repositories, which holds their
/// credentials; one to the hosts that the operator allows; and the check of addresses. Sees `usage`
/// and `agent`. Never in here: how an agent is confined.
@NullMarked
package agentsessions.runner.network;

import org.jspecify.annotations.NullMarked;
