# Print the host that Perl's URI sees; readers.py describes its input and output.
use strict;
use warnings;
use Encode qw(decode encode);
use URI;

while (my $line = <STDIN>) {
    chomp $line;
    # It dies where it does not know the scheme: then `host` is no method.
    my $host = eval { URI->new(decode("UTF-8", pack("H*", $line)))->host // "" };
    print defined $host ? "=" . unpack("H*", encode("UTF-8", $host)) : "-", "\n";
}
