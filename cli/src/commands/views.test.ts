import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DevServer from "../testing/DevServer.ts"

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn views", (it) => {
  it.effect("saves a view for all members, lists it, and deletes it", () =>
    Effect.gen(function* () {
      const { ended, json, run } = yield* DevServer.commands("views")
      const [saved] = yield* json("save", "mails", "Bounced", "--query", "state=BOUNCED")
      assert.deepInclude(saved, { page: "mails", query: "state=BOUNCED", shared: true, createdBy: null })
      assert.deepStrictEqual(yield* json("list", "--page", "mails"), [saved])
      assert.isEmpty(yield* json("list", "--page", "contacts"))
      assert.strictEqual((yield* ended("save", "unknown", "x", "--query", "")).code, 2)
      yield* run("delete", "Bounced")
      assert.strictEqual((yield* ended("delete", "Bounced")).code, 4)
    })
  )
})
