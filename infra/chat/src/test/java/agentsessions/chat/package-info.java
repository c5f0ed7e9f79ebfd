/// Tests of the client against a stand-in of the API on loopback.
@NullMarked
package agentsessions.chat;

import org.jspecify.annotations.NullMarked;
