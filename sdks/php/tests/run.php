<?php

// `php tests/run.php` runs the tests.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Posthorn\Client;
use Posthorn\PosthornException;
use Posthorn\Requests;
use Posthorn\Webhook;
use Posthorn\WebhookException;

$checks = 0;
$same = static function (mixed $found, mixed $wanted, string $about) use (&$checks): void {
    $checks++;
    if ($found !== $wanted) {
        fwrite(STDERR, "$about: " . json_encode($found) . ' instead of ' . json_encode($wanted) . "\n");
        exit(1);
    }
};

// The same calls as in the tests of the client for TypeScript.
$vectors = json_decode(file_get_contents(__DIR__ . '/../../webhook-vectors.json'), true);
$same(count($vectors) > 15, true, 'vectors');
foreach ($vectors as $vector) {
    try {
        $found = Webhook::verify($vector['body'], $vector['headers'], $vector['secret'], $vector['now']);
        $same([$found], [$vector['content'] ?? (array_key_exists('content', $vector) ? null : false)], $vector['about']);
    } catch (WebhookException $refused) {
        $same($refused->reason, $vector['reason'] ?? null, $vector['about']);
    }
}

$folder = sys_get_temp_dir() . '/posthorn-php-' . bin2hex(random_bytes(6));
mkdir($folder);
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$server = proc_open(
    [PHP_BINARY, '-S', $address, __DIR__ . '/router.php'],
    [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']],
    $pipes,
    null,
    ['REQUESTS' => "$folder/requests", 'ANSWERS' => "$folder/answers"],
);
register_shutdown_function(static function () use ($server, $folder): void {
    proc_terminate($server);
    array_map('unlink', glob("$folder/*"));
    rmdir($folder);
});
for ($tries = 0; !@stream_socket_client("tcp://$address") && $tries < 100; $tries++) {
    usleep(50_000);
}

$pauses = [];
/** Runs calls against the answers, and returns the requests and what came back: a value, or the error. */
$against = static function (array $answers, \Closure $work) use ($folder, $address, &$pauses): array {
    file_put_contents("$folder/answers", json_encode($answers));
    @unlink("$folder/requests");
    $pauses = [];
    $client = new Client('sk_a', baseUrl: "http://$address/");
    $requests = (new \ReflectionProperty(Posthorn\Resources::class, 'requests'))->getValue($client);
    $requests->pause = static function (float $seconds) use (&$pauses): void {
        $pauses[] = $seconds;
    };
    try {
        $result = $work($client);
    } catch (PosthornException $error) {
        $result = $error;
    }
    $lines = is_file("$folder/requests") ? file("$folder/requests") : [];
    return [array_map(static fn (string $line) => json_decode($line, true), $lines), $result];
};
$refusal = static fn (string $code) => json_encode(['success' => false, 'error' => ['code' => $code, 'message' => 'No.', 'requestId' => 'r-1']]);

[$requests, $sent] = $against(
    [[503, ['retry-after' => '3'], $refusal('SERVICE_UNAVAILABLE')], [200, [], '{"success":true,"data":{"emails":[]}}']],
    static fn (Client $client) => $client->send(['to' => 'a@example.com'], idempotencyKey: 'k-1'),
);
$same($sent, ['emails' => []], 'the envelope is opened');
$same([$requests[0][0], $requests[0][1], $requests[0][3]], ['POST', '/v1/send', '{"to":"a@example.com"}'], 'the request');
$same($requests[0][2]['authorization'], 'Bearer sk_a', 'the key');
$same([$requests[0][2]['idempotency-key'], $requests[1][2]['idempotency-key']], ['k-1', 'k-1'], 'the key of the call');
$same([$requests[0][2]['idempotency-mode'] ?? null, $requests[1][2]['idempotency-mode']], [null, 'replay'], 'the stored answer is asked for');
$same($pauses, [3.0], 'the asked time');

foreach ([
    [503, [], 'SERVICE_UNAVAILABLE', static fn (Client $client) => $client->contacts->upsert([])],
    [404, [], 'NOT_FOUND', static fn (Client $client) => $client->contacts->get('c')],
    [429, ['retry-after' => '61'], 'RATE_LIMITED', static fn (Client $client) => $client->contacts->get('c')],
] as [$status, $headers, $code, $work]) {
    [$requests, $error] = $against([[$status, $headers, $refusal($code)]], $work);
    $same([count($requests), $error->errorCode, $error->status, $error->requestId], [1, $code, $status, 'r-1'], "$code is not repeated");
}

[$requests, $found] = $against(
    [[200, [], '{"data":[1,2],"cursor":"next page"}'], [200, [], '{"data":[3]}']],
    static fn (Client $client) => iterator_to_array($client->contacts->list(limit: 2, subscribed: true), false),
);
$same($found, [1, 2, 3], 'the pages of a list');
$same($requests[0][1], '/contacts?limit=2&subscribed=true', 'the query');
$same(str_contains($requests[1][1], 'cursor=next+page'), true, 'the cursor');

[$requests] = $against([[200, [], '{"success":true,"data":null}']], static fn (Client $client) => $client->contacts->get('a/../b?c'));
$same($requests[0][1], '/contacts/a%2F..%2Fb%3Fc', 'an encoded parameter');
foreach (['', '.', '..'] as $id) {
    [$requests, $error] = $against([], static fn (Client $client) => $client->contacts->get($id));
    $same([$requests, $error->errorCode], [[], 'INVALID_ARGUMENT'], 'a parameter that changes the path');
}
[, $error] = $against([], static fn (Client $client) => $client->track(['event' => 'e', 'email' => 'a@example.com']));
$same($error->errorCode, 'MISSING_KEY', 'a missing key');
[, $error] = $against([[404, ['content-type' => 'text/html'], '<h1>']], static fn (Client $client) => $client->contacts->get('c'));
$same($error->errorCode, 'UNEXPECTED_RESPONSE', 'another server');
try {
    (new Client('sk_a', baseUrl: 'http://127.0.0.1:1', retries: 0))->contacts->get('c');
} catch (PosthornException $error) {
    $same($error->errorCode, 'NETWORK_ERROR', 'no server');
}
[$requests] = $against(
    [[200, [], '{"success":true,"data":{}}']],
    static fn (Client $client) => $client->uploads->image(['file' => ['a.png', "\x89PNG", 'image/png']]),
);
$same([$requests[0][4]['file']['name'], $requests[0][4]['file']['type'], $requests[0][4]['file']['size']], ['a.png', 'image/png', 4], 'a file');

echo "$checks checks passed.\n";
