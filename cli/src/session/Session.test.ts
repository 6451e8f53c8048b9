import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Secret, TOTP } from "otpauth"
import { lines, newFolder, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

/** A person on another machine than the server: no database, no key, a folder for profiles. */
const person = () => {
  const config = newFolder()
  const file = join(config, "posthorn", "profiles.json")
  const run = (args: ReadonlyArray<string>, input?: string) =>
    posthorn(args, { input, env: { XDG_CONFIG_HOME: config } })
  return {
    run,
    json: (args: ReadonlyArray<string>, input?: string) =>
      Effect.map(run([...args, "--json"], input), ({ code, stdout, stderr }) => {
        assert.deepStrictEqual([code, stderr], [0, ""], args.join(" "))
        return JSON.parse(stdout)
      }),
    file,
    kept: () => JSON.parse(readFileSync(file, "utf8")),
    logIn: Effect.flatMap(DevServer.DevServer, ({ url, email, password }) =>
      run(["login", "--url", url, "--email", email, "--password-stdin", "--json"], `${password}\n`)
    )
  }
}

/** A logged-in person, and the output of the login. */
class Ada extends Context.Service<Ada, ReturnType<typeof person> & { readonly printed: string }>()(
  "posthorn/session/Session.test/Ada"
) {}

const ada = Layer.effect(
  Ada,
  Effect.gen(function* () {
    const someone = person()
    const { code, stdout, stderr } = yield* someone.logIn
    assert.deepStrictEqual([code, stderr], [0, ""])
    return Ada.of({ ...someone, printed: stdout })
  })
).pipe(Layer.provideMerge(DevServer.layer))

layer(ada, { timeout: "60 seconds" })("with a login", (it) => {
  it.effect("the session is stored in a file that only its owner can read, and the password is not stored", () =>
    Effect.gen(function* () {
      const { url, email, password, projectId } = yield* DevServer.DevServer
      const { json, run, file, kept, printed } = yield* Ada
      assert.deepInclude(JSON.parse(printed), { profile: "default", url: `${url}/`, email })
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(file, "..")).mode & 0o777, 0o700)
      const text = readFileSync(file, "utf8")
      assert.notInclude(text, password)
      const { session } = kept().profiles.default
      assert.notInclude(printed, session)
      assert.deepInclude(yield* json(["whoami"]), { email, emailVerified: true, profile: "default", project: null })

      const [project] = lines((yield* run(["projects", "list", "--json"])).stdout).map((line) => JSON.parse(line))
      assert.deepInclude(project, { id: projectId, role: "OWNER" })
    })
  )

  it.effect("commands use the login while its own server has the database open", () =>
    Effect.gen(function* () {
      const { dataDir, pid, projectId } = yield* DevServer.DevServer
      const { file } = yield* Ada
      const onFolder = (config: string, ...args: ReadonlyArray<string>) =>
        posthorn([...args, "--data-dir", dataDir], { env: { XDG_CONFIG_HOME: config } })
      const own = join(file, "../..")
      assert.include((yield* onFolder(own, "projects", "list")).stdout, projectId)
      for (const [config, ...args] of [
        [newFolder(), "projects", "list"],
        [own, "projects", "disable", projectId]
      ] as const) {
        const { code, stderr } = yield* onFolder(config, ...args)
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          new RegExp(`is in use by process ${pid}\\. Stop it.*\n {2}.*log in to the running service`)
        )
      }
    })
  )

  it.effect("a project is chosen, and commands without a key use it", () =>
    Effect.gen(function* () {
      const { projectId, publicKey, url } = yield* DevServer.DevServer
      const { json, run, kept } = yield* Ada
      const unused = yield* run(["contacts", "list"])
      assert.strictEqual(unused.code, 2)
      assert.match(
        unused.stderr,
        /There is no current project\.\n {2}Choose one with `posthorn projects use <project>`/
      )
      assert.strictEqual((yield* run(["projects", "use", "Nobody's"])).code, 4)
      assert.deepInclude(yield* json(["projects", "use", projectId]), { id: projectId, public: publicKey })
      assert.strictEqual(kept().profiles.default.project.id, projectId)
      yield* json(["contacts", "upsert", "ada@example.com", "--data", '{"plan":"pro"}'])
      assert.deepInclude(yield* json(["contacts", "get", "ada@example.com"]), { projectId, data: { plan: "pro" } })
      yield* json(["track", "ada@example.com", "--event", "signed_up"])
      const member = lines((yield* run(["projects", "members"])).stdout)[0]?.split("\t")
      assert.deepStrictEqual(member?.slice(1, 3), ["OWNER", "ACTIVE"])
      // Endpoints that accept only the secret key, and a session that would be sent to another server.
      assert.strictEqual((yield* run(["verify", "ada@example.com"])).code, 3)
      const elsewhere = yield* run(["contacts", "list", "--url", url.replace("127.0.0.1", "localhost")])
      assert.deepStrictEqual([elsewhere.code, /There is no API key/.test(elsewhere.stderr)], [3, true])
    })
  )

  it.effect("two-factor authentication is turned on and off, a login then needs a code, and sessions are ended", () =>
    Effect.gen(function* () {
      const { url, email, password } = yield* DevServer.DevServer
      const { json, run, logIn } = yield* Ada
      const begun = yield* json(["account", "two-factor", "on", "--password-stdin"], `${password}\n`)
      const codeOf = (offset: number) =>
        new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({ timestamp: Date.now() + offset * 30_000 })
      const { recoveryCodes } = yield* json(["account", "two-factor", "confirm", "--code", codeOf(-1)])
      assert.strictEqual(recoveryCodes.length, 10)
      assert.deepInclude(yield* json(["account", "two-factor", "status"]), { totp: true, recoveryCodes: 10 })
      const refused = yield* logIn
      assert.deepStrictEqual([refused.code, /needs a second factor/.test(refused.stderr)], [2, true])
      const again = person()
      const args = ["login", "--url", url, "--email", email, "--password-stdin", "--code"]
      const wrong = yield* again.run([...args, "no-such-code"], `${password}\n`)
      assert.strictEqual(wrong.code, 3)
      yield* again.json([...args, recoveryCodes[0]], `${password}\n`)
      assert.strictEqual(lines((yield* run(["account", "sessions", "list", "--json"])).stdout).length, 2)
      yield* json(["account", "sessions", "revoke", "--others", "--yes"])
      assert.strictEqual((yield* again.run(["whoami"])).code, 3)
      assert.strictEqual((yield* run(["account", "sessions", "revoke", "no-uuid", "--yes"])).code, 4)
      assert.strictEqual((yield* run(["account", "sessions", "revoke", "--yes"])).code, 2)
      const off = ["account", "two-factor", "off", "--password-stdin", "--code", recoveryCodes[1]]
      assert.deepStrictEqual(yield* json(off, `${password}\n`), { totp: false })
    })
  )

  it.effect("change what the public key may do", () =>
    Effect.gen(function* () {
      const { projectId } = yield* DevServer.DevServer
      const { json, run } = yield* Ada
      const policy = (...options: ReadonlyArray<string>) =>
        Effect.map(json(["projects", "public-key", projectId, ...options]), ({ publicKeyPolicy }) => publicKeyPolicy)
      assert.deepStrictEqual(yield* policy(), { subscribe: true, overwrite: true, origins: [] })
      const changed = { subscribe: true, overwrite: false, origins: ["https://shop.example"] }
      assert.deepStrictEqual(yield* policy("--no-overwrite", "--origins", "https://Shop.example/"), changed)
      const wrong = yield* run(["projects", "public-key", projectId, "--origins", "shop.example"])
      assert.deepStrictEqual([wrong.code, /publicKeyPolicy\.origins\.0/.test(wrong.stderr)], [1, true])
      assert.deepStrictEqual(yield* policy("--overwrite", "--any-origin"), { ...changed, overwrite: true, origins: [] })
    })
  )

  it.effect("change how inbound mail is handled", () =>
    Effect.gen(function* () {
      const { projectId } = yield* DevServer.DevServer
      const { json } = yield* Ada
      const rejects = (...options: ReadonlyArray<string>) =>
        Effect.map(json(["projects", "inbound-mail", projectId, ...options]), (answer) => answer.rejectDmarcFailures)
      assert.strictEqual(yield* rejects(), false)
      assert.strictEqual(yield* rejects("--reject-dmarc-failures"), true)
      assert.strictEqual(yield* rejects(), true)
      assert.strictEqual(yield* rejects("--no-reject-dmarc-failures"), false)
    })
  )

  it.effect("members are invited and removed by their addresses", () =>
    Effect.gen(function* () {
      const { projectId } = yield* DevServer.DevServer
      const { json, run } = yield* Ada
      const at = ["--project", projectId]
      const invited = yield* json(["projects", "invite", "bob@example.com", "--role", "ADMIN", ...at])
      assert.deepInclude(invited, { email: "bob@example.com", role: "ADMIN", status: "PENDING", userId: null })
      const early = yield* run(["projects", "set-role", "bob@example.com", "--role", "MEMBER", ...at])
      assert.deepStrictEqual([early.code, /has not accepted the invitation yet/.test(early.stderr)], [2, true])
      const own = lines((yield* run(["projects", "members", projectId])).stdout)[0]?.split("\t")[0] ?? ""
      const refused = yield* run(["projects", "set-role", own, "--role", "MEMBER", ...at])
      assert.deepStrictEqual([refused.code, /FORBIDDEN, 403/.test(refused.stderr)], [3, true])
      assert.strictEqual((yield* run(["projects", "remove-member", "bob@example.com", ...at])).code, 2)
      const removed = yield* json(["projects", "remove-member", "Bob@example.com", "--yes", ...at])
      assert.deepStrictEqual(removed, { email: "bob@example.com", removed: true })
      assert.strictEqual((yield* run(["projects", "remove-member", "bob@example.com", "--yes", ...at])).code, 4)
    })
  )

  it.effect("a member gets another role, and ownership changes only after a confirmation", () =>
    Effect.gen(function* () {
      const { url } = yield* DevServer.DevServer
      const { json, run } = yield* Ada
      const [email, password] = ["carla@example.com", "correct horse battery staple"]
      const at = ["--project", "Handed over"]
      yield* json(["projects", "create", "Handed over"])
      yield* json(["projects", "invite", email, "--role", "MEMBER", ...at])
      const invitationToken = yield* DevServer.tokenTo(email)
      const signedUp = yield* Effect.promise(() =>
        fetch(`${url}/auth/signup`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email, password, invitationToken })
        })
      )
      assert.isTrue(signedUp.ok)
      const carla = person()
      const login = ["login", "--url", url, "--email", email, "--password-stdin"]
      assert.strictEqual((yield* carla.run(login, password)).code, 0)

      const roles = Effect.map(run(["projects", "members", "Handed over"]), ({ stdout }) =>
        lines(stdout).map((line) => line.split("\t").slice(1, 3).join(" "))
      )
      assert.deepStrictEqual(yield* roles, ["OWNER ACTIVE", "MEMBER ACTIVE"])
      const early = yield* carla.run(["projects", "set-role", email, "--role", "ADMIN", ...at])
      assert.strictEqual(early.code, 3)
      const changed = yield* json(["projects", "set-role", email, "--role", "ADMIN", ...at])
      assert.deepInclude(changed, { email, role: "ADMIN", status: "ACTIVE" })

      const handOver = ["projects", "set-role", email, "--role", "OWNER", ...at]
      const refused = yield* run(handOver)
      assert.deepStrictEqual(
        [refused.code, /Offer ownership of Handed over to carla@.*Add --yes/s.test(refused.stderr)],
        [2, true]
      )
      assert.deepStrictEqual(yield* roles, ["OWNER ACTIVE", "ADMIN ACTIVE"])
      assert.deepInclude(yield* json([...handOver, "--yes"]), { email, role: "ADMIN", pendingRole: "OWNER" })
      assert.deepStrictEqual(yield* roles, ["OWNER ACTIVE", "ADMIN ACTIVE"])
      const offer = lines((yield* carla.run(["projects", "invitations"])).stdout)[0]?.split("\t") ?? []
      assert.deepStrictEqual(offer.slice(1, 4), ["Handed over", "OWNERSHIP", "OWNER"])
      assert.strictEqual((yield* carla.run(["projects", "accept", offer[0] ?? ""])).code, 2)
      assert.strictEqual((yield* carla.run(["projects", "accept", offer[0] ?? "", "--yes"])).code, 0)
      assert.strictEqual((yield* carla.run(["projects", "decline", offer[0] ?? ""])).code, 4)
      assert.deepStrictEqual(yield* roles, ["ADMIN ACTIVE", "OWNER ACTIVE"])
      assert.strictEqual((yield* run(["projects", "delete", "Handed over", "--yes"])).code, 3)
      assert.deepInclude(yield* carla.json(["projects", "delete", "Handed over", "--yes"]), { deleted: true })
    })
  )

  it.effect("keys are replaced, data is deleted and the project is deleted only after a confirmation", () =>
    Effect.gen(function* () {
      const { json, run, kept } = yield* Ada
      const made = yield* json(["projects", "create", "Second"])
      assert.deepInclude(made, { name: "Second", role: "OWNER", disabled: false })
      assert.match(made.secretKey, /^sk_[\w-]{43}$/)
      yield* json(["projects", "use", "Second"])
      const before = kept().profiles.default.project
      for (const args of [["rotate-keys", "Second"], ["reset"], ["delete", "Second"]]) {
        const refused = yield* run(["projects", ...args])
        assert.deepStrictEqual([refused.code, /Add --yes/.test(refused.stderr)], [2, true], args.join(" "))
      }
      const keys = yield* json(["projects", "rotate-keys", "Second", "--yes"])
      assert.match(keys.secretKey, /^sk_[\w-]{43}$/)
      assert.strictEqual(made.publicKey, before.publicKey)
      assert.notInclude([made.publicKey, made.secretKey], keys.publicKey)
      assert.notStrictEqual(keys.secretKey, made.secretKey)
      assert.deepStrictEqual(kept().profiles.default.project, { ...before, publicKey: keys.publicKey })
      assert.deepInclude(yield* json(["projects", "reset", "--yes"]), { name: "Second", state: "completed" })
      assert.deepInclude(yield* json(["projects", "delete", "Second", "--yes"]), { name: "Second", deleted: true })
      assert.notProperty(kept().profiles.default, "project")
    })
  )

  it.effect("a wrong password, a missing address and an unreachable server each have an error of their own", () =>
    Effect.gen(function* () {
      const { url, email } = yield* DevServer.DevServer
      const login = ["login", "--password-stdin", "--url"]
      const { run } = person()
      const wrong = yield* run([...login, url, "--email", email], "wrong horse")
      const nobody = yield* run([...login, url], "wrong horse")
      const away = yield* run([...login, "http://127.0.0.1:1", "--email", email], "wrong horse")
      assert.deepStrictEqual([wrong.code, /INVALID_CREDENTIALS, 401/.test(wrong.stderr)], [3, true])
      assert.strictEqual(nobody.code, 2)
      assert.deepStrictEqual([away.code, /127\.0\.0\.1:1\/ does not answer/.test(away.stderr)], [5, true])
    })
  )

  it.effect("logging out ends the session locally and on the server; several logins stay separate", () =>
    Effect.gen(function* () {
      const { url, email, password } = yield* DevServer.DevServer
      const { run, json, kept } = yield* Ada
      const login = ["login", "--url", url, "--email", email, "--password-stdin", "--profile", "other"]
      assert.strictEqual((yield* run(login, password)).code, 0)
      assert.deepInclude(yield* json(["whoami"]), { profile: "other" })
      const asUser = (session: string, path: string) =>
        Effect.map(
          Effect.promise(() => fetch(`${url}${path}`, { headers: { cookie: `posthorn_session=${session}` } })),
          ({ status }) => status
        )
      const { default: first, other } = kept().profiles
      assert.strictEqual((yield* run(["logout", "--profile", "default"])).code, 0)
      assert.strictEqual(yield* asUser(first.session, "/users/@me"), 401)
      assert.notProperty(kept().profiles, "default")
      assert.strictEqual(yield* asUser(other.session, "/auth/logout"), 200)
      const ended = yield* run(["whoami"])
      assert.deepStrictEqual([ended.code, /Log in again with `posthorn login`/.test(ended.stderr)], [3, true])
    })
  )
})

it.effect("commands of a user fail without a login", () =>
  Effect.gen(function* () {
    const { run } = person()
    const commands = [["whoami", "--profile", "default"], ["logout"], ["projects", "members"]]
    for (const { code, stderr } of yield* Effect.forEach(commands, (args) => run(args))) {
      assert.deepStrictEqual([code, /You are not logged in\.\n {2}Log in with/.test(stderr)], [3, true])
    }
    const { code, stderr } = yield* run(["whoami"])
    assert.deepStrictEqual([code, /There is no API key\./.test(stderr)], [3, true])
  })
)
