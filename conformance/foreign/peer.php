<?php
// Answer calls with PHP's parse_url; foreign.py describes the input and the output.
while (($line = fgets(STDIN)) !== false) {
    [$name, $word] = explode(" ", rtrim($line));
    $parts = parse_url($word === "." ? "" : hex2bin($word));
    if ($parts === false) {
        echo "-\n";
    } else {
        echo "=", bin2hex($name === "host" ? $parts["host"] ?? "" : "valid"), "\n";
    }
}
