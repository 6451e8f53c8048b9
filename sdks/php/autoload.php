<?php

// For those who do not use Composer: require this file.

declare(strict_types=1);

foreach (['PosthornException', 'WebhookException', 'Webhook', 'Requests', 'Items', 'Resources', 'Client'] as $name) {
    require_once __DIR__ . "/src/$name.php";
}
