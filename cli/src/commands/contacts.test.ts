import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, newFolder, posthorn, type Surroundings } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

/** Runs one `posthorn contacts` command against the test server, with its secret key. */
const run = (args: ReadonlyArray<string>, { input, cwd }: Surroundings = {}) =>
  Effect.flatMap(DevServer.DevServer, ({ url, secretKey }) =>
    posthorn(["contacts", ...args], { input, cwd, env: { POSTHORN_URL: url, POSTHORN_KEY: secretKey } })
  )

const json = (...args: Parameters<typeof run>) =>
  Effect.map(run([...args[0], "--json"], args[1]), ({ code, stdout, stderr }) => {
    assert.strictEqual(code, 0, stderr)
    return lines(stdout).map((line) => JSON.parse(line))
  })

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn contacts", (it) => {
  it.effect("upsert creates, then updates, by the address", () =>
    Effect.gen(function* () {
      const created = yield* run(["upsert", "ada@example.com", "--data", '{"plan":"pro"}'])
      assert.strictEqual(created.code, 0, created.stderr)
      assert.include(lines(created.stdout), "created\tada@example.com")
      const [updated] = yield* json(["upsert", "ADA@example.com", "--no-subscribed"])
      assert.deepInclude(updated, { subscribed: false, data: { plan: "pro" }, _meta: { isNew: false, isUpdate: true } })
    })
  )

  it.effect("get finds by address or id, and fails without a match", () =>
    Effect.gen(function* () {
      yield* run(["upsert", "bob@example.com"])
      yield* run(["upsert", "not-bob@example.com"])
      const [bob] = yield* json(["get", "Bob@example.com"])
      assert.strictEqual(bob.email, "bob@example.com")
      const [same] = yield* json(["get", bob.id])
      assert.deepStrictEqual(same, bob)
      const none = yield* run(["get", "ob@example.com"])
      assert.deepStrictEqual([none.code, none.stdout], [4, ""])
      assert.match(none.stderr, /The project has no contact ob@example\.com\. \(CONTACT_NOT_FOUND\)|has no contact/)
      assert.strictEqual((yield* run(["get", "019a0000-0000-7000-8000-00000000ffff"])).code, 4)
    })
  )

  it.effect("list filters and sorts", () =>
    Effect.gen(function* () {
      for (const name of ["l2", "l1", "l3"]) yield* run(["upsert", `${name}@list.example.com`])
      yield* run(["upsert", "l4@list.example.com", "--no-subscribed"])
      const found = yield* json(["list", "--search", "@list.", "--subscribed", "--sort", "email", "--dir", "asc"])
      assert.deepStrictEqual(
        found.map(({ email }) => email),
        ["l1@list.example.com", "l2@list.example.com", "l3@list.example.com"]
      )
      const plain = yield* run(["list", "--search", "l4@list"])
      assert.deepStrictEqual(lines(plain.stdout)[0]?.split("\t").slice(0, 2), ["l4@list.example.com", "false"])
    })
  )

  it.effect("query and count select by a condition or a segment", () =>
    Effect.gen(function* () {
      const { url, secretKey } = yield* DevServer.DevServer
      for (const name of ["q1", "q2", "q3"]) {
        yield* run(["upsert", `${name}@query.example.com`, "--data", '{"colour":"red"}'])
      }
      yield* run(["upsert", "q3@query.example.com", "--no-subscribed"])
      const condition = `{"groups":[{"filters":[{"field":"data.colour","operator":"equals","value":"red"}]}]}`
      const byEmail = ["--sort", "email", "--dir", "desc"]
      const found = yield* json(["query", "--condition", condition, ...byEmail, "--limit", "2"])
      assert.deepStrictEqual(
        found.map(({ email }) => email),
        ["q3@query.example.com", "q2@query.example.com"]
      )
      const env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey }
      yield* posthorn(["segments", "create", "Red things", "--condition", condition], { env })
      const members = yield* json(["query", "--segment", "red-things", "--subscribed", ...byEmail, "--all"])
      assert.deepStrictEqual(
        members.map(({ email }) => email),
        ["q2@query.example.com", "q1@query.example.com"]
      )
      assert.deepStrictEqual(yield* json(["count", "--condition", condition]), [{ count: 3 }])
      const counted = yield* run(["count", "--segment", "Red things", "--for", "MARKETING"])
      assert.deepStrictEqual(lines(counted.stdout), [
        "contacts\t3",
        "would get the mail\t2",
        "unsubscribed\t1",
        "topicUnsubscribed\t0",
        "snoozed\t0",
        "suppressed\t0"
      ])
      assert.strictEqual((yield* run(["count", "--segment", "unknown"])).code, 4)
    })
  )

  it.effect("import maps columns, counts first, and adds to a segment", () =>
    Effect.gen(function* () {
      const { url, secretKey } = yield* DevServer.DevServer
      const env = { POSTHORN_URL: url, POSTHORN_KEY: secretKey }
      yield* posthorn(["segments", "create", "Mapped", "--type", "STATIC"], { env })
      const input = "E-Mail,Plan\nm1@mapped.example.com,pro\nbad,x\n"
      const args = ["import", "-", "--mapping", '{"E-Mail":"email","Plan":"data.plan"}', "--segment", "mapped"]
      const counted = yield* run([...args, "--dry-run"], { input })
      assert.strictEqual(counted.code, 0, counted.stderr)
      assert.deepStrictEqual(lines(counted.stdout).slice(0, 3), ["would create\t1", "would update\t0", "faulty\t1"])
      assert.strictEqual((yield* run(["get", "m1@mapped.example.com"])).code, 4)
      const imported = yield* run(args, { input })
      assert.deepStrictEqual(lines(imported.stdout).slice(0, 3), ["created\t1", "updated\t0", "faulty\t1"])
      const [contact] = yield* json(["query", "--segment", "mapped"])
      assert.deepInclude(contact, { email: "m1@mapped.example.com", data: { plan: "pro" } })
      const joined = yield* json(["segments", "m1@mapped.example.com"])
      assert.deepStrictEqual(
        joined.map(({ name, type }) => [name, type]),
        [["Mapped", "STATIC"]]
      )
      assert.deepStrictEqual(yield* json(["executions", "m1@mapped.example.com"]), [])
    })
  )

  it.effect("delete asks first, and is refused without a terminal", () =>
    Effect.gen(function* () {
      yield* run(["upsert", "gone@example.com"])
      const asked = yield* run(["delete", "gone@example.com"])
      assert.strictEqual(asked.code, 2)
      assert.match(asked.stderr, /Delete gone@example\.com\?.*\n.*--yes/)
      const [deleted] = yield* json(["delete", "gone@example.com", "--yes"])
      assert.deepInclude(deleted, { email: "gone@example.com", deleted: true })
      assert.strictEqual((yield* run(["get", "gone@example.com"])).code, 4)
    })
  )

  it.effect("merge counts first, asks, and leaves one contact", () =>
    Effect.gen(function* () {
      yield* run(["upsert", "stays@example.com"])
      yield* run(["upsert", "goes@example.com", "--data", '{"plan":"pro"}'])
      const counted = yield* run(["merge", "stays@example.com", "goes@example.com", "--dry-run"])
      assert.strictEqual(counted.code, 0, counted.stderr)
      assert.include(lines(counted.stdout), "events\t0")
      assert.strictEqual((yield* run(["merge", "stays@example.com", "goes@example.com"])).code, 2)
      const [merged] = yield* json(["merge", "stays@example.com", "goes@example.com", "--yes"])
      assert.deepInclude(merged, { email: "stays@example.com", dryRun: false })
      const [contact] = yield* json(["get", "stays@example.com"])
      assert.deepInclude(contact, { data: { plan: "pro" } })
      assert.strictEqual((yield* run(["get", "goes@example.com"])).code, 4)
    })
  )

  it.effect("lookup reports each address, from arguments or standard input", () =>
    Effect.gen(function* () {
      yield* run(["upsert", "known@example.com"])
      const input = "known@example.com\n\nunknown@example.com\r\nnonsense\n"
      assert.deepStrictEqual(yield* json(["lookup", "-"], { input }), [
        { email: "known@example.com", exists: true, valid: true },
        { email: "unknown@example.com", exists: false, valid: true },
        { email: "nonsense", exists: false, valid: false }
      ])
      const plain = yield* run(["lookup", "known@example.com"])
      assert.strictEqual(plain.stdout, "known@example.com\ttrue\ttrue\n")
      const many = Array.from({ length: 1_001 }, (_, n) => `n${n}@example.com`)
      assert.lengthOf(yield* json(["lookup", "-"], { input: many.join("\n") }), 1_001)
    })
  )

  it.effect("import waits for the end and lists faulty rows; export returns all contacts", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      const rows = Array.from({ length: 250 }, (_, n) => `i${n}@import.example.com,${n}`)
      writeFileSync(join(cwd, "people.csv"), ["email,n", ...rows, "b\u001b[2Jad,1"].join("\n"))
      const imported = yield* run(["import", "people.csv"], { cwd })
      assert.deepStrictEqual([imported.code, imported.stderr], [0, "Line 252 (b [2Jad): Not a valid email address.\n"])
      assert.includeMembers([...lines(imported.stdout)], ["created\t250", "updated\t0", "faulty\t1"])
      const [again] = yield* json(["import", "-", "--no-infer-types"], { input: "email,n\ni1@import.example.com,7\n" })
      assert.deepInclude(again, { type: "import", state: "completed" })
      assert.deepInclude(again.result, { updatedCount: 1, failureCount: 0 })

      const piped = yield* run(["export", "--search", "@import."])
      const [head, ...exported] = lines(piped.stdout)
      assert.strictEqual(head, "id,email,subscribed,createdAt,updatedAt,externalId,subscription,snoozedUntil,n\r")
      assert.lengthOf(exported, 250)
      const asJson = yield* json(["export", "--search", "@import."])
      assert.strictEqual(asJson.find(({ email }) => email === "i1@import.example.com").data.n, "7")
      const [written] = yield* json(["export", "--search", "@import.", "--out", "all.csv"], { cwd })
      const file = readFileSync(join(cwd, "all.csv"), "utf8")
      assert.deepStrictEqual(written, { file: "all.csv", format: "csv", bytes: Buffer.byteLength(file) })
      assert.strictEqual(file, piped.stdout)
    })
  )

  it.effect("import and export report errors and then do nothing", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      const missing = yield* run(["import", "nowhere.csv"], { cwd })
      assert.strictEqual(missing.code, 2)
      assert.match(missing.stderr, /nowhere\.csv cannot be read/)
      const refused = yield* run(["import", "-"], { input: "name\nAnn\n" })
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /file: The file has no column 'email'\./)
      const large = yield* run(["import", "-"], { input: `email\n${"x".repeat(5 * 1024 * 1024)}\n` })
      assert.strictEqual(large.code, 1, large.stderr)
      assert.match(large.stderr, /PAYLOAD_TOO_LARGE, 413/)
      const segment = "019a0000-0000-7000-8000-00000000ffff"
      const unknown = yield* run(["export", "--segment-id", segment, "--out", "x.csv"], { cwd })
      assert.strictEqual(unknown.code, 4)
      assert.isFalse(existsSync(join(cwd, "x.csv")))
    })
  )
})
