import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { Effect } from "effect"
import * as DevServer from "../testing/DevServer.ts"

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn partials", (it) => {
  it.effect("lists versions, restores one, and publishes a draft", () =>
    Effect.gen(function* () {
      const { ended, json, run } = yield* DevServer.commands("partials")
      const { secretKey, url } = yield* DevServer.DevServer
      yield* json("create", "footer", "--body", "<p>One</p>")
      const [{ id }] = yield* json("update", "footer", "--body", "<p>Two</p>")
      assert.deepInclude((yield* json("restore", "footer", "1"))[0], { id, version: 3, body: "<p>One</p>" })
      const listed = yield* json("versions", "footer")
      assert.deepStrictEqual(
        listed.map(({ version, live, restoredFrom }) => [version, live, restoredFrom]),
        [
          [3, true, 1],
          [2, false, null],
          [1, false, null]
        ]
      )
      assert.include((yield* run("versions", "footer")).stdout, "\t3 (live)\tkey\t1")
      assert.strictEqual((yield* ended("restore", "footer", "9")).code, 4)
      assert.include((yield* ended("publish", "footer")).stderr, "There is no draft to publish")

      const client = new Posthorn({ baseUrl: url, secretKey })
      yield* Effect.promise(() => client.partials.saveDraft(id, { body: "<p>Three</p>" }).orThrow())
      assert.include((yield* run("get", "footer")).stdout, "based on version 3")
      yield* json("update", "footer", "--body", "<p>Four</p>")
      const refused = yield* ended("publish", "footer")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "CONFLICT")
      const [published] = yield* json("publish", "footer", "--force")
      assert.deepInclude(published, { id, version: 5, body: "<p>Three</p>", draft: null })
    })
  )
})
