import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newFolder, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

/** Calls an endpoint in a folder of its own, with the secret key unless `env` says otherwise. */
const api = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  { env, cwd = newFolder() }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {}
) {
  const { secretKey, url } = yield* DevServer.DevServer
  return yield* posthorn(["api", ...args], { cwd, env: env ?? { POSTHORN_URL: url, POSTHORN_KEY: secretKey } })
})

const succeeds = (...given: Parameters<typeof api>) =>
  Effect.map(api(...given), ({ code, stdout, stderr }) => {
    assert.deepStrictEqual([code, stderr], [0, ""])
    return stdout === "" ? undefined : JSON.parse(stdout)
  })

layer(DevServer.layer, { timeout: "60 seconds" })("posthorn api", (it) => {
  it.effect("creates, reads, changes and deletes with every method, and prints JSON", () =>
    Effect.gen(function* () {
      const made = yield* succeeds(["POST", "/contacts", "--data", '{"email":"ada@example.com"}'])
      assert.strictEqual(made.email, "ada@example.com")
      const path = `/contacts/${made.id}`
      const changed = yield* succeeds(["PATCH", path, "--data", '{"data":{"plan":"pro"}}'])
      assert.deepStrictEqual(changed.data, { plan: "pro" })
      const found = yield* succeeds(["GET", "/contacts?search=ada%40example.com", "--json"])
      assert.deepStrictEqual(
        found.data.map(({ id }: { readonly id: string }) => id),
        [made.id]
      )
      assert.isUndefined(yield* succeeds(["DELETE", path]))
      const { code, stdout, stderr } = yield* api(["GET", path])
      assert.deepStrictEqual([code, stdout], [4, ""])
      assert.match(stderr, /\(CONTACT_NOT_FOUND, 404\)/)
    })
  )

  it.effect("sends a file as a form", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      writeFileSync(join(cwd, "people.csv"), "email\nbob@example.com\n")
      const form = ["--form", "file=@people.csv", "--form", "inferTypes=false"]
      assert.isString((yield* succeeds(["POST", "/contacts/import", ...form], { cwd })).jobId)
      const { code, stderr } = yield* api(["POST", "/contacts/import", "--form", "file=@none.csv"])
      assert.deepStrictEqual([code, stderr], [2, "posthorn: The file none.csv cannot be read (NotFound).\n"])
    })
  )

  it.effect("sends the public key to the endpoint that takes it, and no key to endpoints that need none", () =>
    Effect.gen(function* () {
      const { dataDir, url } = yield* DevServer.DevServer
      const event = ["--data", '{"email":"ada@example.com","event":"signed_up"}']
      const tracked = yield* succeeds(["POST", "/v1/track", ...event], { env: { POSTHORN_DATA_DIR: dataDir } })
      assert.isTrue(tracked.success)
      assert.strictEqual((yield* succeeds(["GET", "/health"], { env: { POSTHORN_URL: url } })).status, "ok")
      const refused = yield* api(["GET", "/contacts"], { env: { POSTHORN_URL: url } })
      assert.strictEqual(refused.code, 3)
      assert.match(refused.stderr, /\(INVALID_API_KEY, 401\)/)
    })
  )

  it.effect("sends the session of a login with --login, and headers of its own", () =>
    Effect.gen(function* () {
      const { email, password, url } = yield* DevServer.DevServer
      const env = { XDG_CONFIG_HOME: newFolder() }
      const login = ["login", "--url", url, "--email", email, "--password-stdin"]
      assert.strictEqual((yield* posthorn(login, { env, input: `${password}\n` })).code, 0)
      assert.strictEqual((yield* succeeds(["GET", "/users/@me", "--login"], { env })).email, email)
      const { code, stderr } = yield* api(["GET", "/users/@me", "--login"], { env: { XDG_CONFIG_HOME: newFolder() } })
      assert.strictEqual(code, 3)
      assert.include(stderr, "You are not logged in.")
      const key = ["--headers", "Idempotency-Key=one", "--headers", "Idempotency-Mode=replay"]
      const event = ["POST", "/events/track", "--data", '{"email":"ada@example.com","event":"seen"}', ...key]
      assert.deepStrictEqual(yield* succeeds(event), yield* succeeds(event))
    })
  )

  it.effect("refuses a path without a slash, and two bodies", () =>
    Effect.gen(function* () {
      const path = yield* api(["GET", "contacts"])
      assert.deepStrictEqual(
        [path.code, path.stderr],
        [2, "posthorn: The path contacts does not begin with a slash.\n"]
      )
      const bodies = yield* api(["POST", "/contacts", "--data", "{}", "--form", "a=b"])
      assert.deepStrictEqual([bodies.code, bodies.stderr], [2, "posthorn: Pass either --data or --form, not both.\n"])
    })
  )
})
