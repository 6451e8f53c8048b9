<?php

// Answers with the given answers, one after the other, and keeps the requests. Run by the PHP server of run.php.

$log = getenv('REQUESTS');
$seen = is_file($log) ? file($log) : [];
$answers = json_decode(file_get_contents(getenv('ANSWERS')), true);
[$status, $headers, $content] = $answers[count($seen)];
$request = [$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], array_change_key_case(getallheaders()), file_get_contents('php://input'), $_FILES];
file_put_contents($log, json_encode($request) . "\n", FILE_APPEND);
http_response_code($status);
foreach (['content-type' => 'application/json', ...$headers] as $name => $value) {
    header("$name: $value");
}
echo $content;
