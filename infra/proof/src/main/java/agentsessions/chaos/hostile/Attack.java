package agentsessions.chaos.hostile;

/// The attacks of a hostile session. Each takes more than its share of one resource: memory of the
/// runner, connections, memory or disk of the machine, inodes, processes, space in the transcript.
enum Attack {
  /// Lines of 8 MB that are millions of JSON values each.
  LINES(
      "lines",
      "perl -e '$line = \"[\" . (\"{},\" x 2_700_000) . \"{}]\\n\"; print $line for 1 .. 7'"),

  /// Nearly 50,000 names of more than 3,000 bytes.
  NAMES(
      "shell",
      """
      name=$(printf 'n%.0s' $(seq 250)); path=.
      for i in $(seq 13); do path=$path/$name; mkdir -p $path; done
      cd -P $path && seq 49900 | xargs touch; echo made
      """),

  /// Thousands of connections to the model's proxy, each with half a request.
  CONNECTIONS(
      "talker",
      """
      for i in $(seq 8); do
        perl -MIO::Socket::UNIX -e '
          for (1 .. 2500) {
            my $s = IO::Socket::UNIX->new(Peer => "/run/model") or next;
            syswrite $s, "GET / HTTP/1.1\\r\\nX: " . ("x" x 6000);
            push @all, $s;
          }
          sleep 10' 2>/dev/null &
      done
      wait; echo connected
      """),

  /// More memory than the turns of the machine may have together, in processes and in files.
  MEMORY(
      "shell",
      """
      head -c 1G /dev/zero > /dev/shm/fill 2>/dev/null
      perl -e 'push @all, "x" x 50_000_000 for 1 .. 2000; sleep 10'
      """),

  /// All of the free disk.
  DISK(
      "shell",
      """
      for i in $(seq 40); do head -c 900000000 /dev/zero > /io/f$i; cp /io/f$i /workspace/f$i; done
      """),

  /// Open files without a name, which a scan of the folder does not find (S-H2).
  UNLINKED(
      "shell",
      """
      perl -e '
        for (1 .. 40) {
          open my $file, ">", "hidden" or last;
          unlink "hidden";
          for (1 .. 10) { print $file "x" x 10_000_000 or last }
          push @all, $file;
        }
        sleep 60'
      echo hidden
      """),

  /// A hundred thousand empty files (S-H3).
  INODES(
      "shell",
      """
      perl -e 'for my $d (1 .. 100) { mkdir $d; open my $f, ">", "$d/$_" for 1 .. 1000 }'
      echo empty
      """),

  /// Kernel memory of connections whose other end does not read (S-M2).
  SOCKETS(
      "shell",
      """
      perl -MIO::Socket::INET -e '
        my $door = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die "no door";
        for (1 .. 200) {
          my $one = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $door->sockport);
          my $other = $one && $door->accept or last;
          $one->blocking(0);
          1 while defined syswrite $one, "x" x 65_536;
          push @all, $one, $other;
        }
        sleep 10'
      echo unread
      """),

  /// A fork bomb.
  FORKS("shell", "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 10; echo forked"),

  /// Sparse files whose lengths are more than the disk holds.
  SPARSE(
      "shell",
      "for i in $(seq 40); do truncate -s 1G plan$i.md; echo $i >> plan$i.md; done; echo sparse"),

  /// Stops the sandbox's first process, so that the end of the agent is not noticed.
  HELD(
      "shell",
      "perl -e 'syscall(101, 16, 1, 0, 0); syscall(101, 16, getppid, 0, 0); kill STOP => 1';"
          + " echo held"),

  /// Processes that outlive their parent and ignore signals.
  SURVIVORS(
      "shell",
      """
      for i in $(seq 20); do
        setsid nohup bash -c 'trap "" INT TERM HUP; while :; do :; done' > /dev/null 2>&1 &
      done
      echo left
      """),

  /// Folders without any permission, and nested deeper than a path may be long.
  CLOSED(
      "shell",
      """
      for i in $(seq 300); do mkdir -p deep-and-deeper-still && cd deep-and-deeper-still; done
      cd /workspace; mkdir -p shut/in; echo private > shut/in/file; chmod 000 shut/in shut
      echo closed
      """),

  /// An endless stream of events.
  EVENTS("lines", "timeout 10 yes '{\"type\": \"said\", \"text\": \"again\"}'");

  private final String agent;
  private final String script;

  Attack(String agent, String script) {
    this.agent = agent;
    this.script = script;
  }

  /// The agent of {@link #CATALOGUE} that runs this attack.
  String agent() {
    return agent;
  }

  String script() {
    return script;
  }

  /// Agents that run their message as a script: one like the packaged shell agent, one that is read
  /// line by line, one that may talk to a model.
  static final String CATALOGUE =
      """
      shell:
        description: Runs the message.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        network: none
      lines:
        description: Runs the message, and is read line by line.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: jsonl, where: {/type: result}, pointer: /result}
        events:
          - type: message
            where: {/type: said}
            text: /text
        network: none
      talker:
        description: Runs the message, which may talk to a model.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        network: model
        model:
          url: http://127.0.0.1:9
          headers: {}
      """;
}
