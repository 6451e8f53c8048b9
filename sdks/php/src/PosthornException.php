<?php

declare(strict_types=1);

namespace Posthorn;

/**
 * A request that the service refused, or that did not reach it. `errorCode` is one of the codes of the API, or
 * MISSING_KEY, INVALID_ARGUMENT, NETWORK_ERROR or UNEXPECTED_RESPONSE. `status` is 0 if there was no answer.
 */
final class PosthornException extends \RuntimeException
{
    /** @param array<string, mixed> $details */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly int $status = 0,
        public readonly ?string $suggestion = null,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly ?string $retryAfter = null,
    ) {
        parent::__construct("$errorCode: $message");
    }
}
