import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect } from "effect"
import { lines, newFolder, posthorn, type Surroundings } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

/** Runs one command line against the test server, with its secret key. */
const run = (args: ReadonlyArray<string>, { input, env }: Surroundings = {}) =>
  Effect.flatMap(DevServer.DevServer, ({ url, secretKey }) =>
    posthorn(args, { input, env: { POSTHORN_URL: url, POSTHORN_KEY: secretKey, ...env } })
  )

const mail = (to: string) => [
  "send",
  "--to",
  to,
  "--from",
  "hi@posthorn.test",
  "--subject",
  "Hello",
  "--body",
  "<p>Hi</p>"
]

/** Sends one email and returns its id. */
const sent = (to: string) =>
  Effect.map(run([...mail(to), "--json"]), ({ stdout }): string => JSON.parse(stdout).emails[0].email)

const reaches = (id: string, status: string) =>
  eventually(
    Effect.map(run(["emails", "show", id, "--json"]), ({ stdout }) => JSON.parse(stdout)),
    (email) => email.status === status
  )

layer(DevServer.layer, { timeout: "60 seconds" })("against a server", (it) => {
  describe("whoami", () => {
    it.effect("names the server and the project of a key in the environment or on the command line", () =>
      Effect.gen(function* () {
        const { url, projectId, secretKey } = yield* DevServer.DevServer
        const { code, stdout } = yield* run(["whoami", "--json"])
        const answer = JSON.parse(stdout)
        assert.strictEqual(code, 0)
        assert.strictEqual(new URL(answer.url).origin, new URL(url).origin)
        assert.deepInclude(answer.project, { id: projectId, disabled: false })
        assert.deepStrictEqual(answer.key, { kind: "secret", mode: "LIVE", scopes: ["*"] })
        const shown = yield* posthorn(["whoami", "--url", url, "--key", secretKey])
        assert.include(shown.stdout, projectId)
        const wrong = yield* posthorn(["whoami", "--url", url, "--key", `sk_${"x".repeat(43)}`])
        assert.strictEqual(wrong.code, 3)
      })
    )

    it.effect("names the project of a development server where nobody is logged in", () =>
      Effect.gen(function* () {
        const { dataDir, projectId } = yield* DevServer.DevServer
        const { code, stdout } = yield* posthorn(["whoami", "--data-dir", dataDir])
        assert.strictEqual(code, 0)
        assert.include(stdout, projectId)
      })
    )
  })

  describe("a sender domain that is not verified", () => {
    it.effect("is refused with the command that adds it", () =>
      Effect.gen(function* () {
        const args = mail("ada@example.com").map((arg) => (arg === "hi@posthorn.test" ? "hi@stranger.example" : arg))
        const { code, stderr } = yield* run([...args, "--json"])
        const { error } = JSON.parse(stderr)
        assert.strictEqual(code, 1)
        assert.deepInclude(error, {
          code: "SENDER_DOMAIN_UNVERIFIED",
          details: { reason: "sender_domain_unverified", domain: "stranger.example" }
        })
        assert.include(error.suggestion, "posthorn domains add")
      })
    )
  })

  describe("send", () => {
    it.effect("prints in a pipe one line for each email", () =>
      Effect.gen(function* () {
        const { code, stdout, stderr } = yield* run([...mail("ada@example.com"), "--to", "Bob <bob@example.com>"])
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.deepStrictEqual(
          lines(stdout).map((line) => line.split("\t").slice(1)),
          [
            ["PENDING", "ada@example.com"],
            ["PENDING", "bob@example.com"]
          ]
        )
      })
    )

    it.effect("takes a body from standard input, data as JSON, files and headers", () =>
      Effect.gen(function* () {
        const file = join(newFolder(), "note.txt")
        writeFileSync(file, "A note")
        const args = [
          "send",
          "--to",
          "carl@example.com",
          "--from",
          "Hi <hi@posthorn.test>",
          "--subject",
          "For {{plan}}"
        ]
        const more = [
          "--body",
          "-",
          "--data",
          '{"plan":"pro"}',
          "--attachments",
          file,
          "--headers",
          "X-Order=42",
          "--json"
        ]
        const { stdout } = yield* run([...args, ...more], { input: "<p>Piped</p>\n" })
        const { email } = JSON.parse(stdout).emails[0]
        const record = yield* reaches(email, "DELIVERED")
        assert.strictEqual(record.subject, "For pro")
        assert.strictEqual(record.fromName, "Hi")
        assert.deepStrictEqual(record.headers, { "X-Order": "42" })
        assert.deepInclude(record.attachments[0], { filename: "note.txt", contentType: "text/plain", size: 6 })
      })
    )

    it.effect("sends only once with the same idempotency key", () =>
      Effect.gen(function* () {
        const args = [...mail("dora@example.com"), "--idempotency-key", "order-1"]
        assert.strictEqual((yield* run(args)).code, 0)
        const { code, stderr } = yield* run(args)
        assert.strictEqual(code, 1)
        assert.match(stderr, /\(IDEMPOTENCY_KEY_REUSED, 409\)/)
      })
    )

    it.effect("shows every faulty field", () =>
      Effect.gen(function* () {
        const { code, stdout, stderr } = yield* run(["send", "--to", "ada", "--from", "me"])
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^posthorn: .+ \(VALIDATION_ERROR, 422\)\n {2}to\.0: .+\n {2}from: .+\n/)
      })
    )

    it.effect("from a domain that is not verified fails, and says what to do", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* run([
          "send",
          "--to",
          "ada@example.com",
          "--from",
          "a@example.com",
          "--subject",
          "x",
          "--body",
          "x"
        ])
        assert.strictEqual(code, 1)
        assert.match(stderr, /The domain example\.com is not verified.*\n {2}Add the domain/)
      })
    )

    it.effect("names an attachment that does not exist", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* run([...mail("ada@example.com"), "--attachments", "nowhere.pdf"])
        assert.deepStrictEqual([code, stderr], [2, "posthorn: The attachment nowhere.pdf cannot be read (NotFound).\n"])
      })
    )
  })

  describe("verify", () => {
    it.effect("shows the result of the checks of an address", () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* run(["verify", "ada+x@gnail.com", "--json"])
        assert.strictEqual(code, 0)
        assert.include(JSON.parse(stdout), { email: "ada+x@gnail.com", suggestedEmail: "ada+x@gmail.com" })
      })
    )

    it.effect("refuses text that is not an address", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* run(["verify", "nonsense"])
        assert.strictEqual(code, 1)
        assert.match(stderr, /Not a valid email address/)
      })
    )
  })

  describe("track", () => {
    it.effect("takes the public key", () =>
      Effect.gen(function* () {
        const { publicKey } = yield* DevServer.DevServer
        const { code, stdout } = yield* run(["track", "ada@example.com", "--event", "signed_up", "--json"], {
          env: { POSTHORN_KEY: publicKey }
        })
        assert.strictEqual(code, 0)
        assert.hasAllKeys(JSON.parse(stdout), ["contact", "event", "timestamp"])
      })
    )

    it.effect("refuses the secret key with a clear error", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* run(["track", "ada@example.com", "--event", "signed_up"])
        assert.strictEqual(code, 3)
        assert.match(stderr, /needs a key that begins with pk_\.\n.*`posthorn track` needs the public key/)
      })
    )
  })

  describe("emails", () => {
    it.effect("list in a pipe as lines, newest first, and stop at the limit", () =>
      Effect.gen(function* () {
        for (const to of ["e1@example.com", "e2@example.com"]) yield* sent(to)
        const { stdout } = yield* run(["emails", "list", "--limit", "2"])
        assert.deepStrictEqual(
          lines(stdout).map((line) => line.split("\t")[2]),
          ["e2@example.com", "e1@example.com"]
        )
      })
    )

    it.effect("list in JSON one object a line", () =>
      Effect.gen(function* () {
        const id = yield* sent("e3@example.com")
        const { stdout } = yield* run(["emails", "list", "--to", "e3@example.com", "--all", "--json"])
        assert.deepStrictEqual(
          lines(stdout).map((line) => JSON.parse(line).id),
          [id]
        )
      })
    )

    it.effect("print nothing in a pipe if none matches", () =>
      Effect.gen(function* () {
        const { code, stdout, stderr } = yield* run(["emails", "list", "--to", "nobody@example.com"])
        assert.deepStrictEqual([code, stdout, stderr], [0, "", ""])
      })
    )

    it.effect("show the history of one", () =>
      Effect.gen(function* () {
        const id = yield* sent("e4@example.com")
        yield* reaches(id, "DELIVERED")
        const { stdout } = yield* run(["emails", "show", id])
        assert.include(lines(stdout), "status\tDELIVERED")
        assert.match(stdout, /^attempt\t.+\taccepted\t/m)
        assert.match(stdout, /^event\t.+\tdelivered\t?$/m)
      })
    )

    it.effect("are retried or cancelled only if their state allows it", () =>
      Effect.gen(function* () {
        const id = yield* sent("e5@example.com")
        yield* reaches(id, "DELIVERED")
        const [retried, cancelled] = [
          yield* run(["emails", "retry", id]),
          yield* run(["emails", "cancel", id, "--json"])
        ]
        assert.strictEqual(retried.code, 1)
        assert.match(retried.stderr, /\(CONFLICT, 409\)/)
        assert.strictEqual(cancelled.code, 1)
        assert.deepInclude(JSON.parse(cancelled.stderr).error, {
          code: "CONFLICT",
          statusCode: 409,
          exitCode: 1,
          details: { reason: "not_cancellable", status: "DELIVERED", allowed: ["SCHEDULED", "PENDING"] }
        })
      })
    )

    it.effect("that do not exist end with 4", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* run(["emails", "show", "019a9f3c-0000-7000-8000-0000000000e1"])
        assert.strictEqual(code, 4)
        assert.match(stderr, /\(RESOURCE_NOT_FOUND, 404\)/)
      })
    )
  })

  describe("suppressions", () => {
    it.effect("are added, found in any spelling, listed, and removed only after a confirmation", () =>
      Effect.gen(function* () {
        const added = yield* run(["suppressions", "add", "Gone@Example.com", "--note", "asked by phone"])
        assert.strictEqual(added.code, 0)
        assert.includeMembers(
          [...lines(added.stdout)],
          ["address\tgone@example.com", "reason\tMANUAL", "note\tasked by phone"]
        )

        const input = "gone@example.com\nmore@example.com\n\nlast@example.com\n"
        const many = yield* run(["suppressions", "add", "-", "--json"], { input })
        assert.deepStrictEqual(JSON.parse(many.stdout), { added: 2, existing: 1 })

        const listed = yield* run(["suppressions", "list", "--search", "gone", "--reason", "MANUAL"])
        assert.match(listed.stdout, /^gone@example\.com\tMANUAL\t.*\tasked by phone$/m)
        const one = yield* run(["suppressions", "get", "GONE@example.com", "--json"])
        assert.deepInclude(JSON.parse(one.stdout), { email: "gone@example.com", reason: "MANUAL" })

        const refused = yield* run(["suppressions", "remove", "gone@example.com"])
        assert.strictEqual(refused.code, 2)
        assert.match(refused.stderr, /Add --yes/)
        assert.strictEqual((yield* run(["suppressions", "remove", "gone@example.com", "--yes"])).code, 0)
        assert.strictEqual((yield* run(["suppressions", "get", "gone@example.com"])).code, 4)
      })
    )
  })

  describe("domains", () => {
    it.effect("are added, found by name in any spelling, and removed only after a confirmation", () =>
      Effect.gen(function* () {
        const { projectId } = yield* DevServer.DevServer
        const added = yield* run(["domains", "add", "Shop.Example.com."])
        assert.strictEqual(added.code, 0)
        assert.include(lines(added.stdout), "domain\tshop.example.com")
        assert.match(added.stdout, /^TXT\t\S+\._domainkey\.shop\.example\.com\tPENDING\tyes\tv=DKIM1; k=rsa; p=/m)

        const project = ["--project", projectId]
        const verified = yield* run(["domains", "verify", "SHOP.example.com", "--json", ...project])
        assert.deepInclude(JSON.parse(verified.stdout), { domain: "shop.example.com", status: "PENDING" })

        const refused = yield* run(["domains", "remove", "shop.example.com", ...project])
        assert.strictEqual(refused.code, 2)
        assert.match(refused.stderr, /Its signing keys are destroyed\.\n {2}Add --yes/)

        const removed = yield* run(["domains", "remove", "shop.example.com", "--yes", "--json", ...project])
        assert.deepInclude(JSON.parse(removed.stdout), { domain: "shop.example.com", removed: true })
        const again = yield* run(["domains", "remove", "shop.example.com", "--yes", ...project])
        assert.strictEqual(again.code, 4)
      })
    )

    it.effect("are listed for the project of earlier records, if no project is given", () =>
      Effect.gen(function* () {
        yield* sent("e6@example.com")
        const { stdout } = yield* run(["domains", "list"])
        assert.match(stdout, /^posthorn\.test\tVERIFIED\t/m)
      })
    )
  })

  describe("the development server of a data folder", () => {
    /** A data folder with a `dev.json` that names the server. */
    const folder = Effect.map(DevServer.DevServer, ({ url, projectId, publicKey, secretKey }) => {
      const path = newFolder()
      writeFileSync(join(path, "dev.json"), JSON.stringify({ url, projectId, publicKey, secretKey }))
      return path
    })

    it.effect("is used without any set-up", () =>
      Effect.gen(function* () {
        const dataDir = ["--data-dir", yield* folder]
        for (const args of [
          mail("f1@example.com"),
          ["track", "f1@example.com", "--event", "seen"],
          ["domains", "list"]
        ]) {
          assert.strictEqual((yield* posthorn([...args, ...dataDir])).code, 0)
        }
      })
    )

    it.effect("keeps its key on this machine", () =>
      Effect.gen(function* () {
        const { code, stderr } = yield* posthorn([
          "emails",
          "list",
          "--data-dir",
          yield* folder,
          "--url",
          "http://mail.test"
        ])
        assert.strictEqual(code, 3)
        assert.match(stderr, /There is no API key/)
      })
    )

    it.effect("is not used if another key is given", () =>
      Effect.gen(function* () {
        const { url } = yield* DevServer.DevServer
        const args = ["emails", "list", "--data-dir", yield* folder, "--url", url, "--key", `sk_${"x".repeat(43)}`]
        const { code, stderr } = yield* posthorn(args)
        assert.strictEqual(code, 3)
        assert.match(stderr, /\(INVALID_API_KEY, 401\)\n {2}Pass it with --key or POSTHORN_KEY/)
      })
    )
  })
})

describe("without a server", () => {
  it.effect("the command ends with 5, and says how to start one", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = yield* posthorn([
        "emails",
        "list",
        "--url",
        "http://127.0.0.1:2",
        "--key",
        "sk_x"
      ])
      assert.deepStrictEqual([code, stdout], [5, ""])
      assert.match(stderr, /^posthorn: http:\/\/127\.0\.0\.1:2\/ does not answer: .*ECONNREFUSED.*\n {2}Start it with/)
    })
  )

  it.effect("and without a key it ends with 3", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* posthorn(["emails", "list"])
      assert.strictEqual(code, 3)
      assert.match(
        stderr,
        /There is no API key\.\n {2}Set POSTHORN_KEY, pass --key, start `posthorn dev` in this folder, or log in/
      )
    })
  )

  it.effect("text that is not a URL is wrong usage", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* posthorn(["emails", "list", "--url", "localhost:3000", "--key", "sk_x"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /localhost:3000 is not the URL of a service/)
    })
  )
})
