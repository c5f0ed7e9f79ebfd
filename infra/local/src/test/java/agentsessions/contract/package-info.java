/// The contract suite: what a client of the API may rely on, in the order of the specification, one
/// class a section. It speaks HTTP only and knows a base URL, a key, and a key of another
/// workspace:
///
/// | system property or environment variable | |
/// |---|---|
/// | `CONTRACT_URL` | base URL as the service prints it, with `/rest/v1`; absent: the suite starts one |
/// | `CONTRACT_KEY`, `CONTRACT_OTHER_KEY` | keys of two workspaces |
///
/// [Target] alone may see the service's own classes, to start it. Never in here: a look into the
/// table, or an expectation taken from the code instead of the specification.
@NullMarked
package agentsessions.contract;

import org.jspecify.annotations.NullMarked;
