/// The rotation of the key that signs download links (six days, spec 2.4), so that no link that was
/// given out ever dies of it. Runs once a day. Sees nothing of the service; they meet in the
/// secret. Never in here: anything a request waits for.
@NullMarked
package agentsessions.rotation;

import org.jspecify.annotations.NullMarked;
