package agentsessions.runner.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The system calls an agent has no use for and an attack on the kernel has: a filter for
/// bubblewrap's `--seccomp`, as a program of the kernel's classic BPF. What it refuses fails with
/// `EPERM`, as it would without the privilege; everything else is as it was.
///
/// Sockets are made in the families that programs talk in, and in no other: some are of no network
/// namespace, such as the one to a virtual machine's host, so `--unshare-net` does not close them.
/// For the rest a program is told that this kernel has no such family.
///
/// New namespaces of users are refused whichever way they are asked for. For `clone3`, whose flags
/// a filter cannot see, programs are told that there is no such call, and take `clone`. Other ways
/// of calling than the machine's own (32 bits) are refused altogether.
record SystemCalls(List<Instruction> program) {
  private static final int LOAD = 0x20;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_AT_LEAST = 0x35;
  private static final int IF_ANY_BIT = 0x45;
  private static final int RETURN = 0x06;

  private static final int ALLOW = 0x7fff0000;
  private static final int REFUSE = 0x00050000 | 1; // EPERM
  private static final int UNKNOWN = 0x00050000 | 38; // ENOSYS
  private static final int NO_FAMILY = 0x00050000 | 97; // EAFNOSUPPORT

  /// Where the kernel puts what is asked about.
  private static final int NUMBER = 0;

  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;

  private static final int NEW_USERS = 0x10000000;
  private static final int X32 = 0x40000000;

  /// By which programs talk with each other, with the network, and with the kernel about it.
  private static final List<Integer> FAMILIES = List.of(1, 2, 10, 16); // unix, inet, inet6, netlink

  /// One step: jumps are counted from the next step on.
  record Instruction(int code, int ifTrue, int ifFalse, int value) {}

  /// The calls' numbers, which differ by processor.
  ///
  /// @param fork `clone`; with `unshare`, refused only for namespaces of users
  /// @param socket with `socketPair`, refused only for families that nobody needs
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

  /// For this machine; empty where its processor is not known here.
  static Optional<SystemCalls> ofThisMachine() {
    return Numbers.of(System.getProperty("os.arch")).map(SystemCalls::of);
  }

  static SystemCalls of(Numbers numbers) {
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
    return new SystemCalls(List.copyOf(program));
  }

  /// Any other call goes past it, with its number still loaded.
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

  /// As the kernel reads it.
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
