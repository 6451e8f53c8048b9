import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, newFolder, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(DevServer.DevServer, ({ url, secretKey }) =>
    posthorn(args, { cwd, env: { POSTHORN_URL: url, POSTHORN_KEY: secretKey } })
  )

const texts = ["--from", "hi@posthorn.test", "--subject", "Receipt {{number}}", "--body", "<p>Thank you.</p>"]

const write = (cwd: string, mails: ReadonlyArray<object | string>) =>
  writeFileSync(
    join(cwd, "receipts.ndjson"),
    mails.map((mail) => (typeof mail === "string" ? mail : JSON.stringify(mail))).join("\n")
  )

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn send", (it) => {
  it.effect("takes copies, and prints the mail of each recipient", () =>
    Effect.gen(function* () {
      const args = ["--to", "ada@example.com", "--cc", "cfo@example.com", "--bcc", "archive@example.com"]
      const { code, stdout, stderr } = yield* run(newFolder(), "send", ...args, ...texts)
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual(
        lines(stdout).map((line) => line.split("\t")[2]),
        ["ada@example.com", "cfo@example.com", "archive@example.com"]
      )
    })
  )

  it.effect("sends the lines of a file, and a second run sends only what is missing", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      const good = [
        { to: "a@example.com", data: { number: 1 } },
        { to: "b@example.com", data: { number: 2 } }
      ]
      write(cwd, [good[0] ?? {}, "", { to: "no address" }, good[1] ?? {}])
      const atomic = yield* run(cwd, "send", "--file", "receipts.ndjson", ...texts)
      assert.strictEqual(atomic.code, 1)
      assert.include(atomic.stderr, "line 3.to")
      const each = yield* run(cwd, "send", "--file", "receipts.ndjson", "--no-atomic", ...texts)
      assert.strictEqual(each.code, 1)
      assert.include(each.stderr, "1 line was refused")
      assert.deepStrictEqual(
        lines(each.stdout).map((line) => line.split("\t").slice(0, 2)),
        [
          ["1", "PENDING"],
          ["3", "refused"],
          ["4", "PENDING"]
        ]
      )
      write(cwd, [good[0] ?? {}, "", { to: "c@example.com", data: { number: 3 } }, good[1] ?? {}])
      const second = yield* run(cwd, "send", "--file", "receipts.ndjson", "--no-atomic", ...texts)
      assert.strictEqual(second.code, 0, second.stderr)
      assert.deepStrictEqual(
        lines(second.stdout).map((line) => line.split("\t")[1]),
        ["sent before", "PENDING", "sent before"]
      )
    })
  )

  it.effect("asks before it sends at once what was to be sent at a time in the past", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      write(cwd, [{ to: "past@example.com", data: { number: 1 } }])
      const past = ["--scheduled-for", "2020-01-01T09:00:00Z", ...texts]
      for (const recipients of [
        ["--to", "past@example.com"],
        ["--file", "receipts.ndjson"]
      ]) {
        const refused = yield* run(cwd, "send", ...recipients, ...past)
        assert.strictEqual(refused.code, 2, recipients.join(" "))
        assert.include(refused.stderr, "2020-01-01T09:00:00Z is in the past")
        const sent = yield* run(cwd, "send", ...recipients, ...past, "--yes")
        assert.strictEqual(sent.code, 0, sent.stderr)
        assert.include(sent.stdout, "PENDING")
      }
    })
  )

  it.effect("refuses lines that are not a mail, and a command without recipients", () =>
    Effect.gen(function* () {
      const cwd = newFolder()
      write(cwd, ["not json"])
      const broken = yield* run(cwd, "send", "--file", "receipts.ndjson", ...texts)
      assert.strictEqual(broken.code, 2)
      assert.include(broken.stderr, "Line 1 of receipts.ndjson is not a JSON object.")
      assert.include((yield* run(cwd, "send", "--file", "none.ndjson", ...texts)).stderr, "cannot be read")
      assert.include((yield* run(cwd, "send", ...texts)).stderr, "--to")
    })
  )
})
