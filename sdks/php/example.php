<?php

require __DIR__ . '/autoload.php';

$posthorn = new Posthorn\Client(secretKey: getenv('POSTHORN_KEY'), baseUrl: getenv('POSTHORN_URL'));
$sent = $posthorn->send(['to' => 'anna@example.com', 'from' => 'hi@posthorn.test', 'subject' => 'Hi', 'body' => '<p>Hi</p>']);
do {
    usleep(100_000);
    $mail = $posthorn->emails->get($sent['emails'][0]['email']);
} while (in_array($mail['status'], ['PENDING', 'SENDING'], true));
echo "The mail to {$mail['to']} is {$mail['status']}.\n";
