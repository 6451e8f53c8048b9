import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { layer, MailboxStore, type MailboxStoreOptions } from "./MailboxStore.ts"
import { folder, mailOf, platform } from "./MailboxTesting.ts"

/** One start of the store on a folder. */
const open = (options: MailboxStoreOptions) =>
  Effect.provide(MailboxStore, Layer.fresh(Layer.provide(layer(options), platform)))

const anna = { from: "bounces+1@posthorn.test", to: "anna@example.com" }
const mail = mailOf("From: News <news@posthorn.test>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nHello\n")

it.effect("stores a mail octet for octet, with its data for lists", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15, 4, 5, 123))
    const store = yield* open({ folder: yield* folder })
    const entry = yield* store.keep(anna, mail)
    assert.deepInclude(entry, {
      emailId: null,
      returnPath: "bounces+1@posthorn.test",
      from: "news@posthorn.test",
      to: "anna@example.com",
      subject: "Grüße",
      size: mail.byteLength
    })
    assert.strictEqual(DateTime.formatIso(entry.receivedAt), "2026-11-20T15:04:05.123Z")
    assert.match(entry.id, /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(yield* read(store, entry.id), mail)
  }).pipe(Effect.provide(platform))
)

it.effect("a second start has the same mails, in the same order, and removes incomplete files", () =>
  Effect.gen(function* () {
    const options = { folder: join(yield* folder, "made", "here") }
    const first = yield* open(options)
    for (const to of ["a@example.com", "b@example.com", "c@example.com"]) yield* first.keep({ ...anna, to }, mail)
    writeFileSync(join(options.folder, "broken.eml.tmp"), "half")
    writeFileSync(join(options.folder, "other.eml"), "Subject: not ours\r\n\r\n")

    const second = yield* open(options)
    assert.deepStrictEqual(yield* second.list({ limit: 10 }), yield* first.list({ limit: 10 }))
    const { entries, total } = yield* second.list({ limit: 1 })
    assert.deepStrictEqual([entries[0]?.to, total], ["c@example.com", 3])
    assert.deepStrictEqual(yield* read(second, entries[0]?.id ?? ""), mail)
    assert.deepStrictEqual(
      readdirSync(options.folder).filter((name) => !/^[0-9a-f-]{36}\.eml$/.test(name)),
      ["other.eml"]
    )
  }).pipe(Effect.provide(platform))
)

it.effect("above its capacity the oldest mail is deleted, now and at the next start", () =>
  Effect.gen(function* () {
    const options = { folder: yield* folder, capacity: 3 }
    const store = yield* open(options)
    for (const n of [1, 2, 3, 4, 5]) yield* store.keep({ ...anna, to: `${n}@example.com` }, mail)
    assert.deepStrictEqual(yield* recipients(store), ["5@example.com", "4@example.com", "3@example.com"])
    assert.strictEqual(readdirSync(options.folder).length, 3)

    const smaller = yield* open({ ...options, capacity: 1 })
    assert.deepStrictEqual(yield* recipients(smaller), ["5@example.com"])
    assert.strictEqual(readdirSync(options.folder).length, 1)
  }).pipe(Effect.provide(platform))
)

it.effect("keeps 1,000 by default", () =>
  Effect.gen(function* () {
    const store = yield* open({ folder: yield* folder })
    yield* Effect.forEach(Array.from({ length: 1_005 }), () => store.keep(anna, mail), { concurrency: 16 })
    assert.strictEqual((yield* store.list({ limit: 1 })).total, 1_000)
  }).pipe(Effect.provide(platform))
)

it.effect("finds by exact recipient, or by a part of address or subject, in either case", () =>
  Effect.gen(function* () {
    const store = yield* open({ folder: yield* folder })
    yield* store.keep(anna, mail)
    yield* store.keep({ ...anna, to: "Joanna@example.com" }, mailOf("Subject: Invoice 7\n\n"))
    const found = (query: object) => Effect.map(store.list({ limit: 10, ...query }), ({ total }) => total)
    assert.strictEqual(yield* found({ to: "ANNA@example.com " }), 1)
    assert.strictEqual(yield* found({ to: "anna" }), 0)
    assert.strictEqual(yield* found({ search: "anna@" }), 2)
    assert.strictEqual(yield* found({ search: "GRÜSS" }), 0)
    assert.strictEqual(yield* found({ search: "grüße" }), 1)
    assert.strictEqual(yield* found({ search: "invoice" }), 1)
    assert.strictEqual(yield* found({ search: "news@posthorn" }), 1)
    assert.strictEqual(yield* found({ to: "anna@example.com", search: "invoice" }), 0)
  }).pipe(Effect.provide(platform))
)

it.effect("deletes all mail and the files", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const store = yield* open({ folder: path })
    const { id } = yield* store.keep(anna, mail)
    yield* store.keep(anna, mail)
    yield* store.clear
    assert.deepStrictEqual(yield* store.list({ limit: 10 }), { entries: [], total: 0 })
    assert.isTrue(Option.isNone(yield* store.read(id)))
    assert.deepStrictEqual(readdirSync(path), [])
  }).pipe(Effect.provide(platform))
)

it.effect("a mail whose file is missing does not exist, and neither does any unknown id", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "mailbox")
    const fs = yield* FileSystem.FileSystem
    const store = yield* open({ folder: path })
    const { id } = yield* store.keep(anna, mail)
    yield* fs.remove(join(path, `${id}.eml`))
    writeFileSync(join(path, "..", "outside.eml"), "x")
    for (const name of [id, "../outside", "..%2Foutside", ""]) assert.isTrue(Option.isNone(yield* store.read(name)))
  }).pipe(Effect.provide(platform))
)

it.effect("only the owner may read the mails", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "mailbox")
    const store = yield* open({ folder: path })
    const { id } = yield* store.keep(anna, mail)
    assert.strictEqual(statSync(path).mode & 0o777, 0o700)
    assert.strictEqual(statSync(join(path, `${id}.eml`)).mode & 0o777, 0o600)
  }).pipe(Effect.provide(platform))
)

it.effect.prop(
  "any octets, sender and recipient are the same at the next start",
  [Schema.Uint8Array, Schema.String, Schema.String],
  ([bytes, from, to]) =>
    Effect.gen(function* () {
      const options = { folder: yield* folder }
      const entry = yield* Effect.flatMap(open(options), (store) => store.keep({ from, to }, bytes))
      const second = yield* open(options)
      assert.deepStrictEqual(yield* second.find(entry.id), Option.some(entry))
      assert.deepStrictEqual(yield* read(second, entry.id), bytes)
    }).pipe(Effect.scoped, Effect.provide(platform))
)

it.effect.prop("the longest fields fit the header line that stores them", [Schema.String], ([text]) =>
  Effect.gen(function* () {
    const options = { folder: yield* folder }
    const long = `${text}\u0001`.repeat(2_000)
    const entry = yield* Effect.flatMap(open(options), (store) => store.keep({ from: long, to: long }, mail))
    assert.deepStrictEqual(yield* Effect.flatMap(open(options), (store) => store.find(entry.id)), Option.some(entry))
  }).pipe(Effect.scoped, Effect.provide(platform))
)

const read = (store: MailboxStore["Service"], id: string) =>
  Effect.map(store.read(id), (bytes) => new Uint8Array(Option.getOrThrow(bytes)))

const recipients = (store: MailboxStore["Service"]) =>
  Effect.map(store.list({ limit: 100 }), ({ entries }) => entries.map(({ to }) => to))
