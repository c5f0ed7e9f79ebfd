/// The command in the image of the service that brings the jars which the image may not hold.
///
/// It sees Maven's resolver and nothing else of the project, and the service never sees it.
@NullMarked
package agentsessions.image;

import org.jspecify.annotations.NullMarked;
