<?php

declare(strict_types=1);

namespace Posthorn;

/** Sends the requests of all methods. */
final class Requests
{
    private const PASSING = [408, 429, 500, 502, 503, 504];
    private const MAX_RETRY_AFTER = 60;
    private const LONGEST_BACKOFF = 8.0;

    /** @var \Closure(float): void */
    public \Closure $pause;

    public function __construct(
        private readonly ?string $secretKey,
        private readonly ?string $publicKey,
        private readonly string $baseUrl,
        private readonly float $timeout,
        private readonly int $retries,
    ) {
        $this->pause = static fn (float $seconds) => usleep((int) ($seconds * 1_000_000));
    }

    /** Puts encoded parameters into a path. One that would change the path is refused. */
    public static function path(string $template, string ...$parameters): string
    {
        foreach ($parameters as $parameter) {
            if (preg_match('/^\.{0,2}$/D', $parameter) === 1) {
                throw new PosthornException('INVALID_ARGUMENT', 'A parameter of the path is empty.');
            }
        }
        return vsprintf($template, array_map('rawurlencode', $parameters));
    }

    /** @param array<string, mixed> $query */
    public function call(
        string $method,
        string $route,
        array $query = [],
        mixed $body = null,
        bool $public = false,
        bool $keyed = false,
        ?string $idempotencyKey = null,
        bool $asForm = false,
        bool $stream = false,
    ): mixed {
        $headers = $this->headers("$method $route", $public);
        $content = null;
        if ($asForm) {
            [$content, $headers['Content-Type']] = self::form($body ?? []);
        } elseif ($body !== null) {
            // An empty array is an object here: no body of the API is a list.
            $content = json_encode($body === [] ? new \stdClass() : $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
            $headers['Content-Type'] = 'application/json';
            $headers['Prefer'] = 'handling=strict';
        }
        if ($keyed) {
            $key = $idempotencyKey ?? bin2hex(random_bytes(16));
            if (preg_match('/[^\x20-\x7e]/', $key) === 1) {
                throw new PosthornException('INVALID_ARGUMENT', 'An Idempotency-Key has printable ASCII characters only.');
            }
            $headers['Idempotency-Key'] = $key;
        }
        $repeatable = $keyed || !in_array($method, ['POST', 'PATCH'], true);
        for ($tries = 1; ; $tries++) {
            try {
                return $this->attempt($method, $this->baseUrl . $route . self::queryText($query), $headers, $content, $stream);
            } catch (PosthornException $error) {
                $delay = self::delayOf($tries, $error->retryAfter);
                if (!$repeatable || $tries > $this->retries || $delay === null || !self::mayPass($error, $tries > 1)) {
                    throw $error;
                }
                ($this->pause)($delay);
            }
            if ($keyed) {
                // The stored answer of the first attempt, if there is one.
                $headers['Idempotency-Mode'] = 'replay';
            }
        }
    }

    /** @return array<string, string> */
    private function headers(string $call, bool $public): array
    {
        [$name, $begins, $key] = $public
            ? ['publicKey', 'pk_', $this->publicKey]
            : ['secretKey', 'sk_ or ph_', $this->secretKey];
        if ($key === null || preg_match($public ? '/^pk_[\x21-\x7e]+$/D' : '/^(?:sk|ph)_[\x21-\x7e]+$/D', $key) !== 1) {
            throw new PosthornException('MISSING_KEY', "$call needs a key that begins with $begins: new Client($name: ...).");
        }
        return ['Authorization' => "Bearer $key", 'User-Agent' => 'posthorn-php'];
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = array_map(
            static fn (mixed $value) => is_bool($value) ? ($value ? 'true' : 'false') : $value,
            array_filter($query, static fn (mixed $value) => $value !== null),
        );
        return $given === [] ? '' : '?' . http_build_query($given);
    }

    /**
     * multipart/form-data (RFC 7578). A file is an array of its name, its content and its media type.
     *
     * @param array<string, mixed> $fields
     * @return array{string, string}
     */
    private static function form(array $fields): array
    {
        $boundary = bin2hex(random_bytes(16));
        $escaped = static fn (string $name) => str_replace(['"', "\r", "\n"], ['%22', '%0D', '%0A'], $name);
        $parts = '';
        foreach (array_filter($fields, static fn (mixed $value) => $value !== null) as $name => $value) {
            $head = 'Content-Disposition: form-data; name="' . $escaped($name) . '"';
            if (is_array($value)) {
                [$file, $value, $type] = $value;
                $head .= '; filename="' . $escaped($file) . "\"\r\nContent-Type: " . str_replace(["\r", "\n"], '', $type);
            }
            $text = is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
            $parts .= "--$boundary\r\n$head\r\n\r\n$text\r\n";
        }
        return ["$parts--$boundary--\r\n", "multipart/form-data; boundary=$boundary"];
    }

    /** @param array<string, string> $headers */
    private function attempt(string $method, string $url, array $headers, ?string $content, bool $stream): mixed
    {
        $lines = array_map(static fn (string $name, string $value) => "$name: $value", array_keys($headers), $headers);
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $lines,
            'content' => $content ?? '',
            'timeout' => $this->timeout,
            'ignore_errors' => true,
            // The API redirects nowhere, and a key must not follow a redirect to another host.
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ]]);
        $response = @fopen($url, 'rb', false, $context);
        if ($response === false) {
            $reason = error_get_last()['message'] ?? 'no answer';
            throw new PosthornException('NETWORK_ERROR', "The server was not reached, or the connection broke: $reason.");
        }
        [$status, $given] = self::head(stream_get_meta_data($response)['wrapper_data'] ?? []);
        if ($stream && $status >= 200 && $status < 300) {
            return $response;
        }
        $text = stream_get_contents($response);
        $isWhole = $text !== false && !stream_get_meta_data($response)['timed_out']
            && (!isset($given['content-length']) || strlen($text) >= (int) $given['content-length']);
        fclose($response);
        if (!$isWhole) {
            throw new PosthornException('NETWORK_ERROR', 'The connection broke before the end of the answer.');
        }
        if ($status < 200 || $status >= 300) {
            throw self::errorOf($status, $given, $text);
        }
        if ($status === 204) {
            return null;
        }
        if (!str_contains($given['content-type'] ?? '', 'json')) {
            return $text;
        }
        $parsed = json_decode($text, true);
        if ($parsed === null && trim($text) !== 'null') {
            throw self::errorOf($status, $given, '');
        }
        $isEnvelope = is_array($parsed) && ($parsed['success'] ?? null) === true && array_key_exists('data', $parsed);
        return $isEnvelope ? $parsed['data'] : $parsed;
    }

    /**
     * @param list<string> $lines
     * @return array{int, array<string, string>}
     */
    private static function head(array $lines): array
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('/^HTTP\/\S+ (\d{3})/', $line, $found) === 1) {
                [$status, $headers] = [(int) $found[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
        }
        return [$status, $headers];
    }

    /** @param array<string, string> $headers */
    private static function errorOf(int $status, array $headers, string $text): PosthornException
    {
        $requestId = $headers['x-request-id'] ?? null;
        $retryAfter = $headers['retry-after'] ?? null;
        $parsed = json_decode($text, true);
        $error = is_array($parsed) ? ($parsed['error'] ?? null) : null;
        if (is_string($error) && $status === 400) {
            return new PosthornException('BAD_REQUEST', $error, $status, requestId: $requestId);
        }
        if (!is_array($error) || !is_string($error['code'] ?? null)) {
            $message = "The response does not come from the service: status $status.";
            return new PosthornException('UNEXPECTED_RESPONSE', $message, $status, requestId: $requestId, retryAfter: $retryAfter);
        }
        $details = is_array($error['details'] ?? null) ? $error['details'] : [];
        $isUnverified = ($details['reason'] ?? null) === 'sender_domain_unverified';
        return new PosthornException(
            $isUnverified ? 'SENDER_DOMAIN_UNVERIFIED' : $error['code'],
            $error['message'] ?? '',
            $status,
            $error['suggestion'] ?? null,
            $details,
            $error['requestId'] ?? $requestId,
            $retryAfter,
        );
    }

    /** Whether a retry can succeed. A key counts as in use while our own earlier attempt still runs. */
    private static function mayPass(PosthornException $error, bool $isRetry): bool
    {
        $isOwn = $error->errorCode === 'IDEMPOTENCY_KEY_REUSED' && !isset($error->details['originalStatusCode']);
        return $error->errorCode === 'NETWORK_ERROR' || in_array($error->status, self::PASSING, true) || ($isRetry && $isOwn);
    }

    /** The asked time; otherwise half a second, doubled up to eight, minus a random part. Null: too long to wait. */
    private static function delayOf(int $tries, ?string $retryAfter): ?float
    {
        $seconds = null;
        if ($retryAfter !== null && preg_match('/^\d{1,9}$/D', $retryAfter) === 1) {
            $seconds = (float) $retryAfter;
        } elseif ($retryAfter !== null && ($date = strtotime($retryAfter)) !== false) {
            $seconds = max(0.0, (float) ($date - time()));
        }
        if ($seconds === null) {
            return min(0.5 * 2 ** ($tries - 1), self::LONGEST_BACKOFF) * (1 - random_int(0, 1000) / 2000);
        }
        return $seconds > self::MAX_RETRY_AFTER ? null : $seconds;
    }
}
