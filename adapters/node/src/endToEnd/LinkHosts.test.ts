/** A link host over the real network: its CNAME, a proxy with TLS on port 443, and a recipient who follows the links. */
import { writeFileSync } from "node:fs"
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer, request as httpsRequest, type Server } from "node:https"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { makeCertificate, type Sink, startSink } from "@posthorn/mailer-smtp/testing"
import type { DnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { eventually } from "../testing/Program.ts"
import { addDomain, type Caller, request, send, succeed } from "./testing/Caller.ts"
import { presence } from "./testing/HttpsPresence.ts"
import { databaseName, install, publicUrl } from "./testing/Installation.ts"
import { parsed } from "./testing/Received.ts"

const domain = "mail.example.com"
const host = `links.${domain}`
const address = "address" in presence ? presence.address : ""
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

/** Valid for the link host; the server and the recipient trust it. */
const valid = makeCertificate(host)
/** Nobody trusts it. */
const untrusted = makeCertificate(host)

/** A project with a verified domain, and a proxy that serves the link host. */
class Linked extends Context.Service<
  Linked,
  {
    readonly caller: Caller
    readonly dns: DnsStub
    readonly domainId: string
    readonly destination: Sink
    readonly proxy: Server
  }
>()("@posthorn/node/endToEnd/LinkHosts/Linked") {}

/** Ends TLS and passes requests on with their `Host` header, as a reverse proxy does. */
const startProxy = (upstream: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((started, failed) => {
          const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
            const headers = { ...incoming.headers, "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" }
            const onward = httpRequest(`${upstream}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
              outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
              answer.pipe(outgoing)
            })
            onward.on("error", () => outgoing.destroy())
            incoming.pipe(onward)
          }
          const server = createServer({ ...untrusted }, pass)
          server.on("error", failed).listen(443, address, () => started(server))
        })
    ),
    (server) =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise((closed) => server.close(closed))
      })
  )

const linked = Layer.effect(
  Linked,
  Effect.gen(function* () {
    const { account, dns, serve } = yield* install
    const destination = yield* Effect.acquireRelease(
      Effect.promise(() => startSink()),
      (sink) => Effect.promise(() => sink.close())
    )
    const roots = join(newFolder(), "roots.pem")
    writeFileSync(roots, valid.cert)
    const keys = yield* account("Linked")
    const { url } = yield* serve({
      POSTHORN_SMTP_URL: `smtp://127.0.0.1:${destination.port}?tls=none`,
      POSTHORN_OUTBOUND_ALLOW: address,
      NODE_EXTRA_CA_CERTS: roots
    })
    const caller = { url, ...keys }
    const { added } = yield* addDomain(caller, dns, domain)
    const proxy = yield* startProxy(url)
    return Linked.of({ caller, dns, domainId: added.id, destination, proxy })
  })
)

const Shown = Schema.Struct({
  linkHost: Schema.NullOr(
    Schema.Struct({
      host: Schema.String,
      status: Schema.String,
      checkedAt: Schema.NullOr(Schema.String),
      lastError: Schema.NullOr(Schema.String)
    })
  )
})
const Contacts = Schema.Struct({ data: Schema.Array(Schema.Struct({ subscribed: Schema.Boolean })) })
const Tracked = Schema.Struct({ status: Schema.String, opens: Schema.Int, clicks: Schema.Int })
const Id = Schema.Struct({ id: Schema.String })

const shown = Effect.gen(function* () {
  const { caller, domainId } = yield* Linked
  const { linkHost } = yield* succeed(200, Shown, caller, "GET", `/domains/${domainId}`)
  return linkHost
})

/** Checks the domain until its link host has this status. A check within 10 seconds of another one does nothing. */
const verifiedUntil = Effect.fnUntraced(function* (status: string) {
  const { caller, domainId } = yield* Linked
  const checked = yield* Effect.repeat(succeed(200, Shown, caller, "GET", `/domains/${domainId}/verify`), {
    schedule: Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(40)]),
    until: ({ linkHost }) => linkHost?.status === status
  })
  return checked.linkHost
})

let made = 0
/** A marketing mail as its recipient has it. */
const mail = Effect.gen(function* () {
  const { caller, destination } = yield* Linked
  const to = `reader-${++made}@example.org`
  const template = yield* succeed(201, Id, caller, "POST", "/templates", {
    name: `News ${made}`,
    subject: "News",
    body: '<p><a href="https://shop.example/sale?a=1&amp;b=2">Sale</a> <a href="{{manageUrl}}">Settings</a></p>',
    from: `zoe@${domain}`,
    type: "MARKETING"
  })
  const [id = ""] = yield* send(caller, { to, template: template.id, subscribed: true })
  const [received] = yield* eventually(
    Effect.sync(() => destination.mails.filter(({ rcpt }) => rcpt === to)),
    ({ length }) => length > 0
  )
  const { header, html, text } = yield* parsed(received?.raw ?? Buffer.alloc(0))
  const unsubscribe = /^<(.+)>$/.exec(header("List-Unsubscribe"))?.[1] ?? ""
  const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"))
  const link = (path: string) => links.find((each) => each.includes(path)) ?? assert.fail(`no link with ${path}`)
  return { id, to, text, links, link, unsubscribe, post: header("List-Unsubscribe-Post") }
})

/** A request of a recipient, whose resolver leads to the proxy and who verifies its certificate. */
const follow = (url: string, method = "GET", body = "", headers: Record<string, string> = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly status: number; readonly headers: IncomingMessage["headers"]; readonly text: string }>(
        (answered, failed) => {
          const sent = httpsRequest(
            url,
            {
              method,
              ca: valid.cert,
              agent: false,
              lookup: (_, __, found) => found(null, [{ address, family: 4 }]),
              headers: {
                "user-agent": browser,
                ...(body !== "" && {
                  "content-type": "application/x-www-form-urlencoded",
                  "content-length": `${body.length}`
                }),
                ...headers
              }
            },
            (answer) => {
              let text = ""
              answer.setEncoding("latin1").on("data", (chunk) => {
                text += chunk
              })
              answer.on("end", () => answered({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
            }
          )
          sent.on("error", failed).end(body)
        }
      )
  )

const skipped = "absence" in presence ? ` (skipped: ${presence.absence})` : ""

describe.skipIf("absence" in presence)(`a link host over https, on ${databaseName}${skipped}`, () => {
  layer(linked, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("without a valid certificate stays PENDING and is in no mail", () =>
      Effect.gen(function* () {
        const { caller, dns, domainId } = yield* Linked
        const target = new URL(publicUrl).hostname
        dns.zone.set(target, { a: [address] })
        dns.zone.set(host, { cname: target })
        const set = yield* request(caller, "PATCH", `/domains/${domainId}`, { linkHost: host })
        assert.strictEqual(set.status, 200, set.text)

        const checked = yield* eventually(shown, (linkHost) => linkHost?.checkedAt != null)
        assert.strictEqual(checked?.status, "PENDING")
        assert.include(checked?.lastError ?? "", "https")
        const { links, text, unsubscribe } = yield* mail
        assert.notInclude([...links, text, unsubscribe].join(), host)
      })
    )

    it.effect("is ACTIVE with a valid certificate, and serves opens, clicks and unsubscribing", () =>
      Effect.gen(function* () {
        const { caller, proxy } = yield* Linked
        proxy.setSecureContext(valid)
        const checked = yield* verifiedUntil("ACTIVE")
        assert.deepInclude(checked, { host, status: "ACTIVE", lastError: null })
        assert.deepInclude(yield* shown, { status: "ACTIVE" })

        const { id, link, links, post, text, to, unsubscribe } = yield* mail
        assert.strictEqual(post, "List-Unsubscribe=One-Click")
        for (const url of [...links, unsubscribe]) assert.isTrue(url.startsWith(`https://${host}/`), url)
        assert.include(text, unsubscribe)

        const pixel = yield* follow(link("/t/o/"))
        assert.deepStrictEqual([pixel.status, pixel.headers["content-type"]], [200, "image/gif"])
        const click = yield* follow(link("/t/c/"))
        assert.deepStrictEqual([click.status, click.headers.location], [302, "https://shop.example/sale?a=1&b=2"])
        const record = yield* eventually(
          succeed(200, Tracked, caller, "GET", `/emails/${id}`),
          ({ clicks, opens }) => opens > 0 && clicks > 0
        )
        assert.deepInclude(record, { status: "CLICKED", opens: 1, clicks: 1 })

        const page = yield* follow(link("/manage/"))
        assert.strictEqual(page.status, 200)
        assert.isUndefined(page.headers["set-cookie"])
        const style = /<link[^>]+href="([^"]+)"/.exec(page.text)?.[1] ?? ""
        const styled = yield* follow(new URL(style, `https://${host}/`).href)
        assert.strictEqual(styled.status, 200, style)

        const isSubscribed = Effect.map(
          succeed(200, Contacts, caller, "GET", `/contacts?search=${to}`),
          ({ data }) => data[0]?.subscribed
        )
        assert.isTrue(yield* isSubscribed)
        assert.strictEqual((yield* follow(unsubscribe, "POST", post)).status, 200)
        assert.isFalse(yield* isSubscribed)
      })
    )

    it.effect("does not answer for the API", () =>
      Effect.gen(function* () {
        const { caller } = yield* Linked
        const key = { authorization: `Bearer ${caller.secretKey}` }
        for (const path of ["/", "/contacts", "/v1/send", "/openapi.json", "/config", "/health"]) {
          const { status, text } = yield* follow(`https://${host}${path}`, "GET", "", key)
          assert.strictEqual(status, 404, path)
          assert.include(text, "ROUTE_NOT_FOUND", path)
        }
        assert.strictEqual((yield* follow(`https://${host}/.well-known/posthorn-link`)).status, 200)
      })
    )
  })
})
