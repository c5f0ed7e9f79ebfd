package agentsessions.runner.agent;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The signals an agent can be asked to stop with. The JDK sends only TERM and KILL, and an image
/// need not have a `kill` command, so this calls the C library's.
// Calling the C library, which the JVM has loaded anyway, is the purpose of this type.
@SuppressWarnings("restricted")
public enum Signal {
  HUP(1),
  INT(2),
  QUIT(3),
  TERM(15);

  private static final MethodHandle KILL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  /// Sends the signal; it is no error if the process has ended already.
  public void send(ProcessHandle process) {
    kill(process, number);
  }

  /// Sends signal 0, which has no effect, to this process: it loads the classes that sending needs.
  public static void rehearse() {
    kill(ProcessHandle.current(), 0);
  }

  private static void kill(ProcessHandle process, int signal) {
    try {
      int _ = (int) KILL.invokeExact((int) process.pid(), signal);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
