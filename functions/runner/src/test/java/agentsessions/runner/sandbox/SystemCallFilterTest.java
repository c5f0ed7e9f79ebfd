package agentsessions.runner.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.sandbox.SystemCallFilter.Instruction;
import agentsessions.runner.sandbox.SystemCallFilter.Numbers;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The filter, run step by step as the kernel runs it.
class SystemCallFilterTest {
  private static final int ALLOWED = 0x7fff0000;
  private static final int NOT_PERMITTED = 0x00050001;
  private static final int NOT_THERE = 0x00050026;
  private static final int NO_FAMILY = 0x00050061;
  private static final int X86 = 0xc000003e;
  private static final int ARM = 0xc00000b7;

  @Test
  void ordinaryCallsPass() {
    assertEquals(ALLOWED, verdict("amd64", X86, 0, 0)); // read
    assertEquals(ALLOWED, verdict("amd64", X86, 59, 0)); // execve
    assertEquals(ALLOWED, verdict("aarch64", ARM, 63, 0)); // read
  }

  @Test
  void refusedCallsAreNotPermitted() {
    assertEquals(NOT_PERMITTED, verdict("amd64", X86, 101, 0)); // ptrace
    assertEquals(NOT_PERMITTED, verdict("amd64", X86, 173, 0)); // ioperm, the last
    assertEquals(NOT_PERMITTED, verdict("aarch64", ARM, 117, 0)); // ptrace
  }

  @Test
  void processesAreMadeButNoNamespacesOfUsers() {
    assertEquals(ALLOWED, verdict("amd64", X86, 56, 0x01200011)); // as fork does
    assertEquals(NOT_PERMITTED, verdict("amd64", X86, 56, 0x10000011));
    assertEquals(NOT_PERMITTED, verdict("amd64", X86, 272, 0x10000000));
    assertEquals(NOT_THERE, verdict("amd64", X86, 435, 0));
    assertEquals(NOT_PERMITTED, verdict("aarch64", ARM, 97, 0x10000000));
  }

  @Test
  void socketsAreOfTheFamiliesThatProgramsTalkIn() {
    for (int family : new int[] {1, 2, 10, 16}) { // unix, inet, inet6, netlink
      assertEquals(ALLOWED, verdict("amd64", X86, 41, family));
      assertEquals(ALLOWED, verdict("amd64", X86, 53, family)); // socketpair
      assertEquals(ALLOWED, verdict("aarch64", ARM, 198, family));
      assertEquals(ALLOWED, verdict("aarch64", ARM, 199, family));
    }
    for (int family : new int[] {0, 3, 9, 11, 15, 17, 30, 38, 40, 44}) { // … alg, vsock, xdp
      assertEquals(NO_FAMILY, verdict("amd64", X86, 41, family));
      assertEquals(NO_FAMILY, verdict("amd64", X86, 53, family));
      assertEquals(NO_FAMILY, verdict("aarch64", ARM, 198, family));
      assertEquals(NO_FAMILY, verdict("aarch64", ARM, 199, family));
    }
    assertEquals(ALLOWED, verdict("amd64", X86, 42, 40)); // connect, whose argument is another
  }

  @Test
  void otherWaysOfCallingAreNotThere() {
    assertEquals(NOT_THERE, verdict("amd64", 0x40000003, 0, 0)); // 32 bits
    assertEquals(NOT_THERE, verdict("amd64", X86, 0x40000000, 0)); // x32
  }

  private static int verdict(String processor, int architecture, int number, int argument) {
    List<Instruction> program = SystemCallFilter.of(Numbers.of(processor).orElseThrow()).program();
    int loaded = 0;
    int step = 0;
    while (true) {
      Instruction now = program.get(step++);
      switch (now.code()) {
        case 0x20 ->
            loaded =
                switch (now.value()) {
                  case 0 -> number;
                  case 4 -> architecture;
                  default -> argument;
                };
        case 0x15 -> step += loaded == now.value() ? now.ifTrue() : now.ifFalse();
        case 0x35 ->
            step +=
                Integer.compareUnsigned(loaded, now.value()) >= 0 ? now.ifTrue() : now.ifFalse();
        case 0x45 -> step += (loaded & now.value()) != 0 ? now.ifTrue() : now.ifFalse();
        default -> {
          return now.value();
        }
      }
    }
  }
}
