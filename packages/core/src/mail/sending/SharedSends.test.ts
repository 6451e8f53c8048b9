/** Requests that are accepted by one statement, of one project and of several. */
import { assert, layer } from "@effect/vitest"
import type { SendEmail } from "@posthorn/contract/mail/sending/Send"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { Failpoint } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { hold, somebodyWaits } from "../../testing/LockWaits.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { storeProject } from "../../testing/StoredProjects.ts"
import { Domains } from "../domains/Domains.ts"
import { Sending } from "./Sending.ts"

const mail = { from: "hi@verified.test", subject: "Hi {{name}}", body: "<p>{{plan}}</p>" }

interface Request {
  readonly of?: ProjectId
  readonly from?: string
  readonly to: string
  readonly data: NonNullable<SendEmail["data"]>
}

/** Sends all of them, which wait for each other between the look at their contacts and the acceptance of their mail. */
const sendTogether = <R = never>(
  requests: ReadonlyArray<Request>,
  meanwhile: Effect.Effect<unknown, never, R> = Effect.void
) =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    let arrived = 0
    const context = yield* Effect.context<R>()
    const reach = Effect.gen(function* () {
      if (++arrived === requests.length) {
        yield* Effect.provideContext(meanwhile, context)
        yield* Deferred.succeed(gate, undefined)
      }
      yield* Deferred.await(gate)
    })
    return yield* Effect.forEach(
      requests,
      ({ of = project, ...input }) =>
        Effect.exit(Sending.use((sending) => sending.send(of, { ...mail, ...input }))).pipe(
          Effect.provideService(Failpoint, (window) => (window === "before_accept_commit" ? reach : Effect.void))
        ),
      { concurrency: "unbounded" }
    )
  })

const upsert = (email: string, data: Record<string, string>, of = project) =>
  Effect.orDie(Contacts.use((contacts) => contacts.upsert(of, { email, data })))

/** The mails to addresses that begin so, with their contacts and the number of transactions that wrote them. */
const stored = Effect.fnUntraced(function* (like: string) {
  const sql = yield* SqlClient.SqlClient
  const mails = yield* sql`
    select emails.project_id as project, to_email as "to", subject, html, contacts.data, emails.xmin::text as transaction
    from emails join email_contents as content on content.project_id = emails.project_id and content.id = content_id
    join contacts on contacts.project_id = emails.project_id and contacts.id = emails.contact_id
    where to_email like ${`${like}%`} order by to_email, emails.project_id`
  return {
    mails: mails.map(({ transaction: _, ...mail }) => mail),
    transactions: new Set(mails.map(({ transaction }) => transaction)).size
  }
})

const addDomain = (of: ProjectId, domain: string) => Effect.orDie(Domains.use((domains) => domains.add(of, { domain })))

for (const [name, database] of databases()) {
  const services = Layer.effectDiscard(addDomain(project, "verified.test")).pipe(
    Layer.provideMerge(servicesOn(database))
  )

  layer(services, { timeout: "60 seconds" })(`Requests that share a statement, on ${name}`, (it) => {
    it.effect("leave each mail and contact in its own project", () =>
      Effect.gen(function* () {
        const other = yield* storeProject
        yield* addDomain(other, "other.test")
        yield* upsert("shared-1@example.com", { plan: "old", city: "Rome" }, other)
        yield* Effect.orDie(
          Suppressions.use((suppressions) => suppressions.addByHand(other, { email: "shared-2@example.com" }))
        )
        const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
        const exits = yield* sendTogether(
          numbers.flatMap((n): ReadonlyArray<Request> => {
            const to = `shared-${n}@example.com`
            return [
              { to, data: { name: `Ann ${n}`, plan: "free" } },
              { of: other, from: "hi@other.test", to, data: { name: `Bob ${n}`, plan: "pro" } }
            ]
          })
        )
        const statuses = exits.map((exit) => (Exit.isSuccess(exit) ? exit.value.emails[0]?.status : exit))
        assert.deepStrictEqual(
          statuses,
          numbers.flatMap((n) => ["PENDING", n === 2 ? "SUPPRESSED" : "PENDING"])
        )
        const { mails, transactions } = yield* stored("shared-")
        assert.deepStrictEqual(
          mails,
          numbers.flatMap((n) => {
            const to = `shared-${n}@example.com`
            const bob = { name: `Bob ${n}`, plan: "pro" }
            return [
              { project, to, subject: `Hi Ann ${n}`, html: "<p>free</p>", data: { name: `Ann ${n}`, plan: "free" } },
              {
                ...{ project: other, to, subject: `Hi Bob ${n}`, html: "<p>pro</p>" },
                data: n === 1 ? { city: "Rome", ...bob } : bob
              }
            ]
          })
        )
        // Two are under way before the others share a statement.
        assert.isAtMost(transactions, 3)
      })
    )

    it.effect("are each refused alone", () =>
      Effect.gen(function* () {
        yield* upsert("full-2@example.com", { text: "x".repeat(65_000) })
        const exits = yield* sendTogether(
          [1, 2, 3, 4].map((n) => ({ to: `full-${n}@example.com`, data: { name: "y".repeat(900) } }))
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true, true])
        assert.lengthOf((yield* stored("full-")).mails, 3)
      })
    )

    it.effect("are written to as a contact is that changed meanwhile; the others are not held back", () =>
      Effect.gen(function* () {
        for (const n of [1, 2, 3, 4]) yield* upsert(`moved-${n}@example.com`, { plan: "free" })
        const exits = yield* sendTogether(
          [1, 2, 3, 4].map((n) => ({ to: `moved-${n}@example.com`, data: { name: `Ann ${n}` } })),
          upsert("moved-3@example.com", { plan: "pro" })
        )
        assert.isTrue(exits.every(Exit.isSuccess))
        const { mails, transactions } = yield* stored("moved-")
        assert.deepStrictEqual(
          mails.map(({ html }) => html),
          ["<p>free</p>", "<p>free</p>", "<p>pro</p>", "<p>free</p>"]
        )
        assert.isAtMost(transactions, 4)
      })
    )

    it.effect("of one contact follow each other, and each changes its data", () =>
      Effect.gen(function* () {
        const keys = ["a", "b", "c", "d", "e"]
        const exits = yield* sendTogether(keys.map((key) => ({ to: "same@example.com", data: { [key]: 1 } })))
        assert.isTrue(exits.every(Exit.isSuccess))
        const { mails } = yield* stored("same@")
        assert.lengthOf(mails, keys.length)
        assert.deepStrictEqual(mails[0]?.["data"], Object.fromEntries(keys.map((key) => [key, 1])))
      })
    )

    it.effect.runIf(name === "PostgreSQL")("do not wait for a contact that is locked; only its own request does", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const n of [1, 2, 3, 4, 5, 6]) yield* upsert(`locked-${n}@example.com`, { plan: "free" })
        const release = yield* hold(sql`select from contacts where email = 'locked-6@example.com' for update`)
        const sent = yield* Effect.forkChild(
          sendTogether([1, 2, 3, 4, 5, 6].map((n) => ({ to: `locked-${n}@example.com`, data: { plan: "pro" } })))
        )
        yield* eventually(stored("locked-"), ({ mails }) => mails.length === 5)
        yield* somebodyWaits
        yield* release
        assert.isTrue((yield* Fiber.join(sent)).every(Exit.isSuccess))
        assert.lengthOf((yield* stored("locked-")).mails, 6)
      })
    )
  })
}
