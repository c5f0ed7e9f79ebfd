/// What `template.yaml` promises, read as text: that its routes are those of the contract and of
/// the controllers, that no function may more than is listed here, and what CloudFormation's own
/// checkers cannot know. How it behaves is shown by the contract suite against a deployment.
@NullMarked
package agentsessions.template;

import org.jspecify.annotations.NullMarked;
