/** The job that changes selected contacts, step by step. */
import { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import { BulkChange, BulkChangeResult, maxBulkErrors } from "@posthorn/contract/audience/contacts/BulkChange"
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { GivenTopicState } from "@posthorn/contract/audience/topics/TopicStates"
import { Effect, Option, Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import type { EventLog } from "../../../events/EventLog.ts"
import { failpoint } from "../../../platform/Failpoint.ts"
import * as Job from "../../../platform/jobs/Job.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import type { OptInRequests } from "../../optins/OptInRequests.ts"
import type { Segments } from "../../segments/Segments.ts"
import type { AudienceRules } from "../../settings/AudienceRules.ts"
import type { ContactMail } from "../ContactMail.ts"
import type { Contacts } from "../Contacts.ts"
import * as BulkSteps from "./BulkSteps.ts"
import * as BulkTargets from "./BulkTargets.ts"

export type Needs =
  | AudienceRules
  | ContactMail
  | Contacts
  | EventLog
  | OptInRequests
  | SecureRandom.SecureRandom
  | Segments
  | SqlClient.SqlClient
  | Transaction

const Order = Schema.Struct({
  operation: BulkChange,
  topics: Schema.optionalKey(Schema.Record(Schema.String, GivenTopicState)),
  data: Schema.optionalKey(ContactData),
  targetSegmentId: Schema.optionalKey(SegmentId),
  asks: Schema.optionalKey(Schema.Boolean),
  askedTopics: Schema.optionalKey(Schema.Array(Schema.String)),
  consent: Schema.optionalKey(GivenConsent),
  silent: Schema.optionalKey(Schema.Boolean)
})

export const job: Job.Job<"bulk", typeof Order.Type, BulkChangeResult, Needs> = Job.define({
  name: "bulk",
  payload: Order,
  result: BulkChangeResult,
  checkpoint: Schema.Struct({ done: Schema.Int }),
  perProject: 1,
  whileEnabled: true,
  run: Effect.fnUntraced(function* (order, { project, id, save, saved }) {
    const targets = yield* BulkTargets.make
    const change = yield* BulkSteps.make
    const transaction = yield* Transaction

    let { result, done } = Option.match(saved, {
      onNone: () => ({ result: start(order.operation, 0), done: 0 }),
      onSome: (point) => ({ result: point.result, done: point.checkpoint.done })
    })
    if (Option.isNone(saved)) result = start(order.operation, yield* targets.left(project, id))
    const total = Math.max(result.totalRequested, 1)

    /** False when no contact is left. */
    const advance = Effect.gen(function* () {
      if (yield* targets.isHeld(project)) return yield* new Job.JobHeld()
      const wanted = yield* targets.take(project, id)
      if (Option.isNone(wanted)) return false
      const { changed, unchanged, pending = 0, errors } = yield* change(project, id, wanted.value, order)
      const next = done + wanted.value.length
      const reached = {
        ...result,
        successCount: result.successCount + changed,
        unchanged: result.unchanged + unchanged,
        pendingCount: result.pendingCount + pending,
        failureCount: result.failureCount + errors.length,
        errors: [...result.errors, ...errors].slice(0, maxBulkErrors)
      }
      yield* failpoint("in_bulk_step")
      yield* save({ progress: (100 * next) / total, result: reached, checkpoint: { done: next } })
      result = reached
      done = next
      return true
    })

    while (yield* transaction.run(advance)) yield* failpoint("after_bulk_step")
    return result
  })
})

const start = (operation: BulkChange, totalRequested: number): BulkChangeResult => ({
  operation,
  totalRequested,
  successCount: 0,
  unchanged: 0,
  pendingCount: 0,
  failureCount: 0,
  errors: []
})
