/** Mail written with React, from its elements to the peer. */
import { Posthorn } from "@posthorn/client/react"
import { Projects } from "@posthorn/core/accounts/projects/Projects"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Effect, Exit, Redacted, Scope } from "effect"
import { createElement } from "react"
import { assert, describe, it } from "vitest"
import { createPosthorn } from "./index.ts"
import { databaseAt, places } from "./testing/Places.ts"
import { until } from "./testing/Until.ts"

const size = 1_000
const publicUrl = "https://app.example"

describe.each(places)("A batch of React elements on %s", (place) => {
  it("of 1,000 arrives, each item with its own text, as React printed it", { timeout: 240_000 }, async () => {
    const scope = Scope.makeUnsafe()
    const sink = await startSink({})
    const posthorn = await createPosthorn({
      database: await databaseAt(place, scope),
      mailer: { smtp: `smtp://127.0.0.1:${sink.port}?tls=none&pool=20` },
      publicUrl,
      secret: "0123456789abcdef0123456789abcdef",
      settings: { devMode: true }
    })
    const { project, keys } = await posthorn.run(Projects.use(({ create }) => create("App")))
    await posthorn.run(Effect.orDie(Domains.use(({ add }) => add(project.id, { domain: "app.test" }))))
    const client = new Posthorn({
      secretKey: Redacted.value(keys.secretKey),
      baseUrl: publicUrl,
      fetch: (request, init) => posthorn.fetch(new Request(request, init))
    })
    const emails = Array.from({ length: size }, (_, n) => ({
      to: `reader${n}@example.com`,
      react: createElement("p", {}, `No. ${n}: {{name}} & <all>`)
    }))
    const { accepted } = await client.batch({ defaults: { from: "hi@app.test", subject: "Hi" }, emails }).orThrow()
    assert.strictEqual(accepted, size)
    await until(() => sink.accepted() >= size)
    const texts = new Map(
      sink.mails.map(({ raw, rcpt }) => [rcpt, String(raw).replaceAll("=\r\n", "").replaceAll("<!-- -->", "")])
    )
    assert.strictEqual(texts.size, size)
    for (let n = 0; n < size; n++) {
      const text = texts.get(`reader${n}@example.com`) ?? ""
      assert.include(text, `No. ${n}: {{name}} &amp; &lt;all&gt;</p>`)
      assert.include(text, `No. ${n}: {{name}} & <all>`)
    }
    await posthorn.close()
    await sink.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
