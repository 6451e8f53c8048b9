<?php

declare(strict_types=1);

namespace Posthorn;

/**
 * A list. Iterating requests pages as they are needed; `page` requests only the one that the arguments name.
 *
 * @implements \IteratorAggregate<int, mixed>
 */
final class Items implements \IteratorAggregate
{
    /** @param array<string, mixed> $given */
    public function __construct(
        private readonly Requests $requests,
        private readonly string $method,
        private readonly string $route,
        private readonly array $given,
    ) {
    }

    /** @return array<string, mixed> */
    public function page(): array
    {
        return $this->pageAt([]);
    }

    public function getIterator(): \Generator
    {
        $position = [];
        while ($position !== null) {
            $page = $this->pageAt($position);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $number = $page['page'] ?? 0;
            $position = match (true) {
                isset($page['cursor']) => ['cursor' => $page['cursor']],
                $number < ($page['totalPages'] ?? 0) => ['page' => $number + 1],
                default => null,
            };
        }
    }

    /**
     * @param array<string, mixed> $position
     * @return array<string, mixed>
     */
    private function pageAt(array $position): array
    {
        $given = [...$this->given, ...$position];
        return $this->method === 'GET'
            ? $this->requests->call('GET', $this->route, query: $given)
            : $this->requests->call($this->method, $this->route, body: $given);
    }
}
