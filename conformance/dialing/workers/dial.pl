# Request strings with LWP.
use strict;
use warnings;
use Encode qw(decode);
use LWP::UserAgent;

$| = 1;
my $agent = LWP::UserAgent->new(timeout => 10, protocols_allowed => ["http", "https"]);
while (my $line = <STDIN>) {
    chomp $line;
    my $text = decode("UTF-8", pack("H*", substr($line, 1)));
    eval { $agent->get($text) };
    print "\n";
}
