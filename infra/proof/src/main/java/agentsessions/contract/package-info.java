/// The contract suite: the promises of the API to its clients, in the order of the specification,
/// one class a section. It speaks HTTP only and knows a base URL, a key, and a key of another
/// workspace:
///
/// | system property or environment variable | |
/// |---|---|
/// | `CONTRACT_URL` | base URL as the service prints it, with `/rest/v1`; absent: the suite starts one |
/// | `CONTRACT_KEY` | a key of one workspace; several, with commas between them, go faster |
/// | `CONTRACT_OTHER_KEY` | a key of another workspace |
/// | `CONTRACT_AT_ONCE` | number of equal requests that are sent at once: 8, and 64 where the suite starts the service |
/// | `CONTRACT_LONE_KEY` | a key of a workspace that no other client uses; some checks need it |
/// | `CONTRACT_TRUSTS` | set: sessions may clone from this machine over http, and be given secrets |
/// | `CONTRACT_GIT_PORT` | port at which runners reach a git host of this machine; absent: any |
///
/// Its classes run side by side, and [CompletenessTest] when all others have ended. Each request
/// and answer is held to the [Contract]. Sessions that the suite did not make are left alone, so
/// [Conformance] can run it against a service that others use: nothing in here may expect a
/// workspace to be empty.
///
/// [Target] alone may see the service's own classes, to start it. Never in here: a look into the
/// table, or an expectation taken from the code instead of the specification.
@NullMarked
package agentsessions.contract;

import org.jspecify.annotations.NullMarked;
