/// Tests of the service as a whole. Never in here: anything but tests.
@org.jspecify.annotations.NullMarked
package agentsessions;
