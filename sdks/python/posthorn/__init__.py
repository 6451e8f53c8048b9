"""Client of the Posthorn API."""

from ._client import Posthorn
from ._requests import PosthornError
from .webhooks import WebhookError, verify_webhook

__all__ = ["Posthorn", "PosthornError", "WebhookError", "verify_webhook"]
