<?php

declare(strict_types=1);

namespace Posthorn;

/** Verifies signed calls of the service by the Standard Webhooks specification. */
final class Webhook
{
    private const TOLERANCE = 300;

    /**
     * Returns the content of a call that the service signed with this secret (`whsec_...`) within the last five minutes;
     * null if the body is empty. Otherwise it throws a `WebhookException`. `payload` is the unchanged body. The names of
     * `headers` may have any case, as from `getallheaders()`. The same `webhook-id` may arrive more than once.
     *
     * @param array<string, string> $headers
     */
    public static function verify(string $payload, array $headers, string $secret, ?int $now = null): mixed
    {
        $lower = array_change_key_case($headers);
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (!is_string($lower[$name] ?? null) || $lower[$name] === '') {
                throw new WebhookException('headers', "The header $name is missing.");
            }
        }
        $timestamp = $lower['webhook-timestamp'];
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1 || abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE) {
            throw new WebhookException('timestamp', 'The call is more than five minutes off.');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false) {
            throw new \InvalidArgumentException('The secret is no base64.');
        }
        $expected = hash_hmac('sha256', "{$lower['webhook-id']}.$timestamp.$payload", $key, true);
        // During a rotation a call has two signatures, of the new and the old secret.
        foreach (explode(' ', $lower['webhook-signature']) as $signature) {
            if (!str_starts_with($signature, 'v1,')) {
                continue;
            }
            if (hash_equals($expected, (string) base64_decode(substr($signature, 3), true))) {
                return $payload === '' ? null : json_decode($payload, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new WebhookException('signature', 'No signature matches the secret.');
    }
}
