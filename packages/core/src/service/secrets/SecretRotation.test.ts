import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Cause, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { openLink, sealLink } from "../../accounts/systemmail/SealedLinks.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { SigningSecrets } from "../../automation/workflows/SigningSecrets.ts"
import { openKeys } from "../../mail/domains/DkimKeys.ts"
import { DomainStore } from "../../mail/domains/DomainStore.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { ReturnPath } from "../../mail/sending/ReturnPath.ts"
import * as Posthorn from "../../Posthorn.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { PublicLinks } from "../../platform/links/PublicLinks.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import { databases } from "../../testing/Databases.ts"
import { boxUnder, hostUnder, project, rotationUnder, seed, settings } from "../../testing/Services.ts"
import { openSecret } from "../../webhooks/WebhookSecrets.ts"
import * as Webhooks from "../../webhooks/Webhooks.ts"
import * as Rotation from "./SecretRotation.ts"

const [first, second, third] = ["1".repeat(32), "2".repeat(32), "3".repeat(32)]
const email = EmailId.make("019a0000-0000-7000-8000-0000000000e1")
const bearer = { project, contact: ContactId.make("019a0000-0000-7000-8000-0000000000c1"), email }
const position = { key: "k", id: "i" }

/** The installation with these secrets. */
const under =
  (...ring: readonly [string, ...Array<string>]) =>
  <A, E>(
    effect: Effect.Effect<A, E, Posthorn.Services | Layer.Success<ReturnType<typeof hostUnder>> | SqlClient.SqlClient>
  ) =>
    effect.pipe(
      Effect.provide(
        Layer.fresh(Posthorn.layer).pipe(
          Layer.provideMerge(hostUnder(...ring)),
          Layer.provide(Layer.succeed(Settings, { ...settings, bounceDomain: "bounce.posthorn.example" }))
        )
      )
    )

const rows = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  Effect.orDie(
    Effect.flatMap(
      SqlClient.SqlClient.use(statement),
      Schema.decodeUnknownEffect(Schema.Array(Schema.Record(Schema.String, Schema.String)))
    )
  )

/** Seals and hashes values of every kind while one secret is the current one. */
const use = Effect.fnUntraced(function* (name: string) {
  yield* (yield* Domains).add(project, { domain: `${name}.test` })
  const webhook = yield* (yield* Webhooks.make).create(project, { url: "https://app.example.com/hook", events: ["*"] })
  const signing = yield* (yield* SigningSecrets).rotate(project)
  yield* (yield* SystemMail).post([
    {
      to: "ada@example.com",
      subject: name,
      body: "",
      link: yield* sealLink("ada@example.com", `https://${name}.test/`)
    }
  ])
  const suppressions = yield* Suppressions
  yield* suppressions.addByHand(project, { email: `${name}@example.com` })
  yield* suppressions.erase(project, `${name}@example.com`)
  return {
    name,
    webhook: { id: webhook.id, secret: webhook.secret },
    signing: signing.secret,
    token: yield* (yield* PublicLinks).token("unsubscribe", bearer),
    cursor: yield* (yield* Cursors).seal("list", position),
    returnPath: yield* (yield* ReturnPath).of({ id: email, from: "a@b.test", ownReturnPath: false })
  }
})

type Used = Effect.Success<ReturnType<typeof use>>

/** The values that were sealed and hashed then still open and match. */
const holds = Effect.fnUntraced(function* ({ name, webhook }: Used) {
  const [domain] = yield* (yield* DomainStore).named(`${name}.test`)
  const keys = Option.getOrThrow(
    yield* (yield* DomainStore).keys(project, Option.getOrThrow(Option.fromUndefinedOr(domain)).id)
  )
  assert.lengthOf(yield* openKeys(keys), 2)
  const [stored] = yield* rows((sql) => sql`select secret from webhook_endpoints where id = ${webhook.id}`)
  const opened = yield* openSecret(yield* SecretBox, webhook.id, stored?.["secret"] ?? "")
  assert.strictEqual(Redacted.value(opened), webhook.secret)
  const [email] = yield* rows((sql) => sql`select link from system_mails where subject = ${name}`)
  assert.strictEqual(yield* openLink("ada@example.com", email?.["link"] ?? ""), `https://${name}.test/`)
  assert.isTrue(Option.isSome(yield* (yield* Suppressions).find(project, `${name}@example.com`)))
})

/** Tokens that were issued then are still valid. */
const areValid = Effect.fnUntraced(function* ({ token, cursor, returnPath }: Used) {
  const link = yield* (yield* PublicLinks).read("unsubscribe", token)
  const page = yield* Effect.option((yield* Cursors).open("list", cursor))
  return [Option.isSome(link), Option.isSome(page), (yield* (yield* ReturnPath).mailOf(returnPath)) === email]
})

/** The same, but the process is killed at the third text. */
const killedRotation = (...ring: readonly [string, ...Array<string>]) =>
  Rotation.layer.pipe(
    Layer.provide(
      Layer.effect(
        SecretBox,
        Effect.gen(function* () {
          const box = yield* SecretBox
          let left = 3
          return SecretBox.of({
            ...box,
            renew: (label, sealed) => (--left < 0 ? Effect.die("killed") : box.renew(label, sealed))
          })
        })
      )
    ),
    Layer.provide(boxUnder(...ring)),
    Layer.fresh
  )

const rotate = Rotation.SecretRotation.use(({ rotate }) => rotate)
const status = Rotation.SecretRotation.use(({ status }) => status)
const previous = (counts: ReadonlyArray<Rotation.SealedCount>) => counts.reduce((sum, count) => sum + count.previous, 0)
const lost = (counts: ReadonlyArray<Rotation.SealedCount>) => counts.reduce((sum, count) => sum + count.lost, 0)

for (const [name, database] of databases()) {
  layer(database, { timeout: "120 seconds" })(`A secret that is replaced twice, on ${name}`, (it) => {
    it.effect("everything opens with both secrets, and after the rotation with the current one alone", () =>
      Effect.gen(function* () {
        const one = yield* under(first)(Effect.andThen(seed, use("one")))
        const two = yield* under(second, first)(use("two"))
        const ring = [third, second, first] as const
        yield* under(...ring)(
          Effect.gen(function* () {
            for (const used of [one, two]) {
              yield* holds(used)
              assert.deepStrictEqual(yield* areValid(used), [true, true, true])
            }
          })
        )

        const before = yield* Effect.provide(status, rotationUnder(...ring))
        // Two keys for each domain, a webhook, an email, the workflow secret and its previous one, and two hashes.
        assert.deepStrictEqual([previous(before), lost(before)], [2 * 2 + 2 + 2 + 2 + 2, 0])
        const withoutFirst = yield* Effect.provide(status, rotationUnder(third, second))
        assert.isAbove(lost(withoutFirst), 0)

        const killed = yield* Effect.exit(Effect.provide(rotate, killedRotation(...ring)))
        assert.isTrue(Exit.isFailure(killed) && Cause.pretty(killed.cause).includes("killed"))
        const halfway = yield* Effect.provide(status, rotationUnder(...ring))
        assert.isBelow(previous(halfway), previous(before))
        assert.isAbove(previous(halfway), 0)

        assert.isAbove(yield* Effect.provide(rotate, rotationUnder(...ring)), 0)
        assert.strictEqual(yield* Effect.provide(rotate, rotationUnder(...ring)), 0)
        assert.strictEqual(previous(yield* Effect.provide(status, rotationUnder(...ring))), 0)

        const alone = yield* Effect.provide(status, rotationUnder(third))
        assert.deepStrictEqual([previous(alone), lost(alone)], [0, 0])
        yield* under(third)(
          Effect.gen(function* () {
            for (const used of [one, two]) {
              yield* holds(used)
              assert.deepStrictEqual(yield* areValid(used), [false, false, false])
            }
            const signing = (yield* (yield* SigningSecrets).current(project)).map(Redacted.value)
            assert.deepStrictEqual(signing, [two.signing, one.signing])
          })
        )
        // A second run seals the rest.
        yield* Effect.provide(rotate, rotationUnder("4".repeat(32), third))
        yield* under("4".repeat(32))(Effect.forEach([one, two], holds))
      })
    )

    it.effect("a text that no secret opens is counted, logged, and left unchanged", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update domains set rsa_private_key = 'unreadable' where domain = 'one.test'`
        const counts = yield* Effect.provide(Effect.andThen(rotate, status), rotationUnder("4".repeat(32), third))
        assert.deepStrictEqual(
          counts.filter((count) => count.lost > 0),
          [{ what: "RSA keys of sender domains", rows: 2, previous: 0, lost: 1 }]
        )
        assert.lengthOf(yield* sql`select from domains where rsa_private_key = 'unreadable'`, 1)
      })
    )

    it.effect("the listed columns exist", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { sealedColumns } = yield* Effect.promise(() => import("./SealedColumns.ts"))
        for (const { table, column, key, owner } of sealedColumns) {
          yield* sql.unsafe(`select ${key}, (${owner})::text, ${column} from ${table} limit 0`)
        }
      })
    )
  })
}
