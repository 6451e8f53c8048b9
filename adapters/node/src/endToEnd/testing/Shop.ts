/** A project with a verified domain, on a server that sends through a real SMTP server. */
import { assert } from "@effect/vitest"
import { type SmtpServerPeer, startSmtpServer } from "@posthorn/mailer-smtp/testing"
import type { DnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Context, Effect, Layer } from "effect"
import { type Ended, eventually } from "../../testing/Program.ts"
import { addDomain, type Caller, type Domain } from "./Caller.ts"
import { install } from "./Installation.ts"
import { bothKeys, verdicts } from "./Received.ts"

export class Shop extends Context.Service<
  Shop,
  {
    readonly caller: Caller
    readonly dns: DnsStub
    readonly peer: SmtpServerPeer
    readonly domain: Domain
    /** The domain as the answer described it when it was added. */
    readonly added: Domain
  }
>()("@posthorn/node/endToEnd/testing/Shop") {}

export const shopName = "Zoë & Söhne"

export const shop: Layer.Layer<Shop, Ended> = Layer.effect(
  Shop,
  Effect.gen(function* () {
    const { account, dns, serve } = yield* install
    const peer = yield* Effect.acquireRelease(
      Effect.promise(() => startSmtpServer()),
      (server) => Effect.promise(() => server.close())
    )
    const keys = yield* account(shopName)
    const { url } = yield* serve({
      POSTHORN_SMTP_URL: `smtp://user:password@127.0.0.1:${peer.port}?tls=required&verify=false`
    })
    const caller = { url, ...keys }
    const { added, checked } = yield* addDomain(caller, dns, "mail.example.com")
    return Shop.of({ caller, dns, peer, domain: checked, added })
  })
)

/** The one message that the SMTP server has received for an address. */
export const mailTo = Effect.fnUntraced(function* (to: string) {
  const { peer } = yield* Shop
  const found = yield* eventually(
    Effect.sync(() => peer.mails.filter(({ rcpt }) => rcpt === to)),
    ({ length }) => length > 0
  )
  const [mail, ...others] = found
  assert.isEmpty(others)
  return mail ?? (yield* Effect.die(new Error(`No mail came for ${to}`)))
})

export const assertSigned = Effect.fnUntraced(function* (raw: Uint8Array) {
  const { dns, domain } = yield* Shop
  assert.deepStrictEqual(yield* verdicts(dns, raw), bothKeys(domain))
})
