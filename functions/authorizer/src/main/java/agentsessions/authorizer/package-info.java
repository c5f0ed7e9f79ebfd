/// The rules of API keys: their form, their records, and the authorizer that turns `ApiKey <key>`
/// into a workspace. It may see the table's key items and nothing else. Never in here: a framework
/// (its cold start would be on every request's path), anything random made before a call (a
/// SnapStart snapshot would repeat it), a key's text in a log or in a message.
@NullMarked
package agentsessions.authorizer;

import org.jspecify.annotations.NullMarked;
