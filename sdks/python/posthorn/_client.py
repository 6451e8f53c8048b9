"""The client with all its resources."""

from __future__ import annotations

from ._requests import Requests
from ._resources import Resources


class Posthorn(Resources):
    """
    Calls the API with the keys of a project. A call returns the data of the answer, or raises a `PosthornError`. Only
    calls that are safe to repeat are retried: reads, and writes that carry an Idempotency-Key.

    `track` takes the public key (`pk_`), everything else the secret key (`sk_`) or an API key (`ph_`).
    """

    def __init__(
        self,
        secret_key: str | None = None,
        *,
        public_key: str | None = None,
        base_url: str = "http://127.0.0.1:3000",
        timeout: float = 30.0,
        retries: int = 2,
        user_agent: str = "posthorn-python",
    ) -> None:
        super().__init__(Requests(secret_key, public_key, base_url.rstrip("/"), timeout, retries, user_agent))
