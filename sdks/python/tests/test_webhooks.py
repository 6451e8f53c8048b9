"""The same calls as in the tests of the client for TypeScript."""

import json
import pathlib
import unittest
from unittest import mock

from posthorn import WebhookError, verify_webhook

VECTORS = json.loads((pathlib.Path(__file__).parents[2] / "webhook-vectors.json").read_text(encoding="utf-8"))


class Webhooks(unittest.TestCase):
    def test_vectors(self) -> None:
        self.assertGreater(len(VECTORS), 15)
        for vector in VECTORS:
            headers = {name.title(): value for name, value in vector["headers"].items()}
            for body in (vector["body"], vector["body"].encode()):
                with self.subTest(vector["about"]), mock.patch("time.time", return_value=vector["now"]):
                    if "reason" in vector:
                        with self.assertRaises(WebhookError) as refused:
                            verify_webhook(body, headers, vector["secret"])
                        self.assertEqual(refused.exception.reason, vector["reason"])
                    else:
                        self.assertEqual(verify_webhook(body, headers, vector["secret"]), vector["content"])


if __name__ == "__main__":
    unittest.main()
