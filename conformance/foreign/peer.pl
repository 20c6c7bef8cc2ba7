# Answer calls with the Perl module URI; foreign.py describes the input and the output.
use strict;
use warnings;
use Encode qw(decode encode);
use URI;

my %operations = (
    host => sub { my $uri = URI->new(shift); $uri->can("host") ? $uri->host // "" : "" },
    resolve => sub { my ($base, $reference) = @_; URI->new_abs($reference, $base)->as_string },
    normalize => sub { URI->new(shift)->canonical->as_string },
    text => sub { URI->new(shift)->as_string },
);

while (my $line = <STDIN>) {
    my ($name, @words) = split " ", $line;
    my @texts = map { $_ eq "." ? "" : decode("UTF-8", pack("H*", $_)) } @words;
    my $result = eval { $operations{$name}->(@texts) };
    print defined $result
        ? "=" . unpack("H*", encode("UTF-8", $result))
        : "!" . unpack("H*", encode("UTF-8", $@)), "\n";
}
