import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { newFolder } from "../testing/CommandLine.ts"
import * as DevServer from "../testing/DevServer.ts"

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn forms", (it) => {
  it.effect("creates a form, writes it to a file, changes it from the file, and prints its HTML", () =>
    Effect.gen(function* () {
      const { ended, json, run } = yield* DevServer.commands("forms")
      const [made] = yield* json("create", "Newsletter", "--redirect-url", "https://shop.example/thanks")
      assert.deepInclude(made, { key: "newsletter", version: 1, redirectUrl: "https://shop.example/thanks" })
      const folder = newFolder()
      mkdirSync(folder, { recursive: true })
      yield* run("pull", "newsletter", "--folder", folder)
      const file = join(folder, "newsletter.yaml")
      const text = readFileSync(file, "utf8")
      assert.match(text, /^key: newsletter\nname: Newsletter\n/)
      assert.notInclude(text, "publicId")
      assert.include((yield* ended("push", file)).stderr, "Nothing to change.")
      writeFileSync(file, `${text}texts:\n  title: Our letter\nfields:\n  - { key: plan, label: Plan }\n`)
      const refused = yield* ended("push", file)
      assert.deepStrictEqual([refused.code, refused.stderr.includes("Our letter")], [2, true])
      const [changed] = yield* json("push", file, "--yes")
      assert.deepInclude(changed, { id: made?.["id"], version: 2 })
      assert.deepInclude(changed?.["texts"], { title: "Our letter" })
      assert.include((yield* ended("snippet", "newsletter")).stdout, 'name="plan"')
      const [listed] = yield* json("list")
      assert.deepInclude(listed, { id: made?.["id"], submissionCount: 0 })
      writeFileSync(file, "key: newsletter\nname: Newsletter\nfields: [{ key: email, label: x }]\n")
      assert.strictEqual((yield* ended("push", file, "--yes")).code, 2)
      assert.strictEqual((yield* ended("snippet", "unknown")).code, 4)
    })
  )
})
