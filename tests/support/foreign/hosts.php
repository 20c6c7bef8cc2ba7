<?php
// Print the host that PHP's parse_url sees; readers.py describes its input and output.
while (($line = fgets(STDIN)) !== false) {
    $host = parse_url(hex2bin(rtrim($line)), PHP_URL_HOST);
    echo $host === false ? "-" : "=" . bin2hex($host ?? ""), "\n";
}
