/// The promises of `template.yaml`, read as text: its routes are those of the contract and of the
/// controllers, no function has more permissions than are listed here, and the rules that
/// CloudFormation's own checkers do not have. The contract suite shows the behaviour of a
/// deployment.
@NullMarked
package agentsessions.template;

import org.jspecify.annotations.NullMarked;
