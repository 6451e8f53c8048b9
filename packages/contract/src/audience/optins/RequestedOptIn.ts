/** What a write that asks for an opt-in says and answers. */
import { Schema } from "effect"
import { described, Id, optional } from "../../platform/Primitives.ts"

export const OptInId = Id.pipe(Schema.brand("OptInId"))
export type OptInId = typeof OptInId.Type

export const OptInStatus = Schema.Literals(["PENDING", "CONFIRMED", "DECLINED", "EXPIRED", "CANCELLED"])
export type OptInStatus = typeof OptInStatus.Type

/** What became of the confirmation mail of a request. */
export const OptInMail = Schema.Literals(["queued", "limited", "suppressed", "billing_limit"])
export type OptInMail = typeof OptInMail.Type

/** In the answer to a write that asked for an opt-in. */
export const RequestedOptIn = Schema.Struct({
  id: OptInId,
  status: OptInStatus,
  mail: OptInMail.pipe(
    described(
      "`queued`: stored and sent. `limited`: the address has had enough confirmation mails for now. `suppressed`: the address gets no mail. `billing_limit`: the project has reached its cap."
    )
  )
}).annotate({ identifier: "RequestedOptIn", description: "The opt-in that a write asked for." })
export type RequestedOptIn = typeof RequestedOptIn.Type

/** Whether a call asks for an opt-in. */
export const DoubleOptIn = optional(Schema.Boolean).pipe(
  described(
    "True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says."
  )
)
