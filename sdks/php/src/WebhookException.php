<?php

declare(strict_types=1);

namespace Posthorn;

/** The call cannot be verified. Answer it with 401 and ignore it. `reason` is headers, timestamp or signature. */
final class WebhookException extends \RuntimeException
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
