import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { it as alone, assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lines, newFolder, posthorn } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

const welcome = `---
name: Welcome
subject: "{{firstName ?? Hello}}, welcome"
from: Hi@Posthorn.test
fromName: Hi
type: TRANSACTIONAL
---
<p>Hello {{firstName}}, you have {{plan}} &amp; more.</p>
`

const news = welcome.replace("Welcome", "News #1").replace("TRANSACTIONAL", "MARKETING")

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn templates", (it) => {
  const connected = Effect.gen(function* () {
    const { cwd, ended, run, json } = yield* DevServer.commands("templates")
    mkdirSync(join(cwd, "mails"))
    const write = (name: string, text: string) => Effect.sync(() => writeFileSync(join(cwd, "mails", name), text))
    return { cwd, ended, run, json, write }
  })

  it.effect("makes templates of a folder, changes them by it, and writes them back", () =>
    Effect.gen(function* () {
      const { cwd, ended, run, json, write } = yield* connected
      yield* write("welcome.html", welcome)
      yield* write("news.html", news.replace("name: News #1", 'name: "News #1"'))
      yield* write("notes.txt", "not a template")

      const asked = yield* ended("push", "mails")
      assert.strictEqual(asked.code, 2)
      assert.include(asked.stderr, "+ name: Welcome")
      assert.include(asked.stderr, "Make 2 templates?")
      assert.isEmpty(yield* json("list"))

      const made = yield* json("push", "mails", "--yes")
      assert.deepStrictEqual(
        made.map(({ status, file, name }) => [status, file, name]),
        [
          ["created", "mails/news.html", "News #1"],
          ["created", "mails/welcome.html", "Welcome"]
        ]
      )
      assert.include((yield* run("push", "mails")).stderr, "Nothing to change")

      yield* write(
        "welcome.html",
        welcome.replace("Hello {{firstName}}", "Hi {{firstName}}").replace("fromName: Hi\n", "")
      )
      const changed = yield* run("push", "mails", "--yes", "--json")
      assert.include(changed.stderr, "- <p>Hello {{firstName}}")
      assert.include(changed.stderr, "+ <p>Hi {{firstName}}")
      assert.notInclude(changed.stderr, "News #1", "what stays is not told")
      const [kept, updated] = lines(changed.stdout).map((line) => JSON.parse(line))
      assert.deepInclude(kept, { status: "unchanged", id: made[0].id })
      assert.deepInclude(updated, { status: "updated", id: made[1].id })
      const [now] = yield* json("get", "Welcome")
      assert.deepInclude(now, { fromName: null, from: "hi@posthorn.test", type: "TRANSACTIONAL" })
      assert.deepStrictEqual((yield* json("get", now.id))[0], now)

      yield* run("pull", "--folder", "kept")
      assert.deepStrictEqual(readdirSync(join(cwd, "kept")).toSorted(), ["news-1.html", "welcome.html"])
      assert.include(
        readFileSync(join(cwd, "kept/welcome.html"), "utf8"),
        "---\n<p>Hi {{firstName}}, you have {{plan}} &amp; more.</p>\n"
      )
      assert.include((yield* run("push", "kept")).stderr, "Nothing to change")
      assert.deepInclude((yield* json("pull", "Welcome"))[0], { file: "welcome.html", id: now.id })
      assert.include((yield* run("list", "--type", "MARKETING")).stdout, "\tNews #1\t")
      assert.include((yield* run("preview", "Welcome", "--part", "text")).stdout, "you have [plan] & more.")
    })
  )

  it.effect("says what is wrong with a file or a name, and then changes nothing", () =>
    Effect.gen(function* () {
      const { ended, json, write } = yield* connected
      const faulty: ReadonlyArray<readonly [string, string]> = [
        ["<p>Hi</p>\n---\nname: A\n---\n", "front matter"],
        ["---\nname: [\n---\n", "no YAML"],
        ["---\n---\n<p>", 'at ["name"]'],
        ["---\nWelcome\n---\n<p>", "no fields"],
        [welcome.replace("subject:", "subjekt:"), "subjekt"],
        [welcome.replace("TRANSACTIONAL", "OTHER"), "type"],
        [welcome.slice(0, welcome.indexOf("<p>")), "body"],
        [welcome.replace("Welcome", "Good"), "are both called Good"]
      ]
      yield* write("a.html", welcome.replace("Welcome", "Good"))
      for (const [text, message] of faulty) {
        yield* write("b.html", text)
        const refused = yield* ended("push", "mails", "--yes")
        assert.strictEqual(refused.code, 2, text)
        assert.include(refused.stderr, message)
      }
      assert.isEmpty(yield* json("list", "--search", "Good"))
      assert.strictEqual((yield* ended("push", "nowhere")).code, 2)
      assert.strictEqual((yield* ended("get", "Nobody")).code, 4)
    })
  )
})

alone.effect("preview renders a file as the service does, without a server", () =>
  Effect.gen(function* () {
    const cwd = newFolder()
    writeFileSync(join(cwd, "news.html"), news.replace("name: News #1", "name: News"))
    const preview = (...args: ReadonlyArray<string>) =>
      posthorn(["templates", "preview", "news.html", ...args], { cwd })
    const data = ["--data", '{"firstName":"<Ada>","plan":"pro"}']
    const shown = yield* preview(...data)
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.include(
      shown.stdout,
      "from\tHi <hi@posthorn.test>\nsubject\t<Ada>, welcome\n\nHello <Ada>, you have pro & more."
    )
    const { html, text } = JSON.parse((yield* preview(...data, "--json")).stdout)
    assert.include(html, "<p>Hello &lt;Ada&gt;, you have pro &amp; more.</p>")
    assert.include(html, 'href="[unsubscribeUrl]"')
    assert.include(text, "[unsubscribeUrl]")
    assert.strictEqual((yield* preview(...data, "--part", "html")).stdout, `${html}\n`)
    writeFileSync(join(cwd, "news.html"), welcome.replace("{{plan}}", "{{#if plan}}"))
    const faulty = yield* preview()
    assert.strictEqual(faulty.code, 1)
    assert.include(faulty.stderr, "body: Block 'if' is not closed.")
  })
)
