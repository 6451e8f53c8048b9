import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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

  it.effect("creates templates from a folder, changes them from it, and writes them back", () =>
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
      assert.notInclude(changed.stderr, "News #1", "unchanged templates are not listed")
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

  it.effect("reads text parts and translations from their own files, and writes them back", () =>
    Effect.gen(function* () {
      const { cwd, ended, run, json, write } = yield* connected
      yield* write(
        "order.html",
        welcome.replace("Welcome", "Order").replace("type:", "alias: order\nlanguage: en\ntype:")
      )
      yield* write("order.txt", "Hello {{firstName}}\n")
      yield* write("order.DE.html", '---\nsubject: "Hallo {{firstName}}"\n---\n<p>Hallo</p>\n')
      yield* write("order.DE.txt", "Hallo\n")
      yield* write("order.pt-BR.html", "---\nsubject: Oi\n---\n<p>Oi</p>\n")
      const made = yield* json("push", "mails", "--yes")
      assert.deepStrictEqual(
        made.map(({ status, file }) => [status, file]),
        [["created", "mails/order.html"]]
      )
      const translations = {
        de: { subject: "Hallo {{firstName}}", body: "<p>Hallo</p>", text: "Hallo" },
        "pt-BR": { subject: "Oi", body: "<p>Oi</p>", text: null }
      }
      const [stored] = yield* json("get", "Order")
      assert.deepInclude(stored, { alias: "order", language: "en", text: "Hello {{firstName}}", translations })
      assert.include((yield* run("push", "mails/order.html")).stderr, "Nothing to change")
      const german = yield* run("preview", "mails/order.html", "--data", '{"locale":"de-AT","firstName":"Ada"}')
      assert.include(german.stdout, "subject\tHallo Ada\n\nHallo\n")

      yield* run("pull", "--folder", "kept")
      const files = ["order.de.html", "order.de.txt", "order.html", "order.pt-BR.html", "order.txt"]
      assert.deepStrictEqual(
        readdirSync(join(cwd, "kept"))
          .filter((file) => file.startsWith("order"))
          .toSorted(),
        files
      )
      assert.include((yield* run("push", "kept")).stderr, "Nothing to change")

      for (const file of ["order.txt", "order.de.html", "order.de.txt"]) rmSync(join(cwd, "kept", file))
      const changed = yield* run("push", "kept", "--yes")
      assert.include(changed.stderr, "kept/order.de.html\n")
      assert.include(changed.stderr, "- <p>Hallo</p>")
      const { de: _, ...rest } = translations
      assert.deepInclude((yield* json("get", "Order"))[0], { text: null, translations: rest, version: 2 })

      yield* write("order.de.html", "---\nsubjekt: Hallo\n---\n<p>Hallo</p>\n")
      const refused = yield* ended("push", "mails/order.html", "--yes")
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "subjekt")
    })
  )

  it.effect("reads MJML from .mjml files, and writes it back", () =>
    Effect.gen(function* () {
      const { cwd, ended, run, json, write } = yield* connected
      const mjml = (text: string) =>
        `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`
      const head = welcome.split("---")[1]?.replace("Welcome", "Letter") ?? ""
      yield* write("letter.mjml", `---${head}---\n${mjml('Hi {{default name "<you>"}}')}\n`)
      yield* write("letter.de.mjml", `---\nsubject: Hallo\n---\n${mjml("Hallo {{name}}")}\n`)
      const alone = yield* run("preview", "mails/letter.mjml", "--part", "text", "--data", '{"name":"Ada"}')
      assert.include(alone.stdout, "Hi Ada")
      const [made] = yield* json("push", "mails/letter.mjml", "--yes")
      assert.deepInclude(made, { status: "created", file: "mails/letter.mjml" })
      const [stored] = yield* json("get", "Letter")
      assert.deepInclude(stored, { format: "MJML", source: mjml('Hi {{default name "<you>"}}') })
      assert.include(stored.body, 'Hi {{default name "<you>"}}</div>')
      assert.include(stored.translations.de.body, "Hallo {{name}}</div>")
      assert.include((yield* run("push", "mails/letter.mjml")).stderr, "Nothing to change")

      assert.deepInclude((yield* json("pull", "Letter", "--folder", "kept"))[0], { file: "kept/letter.mjml" })
      assert.include(readFileSync(join(cwd, "kept/letter.de.mjml"), "utf8"), mjml("Hallo {{name}}"))
      assert.include((yield* run("push", "kept/letter.mjml")).stderr, "Nothing to change")

      yield* write("letter.mjml", `---${head}---\n${mjml("Bye\n<mj-button />")}\n`)
      const refused = yield* ended("push", "mails/letter.mjml", "--yes")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "<mj-button> is not allowed in <mj-text>")
      yield* write("letter.mjml", `---${head}---\n${mjml("Bye {{name}}")}\n`)
      yield* json("push", "mails/letter.mjml", "--yes")
      assert.include((yield* json("get", "Letter"))[0].body, "Bye {{name}}</div>")

      rmSync(join(cwd, "mails/letter.mjml"))
      rmSync(join(cwd, "mails/letter.de.mjml"))
      yield* write("letter.html", `---${head}---\n<p>Plain {{name}}</p>\n`)
      yield* json("push", "mails/letter.html", "--yes")
      const expected = { format: "HTML", source: null, body: "<p>Plain {{name}}</p>", translations: {} }
      assert.deepInclude((yield* json("get", "Letter"))[0], expected)
    })
  )

  it.effect("lists versions, restores one, and publishes a draft", () =>
    Effect.gen(function* () {
      const { run, ended, json, write } = yield* connected
      yield* write("versions.html", welcome.replace("Welcome", "Versions"))
      yield* json("push", "mails/versions.html", "--yes")
      yield* write("versions.html", welcome.replace("Welcome", "Versions").replace("more", "less"))
      const [{ id }] = yield* json("push", "mails/versions.html", "--yes")
      assert.deepInclude((yield* json("restore", "Versions", "1"))[0], { id, version: 3 })
      const listed = yield* json("versions", "Versions")
      assert.deepStrictEqual(
        listed.map(({ version, live, restoredFrom }) => [version, live, restoredFrom]),
        [
          [3, true, 1],
          [2, false, null],
          [1, false, null]
        ]
      )
      assert.include((yield* run("versions", "Versions")).stdout, "\t3 (live)\tkey\t1")
      assert.strictEqual((yield* ended("restore", "Versions", "9")).code, 4)
      const refused = yield* ended("publish", "Versions")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "There is no draft to publish")
    })
  )

  it.effect("sends a template to one address as a test", () =>
    Effect.gen(function* () {
      const { ended, json, write } = yield* connected
      yield* write("tried.html", welcome.replace("Welcome", "Tried"))
      yield* json("push", "mails/tried.html", "--yes")
      const { email } = yield* DevServer.DevServer
      assert.isString((yield* json("test", "Tried", "--email", email, "--data", '{"plan":"pro"}'))[0].email)
      const stranger = yield* ended("test", "Tried", "--email", "stranger@example.com")
      assert.strictEqual(stranger.code, 3)
      assert.include(stranger.stderr, "403")
      assert.strictEqual((yield* ended("test", "Tried", "--email", email, "--version", "draft")).code, 4)
      assert.strictEqual((yield* ended("test", "Tried", "--email", email, "--version", "x")).code, 2)
    })
  )

  it.effect("reports a faulty file or name, and changes nothing", () =>
    Effect.gen(function* () {
      const { ended, json, write } = yield* connected
      const faulty: ReadonlyArray<readonly [string, string]> = [
        ["<p>Hi</p>\n---\nname: A\n---\n", "front matter"],
        ["---\nname: [\n---\n", "not valid YAML"],
        ["---\n---\n<p>", 'at ["name"]'],
        ["---\nWelcome\n---\n<p>", "no fields"],
        [welcome.replace("subject:", "subjekt:"), "subjekt"],
        [welcome.replace("TRANSACTIONAL", "OTHER"), "type"],
        [welcome.slice(0, welcome.indexOf("<p>")), "body"],
        [welcome.replace("Welcome", "Good"), "have the same name, Good"]
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

  it.effect("pushes the partials of a folder before the templates that use them, and writes them back", () =>
    Effect.gen(function* () {
      const { cwd, ended, run, json, write } = yield* connected
      mkdirSync(join(cwd, "mails/_partials"))
      yield* write("_partials/main.html", "<main>{{> content}}{{> end}}</main>\n")
      yield* write("_partials/end.html", "<p>Bye {{firstName}}</p>\n")
      yield* write("_partials/end.txt", "Bye\n")
      yield* write(
        "framed.html",
        welcome.replace("name: Welcome", "name: Framed").replace("type:", "layout: main\ntype:")
      )
      const previewed = yield* json("preview", "mails/framed.html", "--data", '{"firstName":"Ada"}')
      assert.include(previewed[0].html, "<main><p>Hello Ada")
      assert.include((yield* ended("push", "mails")).stderr, "Make 1 template and 2 partials?")
      const made = yield* json("push", "mails", "--yes")
      assert.deepStrictEqual(
        made.map(({ name }) => name),
        ["end", "main", "Framed"]
      )
      assert.include((yield* run("push", "mails")).stderr, "Nothing to change")
      const [shown] = yield* json("render", "Framed", "--data", '{"firstName":"Ada","plam":1}')
      assert.include(shown.html, "<p>Bye Ada</p></main>")
      assert.deepInclude(shown.variables, { missing: ["plan"], unused: ["plam"] })
      yield* run("pull", "--folder", "kept")
      assert.deepStrictEqual(readdirSync(join(cwd, "kept/_partials")).toSorted(), ["end.html", "end.txt", "main.html"])
      assert.include((yield* run("push", "kept")).stderr, "Nothing to change")
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
