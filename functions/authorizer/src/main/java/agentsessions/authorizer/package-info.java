/// Placeholder, replaced in the next commit.
@org.jspecify.annotations.NullMarked
package agentsessions.authorizer;
