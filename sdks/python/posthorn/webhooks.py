"""
Verifies signed calls of the service, from WEBHOOK steps and event webhooks, by the Standard Webhooks specification.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Literal, Mapping

TOLERANCE = 5 * 60

Reason = Literal["headers", "timestamp", "signature"]


class WebhookError(Exception):
    """
    The call cannot be verified. Answer it with 401 and ignore it. `reason` says why: a header is missing, the time is
    more than five minutes off, or no signature matches.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(payload: str | bytes, headers: Mapping[str, str], secret: str) -> Any:
    """
    Returns the content of a call that the service signed with this secret (`whsec_...`) within the last five minutes;
    None if the body is empty. Otherwise it raises a `WebhookError`. `payload` is the unchanged body, byte for byte.
    The names of `headers` may have any case. The same `webhook-id` may arrive more than once.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (
        _header(lower, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise WebhookError("timestamp", "The call is more than five minutes off.")
    body = payload.encode() if isinstance(payload, str) else payload
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    # During a rotation a call has two signatures, of the new and the old secret.
    for signature in signatures.split(" "):
        if signature.startswith("v1,") and hmac.compare_digest(_bytes_of(signature[3:]), expected):
            return None if body == b"" else json.loads(body)
    raise WebhookError("signature", "No signature matches the secret.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookError("headers", f"The header {name} is missing.")
    return value


def _bytes_of(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
