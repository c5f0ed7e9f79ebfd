/// The console as a person meets it: in a browser, before a service of its own.
@NullMarked
package agentsessions.browser;

import org.jspecify.annotations.NullMarked;
