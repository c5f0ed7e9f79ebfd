/// Tests of the client against a stand-in of the API on loopback.
@NullMarked
package agentsessions.client;

import org.jspecify.annotations.NullMarked;
