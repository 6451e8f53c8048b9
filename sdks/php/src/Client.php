<?php

declare(strict_types=1);

namespace Posthorn;

/**
 * Calls the API with the keys of a project. A call returns the data of the answer, or throws a `PosthornException`. Only
 * calls that are safe to repeat are retried: reads, and writes that carry an Idempotency-Key.
 *
 * `track` takes the public key (`pk_`), everything else the secret key (`sk_`) or an API key (`ph_`).
 */
final class Client extends Resources
{
    public function __construct(
        ?string $secretKey = null,
        ?string $publicKey = null,
        string $baseUrl = 'http://127.0.0.1:3000',
        float $timeout = 30.0,
        int $retries = 2,
    ) {
        parent::__construct(new Requests($secretKey, $publicKey, rtrim($baseUrl, '/'), $timeout, $retries));
    }
}
