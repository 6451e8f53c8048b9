import { assert, layer } from "@effect/vitest"
import { Posthorn } from "@posthorn/client"
import { Effect } from "effect"
import * as DevServer from "../testing/DevServer.ts"

layer(DevServer.layer, { timeout: "120 seconds" })("posthorn images", (it) => {
  it.effect("lists images, and deletes one after a confirmation", () =>
    Effect.gen(function* () {
      const { ended, json, run } = yield* DevServer.commands("images")
      const { url: baseUrl, secretKey } = yield* DevServer.DevServer
      const client = new Posthorn({ baseUrl, secretKey })
      assert.isEmpty(yield* json("list"))
      const image = new Blob([Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")])
      const { key, url } = yield* Effect.promise(() => client.uploads.image({ image }).orThrow())
      assert.deepInclude((yield* json("list"))[0], { key, url, contentType: "image/gif", size: 42 })
      assert.include((yield* run("list")).stdout, url)
      const asked = yield* ended("delete", url)
      assert.strictEqual(asked.code, 2)
      assert.include(asked.stderr, "loses the picture")
      yield* run("delete", url, "--yes")
      assert.isEmpty(yield* json("list"))
      assert.strictEqual((yield* ended("delete", key, "--yes")).code, 4)
    })
  )
})
