/** Runs every command line of this package's README in its order, with the files that it names. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Effect } from "effect"
import { newFolder, posthorn } from "./testing/CommandLine.ts"
import * as DevServer from "./testing/DevServer.ts"

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")

/** The lines of each block, without comments. Continued lines are joined. */
const [beginning = [], use = [], login = [], operate = []] = Array.from(
  readme.matchAll(/^```sh\n([\s\S]*?)^```/gm),
  ([, block = ""]) =>
    block
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => line.replace(/(?:^|\s+)#\s.*$/, ""))
      .filter((line) => line !== "")
)

const password = "correct horse battery staple"

const files = {
  "addresses.txt": "ada@example.com\nbob@example.com\n",
  "body.html": "<p>Hello {{firstName ?? there}}</p>",
  "condition.json": JSON.stringify({
    logic: "AND",
    groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }]
  }),
  "forms/newsletter.yaml": `key: newsletter
name: Newsletter
fields:
  - { key: firstName, label: First name, type: text }
texts: { description: Once a month. }
`,
  "footer.html": "<p>{{address}}, {{city}}</p>",
  "invoice.pdf": "%PDF-1.7",
  "password.txt": `${password}\n`,
  "routes.json": JSON.stringify({ routes: [] }),
  "people.csv": "email,plan\nbob@example.com,pro\n",
  "templates/welcome.html": `---
name: Welcome
subject: Welcome
from: hi@posthorn.test
type: TRANSACTIONAL
---
<p>Hello {{firstName ?? there}}</p>`,
  "workflows/welcome.yaml": `name: Welcome
triggerConfig:
  eventName: signed_up
entry: A day
steps:
  A day:
    type: DELAY
    config: { amount: 1, unit: days }
    next: Bye
  Bye:
    type: EXIT
`
}

/** A folder with the files of the guide. */
const folder = () => {
  const cwd = newFolder()
  for (const name of ["forms", "templates", "workflows"]) mkdirSync(join(cwd, name))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  return cwd
}

/** Runs a line as a shell does, and answers its confirmation with yes. */
const runner = (env: Readonly<Record<string, string>>, cwd = folder()) =>
  Effect.fnUntraced(function* (line: string, { input = "", more = [] as ReadonlyArray<string> } = {}) {
    const [, command = "", file] = /^posthorn (.*?)(?: < (\S+))?$/.exec(line) ?? assert.fail(line)
    const words = Array.from(
      command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
      ([, ...texts]) => texts.find((text) => text !== undefined) ?? ""
    )
    const given = file === undefined ? input : readFileSync(join(cwd, file), "utf8")
    const run = (...last: ReadonlyArray<string>) => posthorn([...words, ...more, ...last], { cwd, env, input: given })
    const first = yield* run()
    const answer = first.code === 2 && first.stderr.includes("Add --yes") ? yield* run("--yes") : first
    return { ...answer, line }
  })

const isWell = ({
  code,
  stderr,
  line
}: {
  readonly code: number | null
  readonly stderr: string
  readonly line: string
}) => assert.strictEqual(code, 0, `${line}\n${stderr}`)

layer(DevServer.layer, { timeout: "120 seconds" })("the README", (it) => {
  it.effect("begins with commands that work in the folder of the development server", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* DevServer.DevServer
      const run = runner({ POSTHORN_DATA_DIR: dataDir })
      assert.strictEqual(beginning[0], "posthorn dev")
      for (const line of beginning.slice(1)) isWell(yield* run(line))
    })
  )

  it.effect("shows how each noun is used", () =>
    Effect.gen(function* () {
      const { email, publicKey, secretKey, url } = yield* DevServer.DevServer
      const run = runner({ POSTHORN_URL: url, POSTHORN_KEY: secretKey })
      const client = new Posthorn({ baseUrl: url, secretKey })
      const draft = {
        name: "Draft",
        subject: "Hi",
        body: "<p>Hi</p>",
        from: "news@posthorn.test",
        audienceType: "ALL" as const
      }
      /** The id of the resource in the line: a draft campaign for commands that need one. */
      const idOf = async (line: string): Promise<string> => {
        if (/campaigns (?:test|schedule|send|request-approval) /.test(line))
          return (await client.campaigns.create(draft).orThrow()).id
        if (line.includes("campaigns experiment")) {
          const experiment = { variants: [{ key: "A" as const }, { key: "B" as const, subject: "Hi" }], testShare: 1 }
          return (await client.campaigns.create({ ...draft, experiment }).orThrow()).id
        }
        if (line.includes("import-errors")) {
          for await (const { id } of client.contacts.imports()) return id
          return assert.fail(line)
        }
        if (line.includes(" keys ")) return (await client.apiKeys.list().orThrow())[0]?.id ?? ""
        const lists = { campaigns: client.campaigns.list, emails: client.emails.list, webhooks: client.webhooks.list }
        const [noun] = (Object.keys(lists) as Array<keyof typeof lists>).filter((name) => line.includes(` ${name} `))
        for await (const { id } of lists[noun ?? "emails"]()) return id
        return assert.fail(line)
      }
      yield* Effect.promise(() => client.contacts.upsert({ email: "reader@example.com", subscribed: true }).orThrow())
      const nextYear = new Date().getFullYear() + 1
      for (const written of use) {
        const line = written
          .replaceAll(/(--from \S+)@example\.com/g, "$1@posthorn.test")
          .replace("pk_...", publicKey)
          .replace("you@example.com", email)
          .replace(/\d{4}(?=-12-24)/, `${nextYear}`)
          .replace("<id>", written.includes("<id>") ? yield* Effect.promise(() => idOf(written)) : "")
        // These two run until they are stopped.
        const more =
          line === "posthorn events tail" ? ["--count", "1"] : line.includes(" listen ") ? ["--count", "0"] : []
        const answer = yield* run(line, { more })
        // No mail server with a valid certificate is here. The lines themselves are valid.
        if (line.startsWith("posthorn transports ")) {
          assert.notStrictEqual(answer.code, 2, `${line}\n${answer.stderr}`)
          continue
        }
        // A retry needs a failed email, a cancellation one that is not sent yet, and a publication a draft.
        if (/emails (?:retry|cancel)|(?:templates|partials) publish/.test(line) && answer.code === 1)
          assert.include(answer.stderr, "CONFLICT, 409", line)
        else isWell(answer)
      }
    })
  )

  it.effect("shows what a login can do", () =>
    Effect.gen(function* () {
      const { email, password, url } = yield* DevServer.DevServer
      const run = runner({ XDG_CONFIG_HOME: newFolder() })
      /** An invited person signs up with the link. */
      const joins = Effect.fnUntraced(function* (email: string) {
        const invitationToken = yield* DevServer.tokenTo(email)
        yield* Effect.promise(() =>
          fetch(`${url}/auth/signup`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ email, password, invitationToken })
          })
        )
      })
      for (const written of login) {
        const line = written
          .replace("https://mail.example.com", url)
          .replace("--email ada@example.com", `--email ${email}`)
        const isLogin = line.startsWith("posthorn login")
        isWell(yield* run(line, isLogin ? { input: password, more: ["--password-stdin"] } : {}))
        if (line.includes(" invite ")) yield* joins("bob@example.com")
      }
    })
  )

  it.effect("shows what an operator can do", () =>
    Effect.gen(function* () {
      const dataDir = dataFolder()
      const run = runner({ POSTHORN_DATA_DIR: dataDir })
      yield* DevServer.during(dataDir, run("posthorn domains add mail.example.com"))
      for (const line of operate) isWell(yield* run(line))
    })
  )
})
