# Read strings with the Perl module URI; _programs.py describes the input and the output.
use strict;
use warnings;
use Encode qw(decode encode);
use URI;

# A class has methods only for the components that its scheme has.
sub component {
    my ($uri, $method) = @_;
    return $uri->can($method) ? $uri->$method : undef;
}

while (my $line = <STDIN>) {
    chomp $line;
    my $text = decode("UTF-8", pack("H*", substr($line, 1)));
    my @fields = eval {
        my $uri = URI->new($text);
        my $path = $uri->can("path") ? $uri->path : $uri->opaque;
        (
            scheme => $uri->scheme,
            (map { ($_ => component($uri, $_)) } qw(userinfo host port)),
            path => $path,
            query => component($uri, "query"),
            fragment => $uri->fragment,
        );
    };
    if ($@) {
        print "! ", unpack("H*", encode("UTF-8", $@)), "\n";
        next;
    }
    print "+";
    while (my ($name, $value) = splice @fields, 0, 2) {
        print " $name=", unpack("H*", encode("UTF-8", $value)) if defined $value;
    }
    print "\n";
}
