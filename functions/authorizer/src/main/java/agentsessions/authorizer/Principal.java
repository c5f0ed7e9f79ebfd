package agentsessions.authorizer;

import java.util.Set;

/// The authenticated caller: the workspace a key opens, the key's id, the random id under which the
/// usage plan counts that key's requests, and what the key may be used for.
public record Principal(String workspace, String keyId, String usageId, Set<Scope> scopes) {}
