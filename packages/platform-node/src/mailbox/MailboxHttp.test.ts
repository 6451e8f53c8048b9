import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { layer } from "./MailboxHttp.ts"
import { mailsOnPage } from "./MailboxPages.ts"
import { MailboxStore } from "./MailboxStore.ts"
import { mailOf, store } from "./MailboxTesting.ts"

const publicUrl = "http://localhost:3000"

/** A mailbox for one test, and its pages as a browser or a user's test requests them. */
const start = Effect.gen(function* () {
  const context = yield* Layer.build(store)
  const mailbox = yield* Effect.provide(MailboxStore, context)
  const app = Layer.provide(layer({ publicUrl, open: false }), Layer.succeedContext(context))
  const { handler } = yield* Effect.acquireRelease(
    Effect.sync(() => HttpRouter.toWebHandler(app, { disableLogger: true })),
    ({ dispose }) => Effect.promise(dispose)
  )
  const ask = (path: string, method = "GET", headers: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const request = new Request(publicUrl + path, { method, headers: { host: "localhost:3000", ...headers } })
      const response = await handler(request)
      return { status: response.status, headers: response.headers, body: await response.text() }
    })
  const keep = (text: string, to = "anna@example.com") =>
    mailbox.keep({ from: "bounces@posthorn.test", to }, mailOf(text))
  return { ask, keep, mailbox }
})

const json = (body: string) => JSON.parse(body)

const emailId = "019a9f3c-0000-7000-8000-0000000000a1"

const newsletter = `From: News <news@posthorn.test>
To: anna@example.com
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
X-Posthorn-Email-Id: ${emailId}
Received: one
Received: two
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

Hello
--b
Content-Type: text/html; charset=utf-8

<!doctype html><p>Hello <a href="https://example.com/?a=1&amp;b=2">there</a></p>
--b--
`

const withAttachment = `Subject: Invoice
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Here it is.
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename*=utf-8''M%C3%BCller.pdf
Content-Transfer-Encoding: base64

JVBERi0xLjc=
--b--
`

const hostile = `From: "<img src=x onerror=alert(1)>" <evil@posthorn.test>
Subject: "><script>alert('subject')</script>
X-<b>Header</b>: </pre><script>alert('header')</script>
Content-Type: text/html

</iframe><script>alert('body')</script><a href="javascript:alert('link')">x</a>
`

it.effect("JSON has the complete record of the contract", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id, receivedAt, size } = yield* keep(newsletter)
    const { status, headers, body } = yield* ask("/dev/mailbox.json")
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.deepStrictEqual(json(body), {
      data: [
        {
          id,
          emailId,
          from: "news@posthorn.test",
          to: "anna@example.com",
          subject: "Grüße",
          receivedAt: DateTime.formatIso(receivedAt),
          size,
          text: "Hello\n",
          html: '<!doctype html><p>Hello <a href="https://example.com/?a=1&amp;b=2">there</a></p>\n',
          headers: {
            from: "News <news@posthorn.test>",
            to: "anna@example.com",
            subject: "=?utf-8?q?Gr=C3=BC=C3=9Fe?=",
            "x-posthorn-email-id": emailId,
            received: "one\ntwo",
            "content-type": "multipart/alternative; boundary=b"
          }
        }
      ],
      total: 1
    })
  })
)

it.effect("JSON filters by recipient, counts all, and returns 20 by default", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    for (let n = 0; n < 22; n++) yield* keep("Subject: x\n\n")
    yield* keep("Subject: last\n\n", "ben@example.com")
    const get = (query: string) => Effect.map(ask(`/dev/mailbox.json${query}`), ({ body }) => json(body))
    const all = yield* get("")
    assert.deepStrictEqual([all.data.length, all.total, all.data[0].subject], [20, 23, "last"])
    const bens = yield* get("?to=BEN@example.com&limit=5")
    assert.deepStrictEqual([bens.data.length, bens.total], [1, 1])
    assert.strictEqual((yield* get("?limit=500")).data.length, 23)
    assert.strictEqual((yield* get("?limit=2")).data.length, 2)
    assert.deepStrictEqual(yield* get("?to=nobody@example.com"), { data: [], total: 0 })
  })
)

it.effect("JSON has pages, finds by text and by the id of the email, and can leave out the content", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    for (let n = 0; n < 4; n++) yield* keep(`Subject: Order ${n}\n\n`, "ben@example.com")
    const { id } = yield* keep(newsletter)
    const get = (query: string) => Effect.map(ask(`/dev/mailbox.json${query}`), ({ body }) => json(body))
    const subjects = (query: string) =>
      Effect.map(get(query), ({ data, total }) => [data.map((mail: { subject: string }) => mail.subject), total])
    assert.deepStrictEqual(yield* subjects("?limit=2&page=2"), [["Order 2", "Order 1"], 5])
    assert.deepStrictEqual(yield* subjects("?limit=2&page=4"), [[], 5])
    assert.deepStrictEqual(yield* subjects("?search=%20ORDER%203"), [["Order 3"], 1])
    assert.deepStrictEqual(yield* subjects("?search=ben@&to=anna@example.com"), [[], 0])
    assert.deepStrictEqual(yield* subjects(`?emailId=${emailId.toUpperCase()}`), [["Grüße"], 1])
    assert.deepStrictEqual(yield* subjects(`?emailId=${id}`), [[], 0])
    const { data } = yield* get("?content=false&limit=1")
    assert.deepStrictEqual(Object.keys(data[0]), ["id", "emailId", "from", "to", "subject", "receivedAt", "size"])
    assert.deepInclude((yield* get("?content=true&limit=1")).data[0], { id, text: "Hello\n" })
  })
)

it.effect.each([
  ["page=0", "page"],
  ["content=no", "content"],
  ["emailId=x", "emailId"],
  [`search=${"x".repeat(201)}`, "search"]
])("JSON refuses %s", ([query, field]) =>
  Effect.gen(function* () {
    const { ask } = yield* start
    const { status, body } = yield* ask(`/dev/mailbox.json?${query}`)
    assert.deepStrictEqual([status, json(body).error.errors[0].field], [400, field])
  })
)

it.effect("JSON of one mail names its attachments", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(withAttachment)
    const { status, body } = yield* ask(`/dev/mailbox/${id}.json`)
    assert.strictEqual(status, 200)
    assert.deepInclude(json(body), {
      id,
      subject: "Invoice",
      text: "Here it is.\n",
      attachments: [{ filename: "Müller.pdf", contentType: "application/pdf", size: 8 }]
    })
    const plain = yield* keep(newsletter)
    assert.deepStrictEqual(json((yield* ask(`/dev/mailbox/${plain.id}.json`)).body).attachments, [])
  })
)

it.effect.each([
  ["0", "too_small"],
  ["-1", "too_small"],
  ["ten", "invalid_string"],
  ["1.5", "invalid_string"],
  ["", "invalid_string"]
])("JSON refuses limit=%s as %s", ([limit, code]) =>
  Effect.gen(function* () {
    const { ask } = yield* start
    const { status, body } = yield* ask(`/dev/mailbox.json?limit=${limit}`)
    assert.deepStrictEqual([status, json(body).error.code], [400, "BAD_REQUEST"])
    assert.deepInclude(json(body).error.errors[0], { field: "limit", code })
  })
)

it.effect("offers a mail as a download, octet for octet", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(newsletter)
    const { headers, body } = yield* ask(`/dev/mailbox/${id}.eml`)
    assert.strictEqual(headers.get("content-type"), "message/rfc822")
    assert.strictEqual(headers.get("content-disposition"), `attachment; filename="${id}.eml"`)
    assert.strictEqual(body, new TextDecoder().decode(mailOf(newsletter)))
  })
)

it.effect("DELETE empties the mailbox, and so does the button of the page", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const total = Effect.map(ask("/dev/mailbox.json"), ({ body }) => json(body).total)
    yield* keep(newsletter)
    assert.strictEqual((yield* ask("/dev/mailbox.json", "DELETE")).status, 204)
    assert.strictEqual(yield* total, 0)
    yield* keep(newsletter)
    const { status, headers } = yield* ask("/dev/mailbox/clear", "POST", { origin: publicUrl })
    assert.deepStrictEqual([status, headers.get("location")], [303, "../mailbox"])
    assert.strictEqual(yield* total, 0)
  })
)

it.effect("the list shows all mail, newest first, and can be searched", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    assert.include((yield* ask("/dev/mailbox")).body, "No mail yet")
    const old = yield* keep("Subject: Old\n\n")
    const young = yield* keep("Subject: Young\n\n", "ben@example.com")
    const { body } = yield* ask("/dev/mailbox")
    assert.include(body, "2 mails, newest first")
    assert.isBelow(body.indexOf(young.id), body.indexOf(old.id))
    const found = (yield* ask("/dev/mailbox?search=BEN")).body
    assert.include(found, young.id)
    assert.notInclude(found, old.id)
  })
)

it.effect("the list has pages, and an invalid page number is no error", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const first = yield* keep("Subject: First\n\n")
    for (let n = 0; n < mailsOnPage; n++) yield* keep("Subject: x\n\n")
    assert.notInclude((yield* ask("/dev/mailbox")).body, first.id)
    assert.include((yield* ask("/dev/mailbox?page=2")).body, first.id)
    for (const page of ["0", "-1", "x", "1.5", "1e999", "99"]) {
      assert.strictEqual((yield* ask(`/dev/mailbox?page=${page}`)).status, 200)
    }
  })
)

it.effect("the page of a mail shows all of its parts", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(newsletter)
    const { status, headers, body } = yield* ask(`/dev/mailbox/${id}`)
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/html; charset=utf-8"])
    for (const part of [
      "<h1><bdi>Grüße</bdi></h1>",
      "anna@example.com",
      "bounces@posthorn.test",
      emailId,
      `src="${id}.html" sandbox="`,
      "<pre>Hello\n</pre>",
      `<a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">`,
      "<dt>Received</dt><dd>two</dd>",
      `href="${id}.eml"`
    ]) {
      assert.include(body, part)
    }
  })
)

it.effect("no text of a hostile mail becomes markup of the pages", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(hostile, `"<script>alert('to')</script>"@example.com`)
    for (const path of ["/dev/mailbox", `/dev/mailbox/${id}`, "/dev/mailbox?search=%22%3E%3Cscript%3E"]) {
      const { headers, body } = yield* ask(path)
      assert.notMatch(
        body.replace('<script src="mailbox.js" defer></script>', ""),
        /<script|<img|<b>|href="javascript|<\/iframe><script/
      )
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'self'; frame-src/)
    }
  })
)

it.effect("the HTML of a hostile mail is served without permissions", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(hostile)
    const { headers, body } = yield* ask(`/dev/mailbox/${id}.html`)
    assert.include(body, "<script>alert('body')</script>")
    assert.match(headers.get("content-security-policy") ?? "", /^sandbox [^;]*; default-src 'none'/)
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
  })
)

it.effect("a mail of 5 MB and malformed mails have a page and a record", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const large = yield* keep(`Subject: Large\n\n${`${"0123456789 <>&".repeat(5)}\n`.repeat(70_000)}`)
    const broken = yield* keep("Content-Type: multipart/mixed; boundary=\n\n--\n\0\x01\x02")
    const nested = yield* keep(`Subject: Deep\n${"Content-Type: multipart/mixed; boundary=a\n\n--a\n".repeat(400)}`)
    const empty = yield* keep("")
    for (const { id } of [large, broken, nested, empty]) {
      assert.strictEqual((yield* ask(`/dev/mailbox/${id}`)).status, 200)
    }
    assert.isBelow((yield* ask(`/dev/mailbox/${large.id}`)).body.length, 2_000_000)
    const { body } = yield* ask("/dev/mailbox.json")
    assert.deepStrictEqual(
      json(body).data.map(({ id, from, html }: { id: string; from: string; html: null }) => [id, from, html]),
      [empty, nested, broken, large].map(({ id }) => [id, "", null])
    )
  })
)

it.effect("an unknown mail is a 404: a page for people, an envelope for programs", () =>
  Effect.gen(function* () {
    const { ask } = yield* start
    for (const path of ["/dev/mailbox/nothing", `/dev/mailbox/${emailId}.html`, "/dev/mailbox/..%2F..%2Fetc"]) {
      const { status, body } = yield* ask(path)
      assert.strictEqual(status, 404)
      assert.include(body, "No such mail")
    }
    for (const path of [`/dev/mailbox/${emailId}.eml`, `/dev/mailbox/${emailId}.json`]) {
      const { status, body } = yield* ask(path)
      const { code, details } = json(body).error
      assert.deepStrictEqual([status, code, details], [404, "RESOURCE_NOT_FOUND", { resource: "mail", id: emailId }])
    }
  })
)

it.effect.each([
  ["GET", "/dev/mailbox"],
  ["GET", "/dev/mailbox.css"],
  ["GET", "/dev/mailbox.json"],
  ["DELETE", "/dev/mailbox.json"],
  ["POST", "/dev/mailbox/clear"],
  ["GET", "/dev/mailbox/x"],
  ["GET", "/dev/mailbox/x.eml"],
  ["GET", "/dev/mailbox/x.json"],
  ["GET", "/dev/mailbox/x.html"]
] as const)("%s %s is refused to other sites", ([method, path]) =>
  Effect.gen(function* () {
    const { ask, keep, mailbox } = yield* start
    yield* keep(newsletter)
    for (const headers of [{ host: "evil.test" }, { origin: "https://evil.test" }, { origin: "null" }]) {
      const { status, body } = yield* ask(path, method, headers)
      assert.deepStrictEqual([status, json(body).error.code], [403, "FORBIDDEN"])
    }
    assert.strictEqual((yield* mailbox.list({ limit: 1 })).total, 1)
  })
)

it.live("a test waits for an email: an existing one, a later one, and none", () =>
  Effect.gen(function* () {
    const { ask, keep } = yield* start
    const { id } = yield* keep(newsletter)
    const there = yield* ask("/dev/mailbox/wait?to=Anna@example.com")
    assert.strictEqual(there.status, 200)
    assert.deepInclude(json(there.body), { id, subject: "Grüße", links: ["https://example.com/?a=1&b=2"] })
    const waiting = yield* Effect.forkChild(ask(`/dev/mailbox/wait?subject=grü&after=${id}&timeout=30`), {
      startImmediately: true
    })
    yield* keep(newsletter.replace("=?utf-8?q?Gr=C3=BC=C3=9Fe?=", "Another"), "bob@example.com")
    yield* keep(newsletter, "bob@example.com")
    const came = json((yield* Fiber.join(waiting)).body)
    assert.deepInclude(came, { to: "bob@example.com", subject: "Grüße" })
    const none = yield* ask(`/dev/mailbox/wait?to=bob@example.com&after=${came.id}&timeout=0.1`)
    assert.strictEqual(none.status, 404)
    assert.strictEqual(
      json(none.body).error.message,
      `No email to bob@example.com after ${came.id} arrived within 0.1 s.`
    )
    for (const timeout of ["61", "-1", "soon"]) {
      assert.strictEqual((yield* ask(`/dev/mailbox/wait?timeout=${timeout}`)).status, 400, timeout)
    }
  }).pipe(Effect.scoped)
)
