/// Each call of AWS, met by each fault that can happen to it: what was done is done once, and said.
@NullMarked
package agentsessions.chaos.faults;

import org.jspecify.annotations.NullMarked;
