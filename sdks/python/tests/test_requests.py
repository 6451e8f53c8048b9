"""Requests as a server sees them."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from posthorn import Posthorn, PosthornError


class Server:
    """Answers with the given answers, one after the other, and keeps the requests."""

    def __init__(self, *answers: tuple[int, dict[str, str], Any]) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        left = list(answers)
        kept = self.requests

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                kept.append((self.command, self.path, headers, self.rfile.read(length)))
                status, more, content = left.pop(0)
                body = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **more}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> "Server":
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


def refusal(code: str, **more: Any) -> dict[str, Any]:
    return {"success": False, "error": {"code": code, "message": "No.", "requestId": "r-1", **more}}


class Requests(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []
        patch = mock.patch("time.sleep", self.pauses.append)
        patch.start()
        self.addCleanup(patch.stop)

    def test_opens_the_envelope_and_names_the_caller(self) -> None:
        with Server((200, {}, {"success": True, "data": {"emails": []}})) as server:
            answer = Posthorn("sk_a", base_url=server.url).send({"to": "a@example.com"}, idempotency_key="k-1")
        method, path, headers, body = server.requests[0]
        self.assertEqual((answer, method, path), ({"emails": []}, "POST", "/v1/send"))
        self.assertEqual(headers["authorization"], "Bearer sk_a")
        self.assertEqual(headers["idempotency-key"], "k-1")
        self.assertEqual(json.loads(body), {"to": "a@example.com"})

    def test_repeats_a_write_with_its_key_and_asks_for_the_stored_answer(self) -> None:
        answers = (503, {"retry-after": "3"}, refusal("SERVICE_UNAVAILABLE")), (200, {}, {"success": True, "data": 1})
        with Server(*answers) as server:
            Posthorn("sk_a", base_url=server.url).send({})
        first, second = (headers for _, _, headers, _ in server.requests)
        self.assertEqual(first["idempotency-key"], second["idempotency-key"])
        self.assertNotIn("idempotency-mode", first)
        self.assertEqual(second["idempotency-mode"], "replay")
        self.assertEqual(self.pauses, [3.0])

    def test_repeats_no_write_without_a_key_no_decision_and_no_long_wait(self) -> None:
        unavailable = (503, {}, refusal("SERVICE_UNAVAILABLE"))
        for call, answer in (
            (lambda client: client.contacts.upsert({}), unavailable),
            (lambda client: client.contacts.get("c"), (404, {}, refusal("NOT_FOUND"))),
            (lambda client: client.contacts.get("c"), (429, {"retry-after": "61"}, refusal("RATE_LIMITED"))),
        ):
            with Server(answer) as server, self.assertRaises(PosthornError) as refused:
                call(Posthorn("sk_a", base_url=server.url))
            self.assertEqual((refused.exception.status, len(server.requests)), (answer[0], 1))
            self.assertEqual(refused.exception.request_id, "r-1")

    def test_goes_through_the_pages_of_a_list(self) -> None:
        pages = (200, {}, {"data": [1, 2], "cursor": "next page", "hasMore": True}), (200, {}, {"data": [3]})
        with Server(*pages) as server:
            found = list(Posthorn("sk_a", base_url=server.url).contacts.list(limit=2, subscribed=True))
        self.assertEqual(found, [1, 2, 3])
        paths = [path for _, path, _, _ in server.requests]
        self.assertEqual(paths[0], "/contacts?limit=2&subscribed=true")
        self.assertIn("cursor=next+page", paths[1])

    def test_encodes_parameters_and_refuses_those_that_change_the_path(self) -> None:
        with Server((200, {}, {"success": True, "data": None})) as server:
            client = Posthorn("sk_a", base_url=server.url)
            client.contacts.get("a/../b?c")
            self.assertEqual(server.requests[0][1], "/contacts/a%2F..%2Fb%3Fc")
            for id in ("", ".", ".."):
                with self.assertRaises(PosthornError):
                    client.contacts.get(id)
        self.assertEqual(len(server.requests), 1)

    def test_says_which_key_is_missing(self) -> None:
        for client, call in (
            (Posthorn(), lambda client: client.contacts.get("c")),
            (Posthorn("pk_a"), lambda client: client.contacts.get("c")),
            (Posthorn("sk_a"), lambda client: client.track({"event": "e", "email": "a@example.com"})),
        ):
            with self.assertRaises(PosthornError) as refused:
                call(client)
            self.assertEqual(refused.exception.code, "MISSING_KEY")

    def test_says_what_is_no_answer_of_the_service(self) -> None:
        with Server((502, {"content-type": "text/html"}, b"<h1>Bad gateway</h1>")) as server:
            with self.assertRaises(PosthornError) as refused:
                Posthorn("sk_a", base_url=server.url, retries=0).contacts.get("c")
        self.assertEqual(refused.exception.code, "UNEXPECTED_RESPONSE")
        with self.assertRaises(PosthornError) as refused:
            Posthorn("sk_a", base_url=server.url, retries=1).contacts.get("c")
        self.assertEqual((refused.exception.code, len(self.pauses)), ("NETWORK_ERROR", 1))

    def test_sends_files_as_a_form(self) -> None:
        with Server((200, {}, {"success": True, "data": {}})) as server:
            Posthorn("sk_a", base_url=server.url).uploads.image({"file": ('a".png', b"\x89PNG", "image/png")})
        _, _, headers, body = server.requests[0]
        boundary = headers["content-type"].removeprefix("multipart/form-data; boundary=")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a%22.png"\r\nContent-Type: image/png'
        self.assertEqual(body, f"{head}\r\n\r\n".encode() + b"\x89PNG" + f"\r\n--{boundary}--\r\n".encode())


if __name__ == "__main__":
    unittest.main()
