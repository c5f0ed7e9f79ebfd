package agentsessions.authorizer;

/// Who is calling: the workspace a key opens, the key's id, and the random id under which the usage
/// plan counts that key's requests.
public record Principal(String workspace, String keyId, String usageId) {}
