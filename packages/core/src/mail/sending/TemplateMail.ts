/** Previews of templates, and tests of them as mail. */

import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Layer } from "effect"
import { TemplateMail } from "../../content/templates/TemplateMail.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as TemplatePreviews from "./TemplatePreviews.ts"
import * as TestMail from "./TestMail.ts"

export const layer: Layer.Layer<
  TemplateMail,
  never,
  Effect.Services<typeof TestMail.make> | TemplatePreviews.Needs | Templates
> = Layer.effect(
  TemplateMail,
  Effect.gen(function* () {
    const previews = yield* TemplatePreviews.make
    const templates = yield* Templates
    const tests = yield* TestMail.make
    const transaction = yield* Transaction

    return TemplateMail.of({
      ...previews,
      sendTest: Effect.fn("TemplateMail.sendTest")(function* (project, id, { version, ...recipient }) {
        const { live, chosen } = yield* TemplatePreviews.choose(templates, project, id, version)
        // The sender's domain is no fault of the texts: the test itself refuses it.
        const faults =
          "problems" in chosen ? chosen.problems.filter(({ field, code }) => field !== "from" || code !== "custom") : []
        if (faults.length > 0) return yield* new ValidationError({ errors: faults })
        const templateVersion = version === "draft" ? null : (version ?? live.version)
        const origin = { sourceType: "TRANSACTIONAL", templateId: id, templateVersion } as const
        return yield* transaction.run(tests.send(project, { ...chosen, topicId: live.topicId, origin }, recipient))
      })
    })
  })
)
