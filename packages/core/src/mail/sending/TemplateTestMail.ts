/** Sends tests of templates as mail. */

import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Layer } from "effect"
import { Templates } from "../../content/templates/Templates.ts"
import { TemplateTests } from "../../content/templates/TemplateTests.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as TestMail from "./TestMail.ts"

export const layer: Layer.Layer<TemplateTests, never, Effect.Services<typeof TestMail.make> | Templates> = Layer.effect(
  TemplateTests,
  Effect.gen(function* () {
    const templates = yield* Templates
    const tests = yield* TestMail.make
    const transaction = yield* Transaction

    return TemplateTests.of({
      send: Effect.fn("TemplateTests.send")(function* (project, id, { version, ...recipient }) {
        const live = yield* templates.get(project, id)
        const tried =
          version === "draft"
            ? yield* templates.draft(project, id)
            : version == null
              ? live
              : yield* templates.version(project, id, String(version))
        // The sender's domain is no fault of the texts: the test itself refuses it.
        const faults =
          "problems" in tried ? tried.problems.filter(({ field, code }) => field !== "from" || code !== "custom") : []
        if (faults.length > 0) return yield* new ValidationError({ errors: faults })
        const templateVersion = version === "draft" ? null : (version ?? live.version)
        const origin = { sourceType: "TRANSACTIONAL", templateId: id, templateVersion } as const
        return yield* transaction.run(tests.send(project, { ...tried, topicId: live.topicId, origin }, recipient))
      })
    })
  })
)
