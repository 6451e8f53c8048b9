import { assert, describe, layer } from "@effect/vitest"
import { type Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { DnsResolver, DnsUnavailable, type MailExchange } from "../../platform/dns/DnsResolver.ts"
import { defaults, Settings } from "../../platform/Settings.ts"
import { databases } from "../../testing/Databases.ts"
import * as ProviderSettings from "../shaping/ProviderSettings.ts"
import * as RecipientProviders from "./RecipientProviders.ts"

/** The answer for each domain, and after how long. `undefined`: SERVFAIL. */
const zone = new Map<
  string,
  { readonly mx: ReadonlyArray<MailExchange> | undefined; readonly after?: Duration.Input }
>()
const asked: Array<string> = []

const dns = Layer.succeed(DnsResolver, {
  txt: () => Effect.die("not asked"),
  address: () => Effect.die("not asked"),
  cname: () => Effect.die("not asked"),
  ptr: () => Effect.die("not asked"),
  mx: (name) =>
    Effect.suspend(() => {
      asked.push(name)
      const { mx, after = 0 } = zone.get(name) ?? { mx: [] }
      const answer =
        mx === undefined
          ? new DnsUnavailable({ type: "MX", name, reason: "server_failure" })
          : Effect.succeed({ nameExists: true, values: mx })
      return Effect.delay(answer, after)
    })
})

const exchange = (exchange: string, priority = 10): MailExchange => ({ exchange, priority })
const google = [exchange("aspmx.l.google.com")]

/** A process of its own: nothing in its memory. */
const process = (providerLookup = true) =>
  Effect.provideService(RecipientProviders.make, Settings, { ...defaults, providerLookup })

const questions = (domain: string) => asked.filter((name) => name === domain).length

describe.each(databases())("the provider of a recipient on %s", (_, database) => {
  layer(Layer.merge(dns, database), { timeout: "60 seconds" })((it) => {
    const fresh = Effect.gen(function* () {
      zone.clear()
      asked.length = 0
      yield* SqlClient.SqlClient.use((sql) => sql`delete from recipient_domains`)
      return yield* process()
    })

    it.effect("is the provider of the preferred exchange, and looked up once a week for all processes", () =>
      Effect.gen(function* () {
        const providers = yield* fresh
        zone.set("acme.com", { mx: [exchange("mx.backup.example", 20), ...google, exchange("zz.mimecast.com", 10)] })
        assert.strictEqual(yield* providers.of("Ada@ACME.com"), "GMAIL")
        assert.strictEqual(yield* providers.of("bob@acme.com"), "GMAIL")
        assert.strictEqual(yield* (yield* process()).of("eve@acme.com"), "GMAIL")
        assert.strictEqual(questions("acme.com"), 1)
        zone.set("acme.com", { mx: [exchange("acme-com.mail.protection.outlook.com")] })
        yield* TestClock.adjust("6 days")
        assert.strictEqual(yield* providers.of("ada@acme.com"), "GMAIL")
        yield* TestClock.adjust("25 hours")
        assert.strictEqual(yield* providers.of("ada@acme.com"), "MICROSOFT365")
        assert.strictEqual(questions("acme.com"), 2)
      })
    )

    it.effect("follows a change of the list in every process within 10 seconds, without a new look-up", () =>
      Effect.gen(function* () {
        const processes = [yield* fresh, yield* process()]
        zone.set("small.example", { mx: [exchange("mx1.acme.net")] })
        const both = Effect.forEach(processes, (providers) => providers.of("ada@small.example"))
        assert.deepStrictEqual(yield* both, ["OTHER", "OTHER"])
        yield* ProviderSettings.set({ provider: "ACME", mxSuffixes: [".acme.net"] })
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* both, ["ACME", "ACME"])
        yield* ProviderSettings.reset("ACME")
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* both, ["OTHER", "OTHER"])
        assert.strictEqual(questions("small.example"), 1)
      })
    )

    it.effect("is not looked up if the list has it, or if lookups are off", () =>
      Effect.gen(function* () {
        const providers = yield* fresh
        assert.strictEqual(yield* providers.of("ada@gmail.com"), "GMAIL")
        zone.set("acme.com", { mx: google })
        assert.strictEqual(yield* (yield* process(false)).of("ada@acme.com"), "OTHER")
        assert.deepStrictEqual(asked, [])
      })
    )

    it.effect("a slow answer delays mail once and by at most 300 ms, and is used for the next mail", () =>
      Effect.gen(function* () {
        const providers = yield* fresh
        zone.set("slow.example", { mx: google, after: "2 seconds" })
        const first = yield* Effect.forkChild(providers.of("ada@slow.example"), { startImmediately: true })
        const second = yield* Effect.forkChild(Effect.delay(providers.of("bob@slow.example"), "200 millis"))
        yield* TestClock.withLive(Effect.sleep("50 millis"))
        yield* TestClock.adjust("299 millis")
        assert.isUndefined(first.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(first), "OTHER")
        assert.strictEqual(yield* Fiber.join(second), "OTHER")
        // Still under way: nobody waits any more.
        assert.strictEqual(yield* providers.of("eve@slow.example"), "OTHER")
        yield* TestClock.adjust("2 seconds")
        yield* TestClock.withLive(Effect.sleep("50 millis"))
        assert.strictEqual(yield* providers.of("eve@slow.example"), "GMAIL")
        assert.strictEqual(questions("slow.example"), 1)
      })
    )

    it.effect("a failing name server keeps the known provider, and is not queried for each mail", () =>
      Effect.gen(function* () {
        const providers = yield* fresh
        zone.set("acme.com", { mx: google })
        yield* providers.of("ada@acme.com")
        zone.set("acme.com", { mx: undefined }).set("new.example", { mx: undefined })
        yield* TestClock.adjust("8 days")
        for (const _ of [1, 2, 3]) {
          assert.strictEqual(yield* providers.of("ada@acme.com"), "GMAIL")
          assert.strictEqual(yield* providers.of("ada@new.example"), "OTHER")
        }
        assert.deepStrictEqual([questions("acme.com"), questions("new.example")], [2, 1])
        zone.set("new.example", { mx: google })
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* providers.of("ada@new.example"), "GMAIL")
      })
    )

    it.effect("a domain without an exchange, or that takes no mail (RFC 7505), is another one", () =>
      Effect.gen(function* () {
        const providers = yield* fresh
        zone.set("none.example", { mx: [] }).set("null.example", { mx: [exchange("", 0)] })
        assert.strictEqual(yield* providers.of("ada@none.example"), "OTHER")
        assert.strictEqual(yield* providers.of("ada@null.example"), "OTHER")
        yield* providers.of("ada@none.example")
        assert.strictEqual(questions("none.example"), 1)
      })
    )
  })
})
