# Usage: perl bridge.pl PORT SOCKET [PORT SOCKET]...
# Forwards each connection from a port of loopback to a Unix socket, where a proxy of the runner listens. Prints a line once it listens
# on all ports. Uses nothing but what the smallest Perl of a distribution has.
use strict;
use Errno qw(EAGAIN);
use Fcntl qw(F_SETFL O_NONBLOCK);
use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);

# Connections at once, of two files each; those that come then wait to be accepted.
my $most = 400;
my $piece = 1 << 16;

# By file number: the open files; where a listener leads; and of a connection's two ends the other end, the bytes to be written, and
# whether nothing more is read from it.
my (%file, %path, %other, %bytes, %ended);

sub listen_at {
  my ($port, $path) = @_;
  socket my $listener, PF_INET, SOCK_STREAM, 0 or die "bridge: $!\n";
  bind $listener, pack_sockaddr_in $port, INADDR_LOOPBACK or die "bridge: $!\n";
  listen $listener, SOMAXCONN or die "bridge: $!\n";
  fcntl $listener, F_SETFL, O_NONBLOCK;
  $file{fileno $listener} = $listener;
  $path{fileno $listener} = $path;
}

# What cannot be connected is closed as it goes out of scope.
sub connect_next {
  my ($listener) = @_;
  my ($agent, $proxy);
  if (!accept $agent, $file{$listener}) {
    select undef, undef, undef, 0.05 if $! != EAGAIN;
    return;
  }
  socket $proxy, PF_UNIX, SOCK_STREAM, 0 or return;
  connect $proxy, pack_sockaddr_un $path{$listener} or return;
  setsockopt $agent, IPPROTO_TCP, TCP_NODELAY, 1;
  my ($one, $two) = (fileno $agent, fileno $proxy);
  fcntl $_, F_SETFL, O_NONBLOCK for $agent, $proxy;
  @file{$one, $two} = ($agent, $proxy);
  @other{$one, $two} = ($two, $one);
  @bytes{$one, $two} = ('', '');
}

# Only called while the other end has nothing to write, so memory is bounded, and a slow reader slows the writer.
sub read_from {
  my ($end) = @_;
  my $got = sysread $file{$end}, $bytes{$other{$end}}, $piece;
  if ($got) {
    write_to($other{$end});
  } elsif (defined $got || $! != EAGAIN) {
    shutdown $file{$other{$end}}, 1;
    end_of($end);
  }
}

# Where nobody reads any more, what is on its way back still arrives.
sub write_to {
  my ($end) = @_;
  my $sent = syswrite $file{$end}, $bytes{$end};
  if (defined $sent) {
    substr $bytes{$end}, 0, $sent, '';
  } elsif ($! != EAGAIN) {
    $bytes{$end} = '';
    end_of($other{$end});
  }
}

sub end_of {
  my ($end) = @_;
  my $other = $other{$end};
  $ended{$end} = 1;
  if ($ended{$other}) {
    delete @$_{$end, $other} for \%file, \%other, \%bytes, \%ended;
  }
}

$SIG{PIPE} = 'IGNORE';
listen_at(splice @ARGV, 0, 2) while @ARGV;
syswrite STDOUT, "listens\n";

while (1) {
  my ($reads, $writes) = ('', '');
  for my $number (keys %file) {
    my $other = $other{$number};
    if (defined $other) {
      vec($reads, $number, 1) = !$ended{$number} && $bytes{$other} eq '';
      vec($writes, $number, 1) = $bytes{$number} ne '';
    } else {
      vec($reads, $number, 1) = keys %other < 2 * $most;
    }
  }
  next if select($reads, $writes, undef, undef) < 0;
  for my $number (keys %file) {
    write_to($number) if exists $file{$number} && vec $writes, $number, 1;
    next unless exists $file{$number} && vec $reads, $number, 1;
    defined $other{$number} ? read_from($number) : connect_next($number);
  }
}
