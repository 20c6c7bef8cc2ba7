<?php
// Read strings with PHP's parse_url; _programs.py describes the input and the output.
while (($line = fgets(STDIN)) !== false) {
    $found = parse_url(hex2bin(substr(rtrim($line), 1)));
    if ($found === false) {
        echo "- ", bin2hex("parse_url returns false"), "\n";
        continue;
    }
    $user = $found["user"] ?? null;
    if (isset($found["pass"])) {
        $user .= ":" . $found["pass"];
    }
    $fields = [
        "scheme" => $found["scheme"] ?? null,
        "userinfo" => $user,
        "host" => $found["host"] ?? null,
        "port" => $found["port"] ?? null,
        "path" => $found["path"] ?? null,
        "query" => $found["query"] ?? null,
        "fragment" => $found["fragment"] ?? null,
    ];
    echo "+";
    foreach ($fields as $name => $value) {
        if ($value !== null) {
            echo " $name=", bin2hex((string) $value);
        }
    }
    echo "\n";
}
