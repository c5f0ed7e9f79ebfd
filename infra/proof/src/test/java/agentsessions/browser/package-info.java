/// The console in a browser, against a service of its own.
@NullMarked
package agentsessions.browser;

import org.jspecify.annotations.NullMarked;
