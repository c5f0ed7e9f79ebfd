package agentsessions.runner.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The system call filter of a sandbox (`bwrap --seccomp`), as a program of the kernel's classic
/// BPF: it refuses calls that agents do not need and attacks on the kernel do. They fail with
/// `EPERM`, as they would without the privilege; all other calls are unchanged.
///
/// Sockets can be made only in the families that programs need: some others belong to no network
/// namespace, such as the one to a virtual machine's host, so `--unshare-net` does not close them.
/// They fail as on a kernel without that family.
///
/// New user namespaces are refused in every form. `clone3` fails as an unknown call, since a filter
/// cannot see its flags; programs then use `clone`. Calls of another architecture than the
/// machine's own (32 bits) are refused altogether.
record SystemCallFilter(List<Instruction> program) {
  private static final int LOAD = 0x20;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_AT_LEAST = 0x35;
  private static final int IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;

  private static final int ALLOW = 0x7fff0000;
  private static final int REFUSE = 0x00050000 | 1; // EPERM
  private static final int UNKNOWN = 0x00050000 | 38; // ENOSYS
  private static final int NO_FAMILY = 0x00050000 | 97; // EAFNOSUPPORT

  /// Offsets in the kernel's `struct seccomp_data`.
  private static final int NUMBER = 0;

  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;

  private static final int NEW_USERS = 0x10000000;
  private static final int X32 = 0x40000000;

  /// The families for other programs, the network, and the kernel's network configuration.
  private static final List<Integer> FAMILIES = List.of(1, 2, 10, 16); // unix, inet, inet6, netlink

  /// One instruction; jumps are relative to the next one.
  record Instruction(int code, int ifTrue, int ifFalse, int value) {}

  /// The numbers of the calls, which differ by architecture.
  ///
  /// @param fork `clone`; like `unshare`, refused only for user namespaces
  /// @param socket like `socketPair`, refused only for families that are not allowed
  @SuppressWarnings("ArrayRecordComponent") // tables, never compared
  record Numbers(
      int architecture,
      boolean x32,
      int fork,
      int unshare,
      int clone3,
      int socket,
      int socketPair,
      int[] refused) {

    private static final Numbers X86_64 =
        new Numbers(
            0xc000003e,
            true,
            56,
            272,
            435,
            41,
            53,
            new int[] {
              101,
              310,
              311,
              312, // ptrace, process_vm_readv, process_vm_writev, kcmp
              248,
              249,
              250, // add_key, request_key, keyctl
              321,
              323,
              298, // bpf, userfaultfd, perf_event_open
              425,
              426,
              427, // io_uring_setup, _enter, _register
              165,
              166,
              155,
              161,
              308, // mount, umount2, pivot_root, chroot, setns
              428,
              429,
              430,
              431,
              432,
              433,
              442, // open_tree … mount_setattr
              246,
              320,
              175,
              313,
              176, // kexec_load, kexec_file_load, *_module
              304,
              167,
              168,
              169,
              163,
              179,
              103,
              172,
              173 // open_by_handle_at … ioperm
            });

    private static final Numbers AARCH64 =
        new Numbers(
            0xc00000b7,
            false,
            220,
            97,
            435,
            198,
            199,
            new int[] {
              117, 270, 271, 272, 217, 218, 219, 280, 282, 241, 425, 426, 427, 40, 39, 41, 51, 268,
              428, 429, 430, 431, 432, 433, 442, 104, 294, 105, 273, 106, 265, 224, 225, 142, 89,
              60, 116
            });

    static Optional<Numbers> of(String processor) {
      return switch (processor) {
        case "amd64", "x86_64" -> Optional.of(X86_64);
        case "aarch64" -> Optional.of(AARCH64);
        default -> Optional.empty();
      };
    }
  }

  /// The filter for this machine; empty for an unknown processor.
  static Optional<SystemCallFilter> ofThisMachine() {
    return Numbers.of(System.getProperty("os.arch")).map(SystemCallFilter::of);
  }

  static SystemCallFilter of(Numbers numbers) {
    List<Instruction> program = new ArrayList<>();
    program.add(load(ARCHITECTURE));
    program.add(new Instruction(IF_EQUAL, 1, 0, numbers.architecture()));
    program.add(end(UNKNOWN));
    program.add(load(NUMBER));
    if (numbers.x32()) {
      program.add(new Instruction(IF_AT_LEAST, 0, 1, X32));
      program.add(end(UNKNOWN));
    }
    for (int number : numbers.refused()) {
      program.add(new Instruction(IF_EQUAL, 0, 1, number));
      program.add(end(REFUSE));
    }
    program.add(new Instruction(IF_EQUAL, 0, 1, numbers.clone3()));
    program.add(end(UNKNOWN));
    program.addAll(sockets(numbers));
    program.add(new Instruction(IF_EQUAL, 2, 0, numbers.fork()));
    program.add(new Instruction(IF_EQUAL, 1, 0, numbers.unshare()));
    program.add(end(ALLOW));
    program.add(load(FIRST_ARGUMENT));
    program.add(new Instruction(IF_ANY_BIT, 0, 1, NEW_USERS));
    program.add(end(REFUSE));
    program.add(end(ALLOW));
    return new SystemCallFilter(List.copyOf(program));
  }

  /// The check of socket calls; any other call jumps over it with its number still loaded.
  private static List<Instruction> sockets(Numbers numbers) {
    int families = FAMILIES.size();
    List<Instruction> program = new ArrayList<>();
    program.add(new Instruction(IF_EQUAL, 1, 0, numbers.socket()));
    program.add(new Instruction(IF_EQUAL, 0, families + 3, numbers.socketPair()));
    program.add(load(FIRST_ARGUMENT));
    for (int index = 0; index < families; index++) {
      program.add(new Instruction(IF_EQUAL, families - index, 0, FAMILIES.get(index)));
    }
    program.add(end(NO_FAMILY));
    program.add(end(ALLOW));
    return program;
  }

  /// The program in the kernel's binary form.
  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(program.size() * 8).order(ByteOrder.nativeOrder());
    for (Instruction step : program) {
      bytes.putShort((short) step.code());
      bytes.put((byte) step.ifTrue()).put((byte) step.ifFalse());
      bytes.putInt(step.value());
    }
    return bytes.array();
  }

  private static Instruction load(int offset) {
    return new Instruction(LOAD, 0, 0, offset);
  }

  private static Instruction end(int verdict) {
    return new Instruction(RETURN, 0, 0, verdict);
  }
}
