/** `POST /v1/batch`: sends different emails in one request. */
import { Schema, Struct } from "effect"
import { Fault } from "../../platform/Errors.ts"
import { described, isLength, optional, required, Timestamp, unjudged } from "../../platform/Primitives.ts"
import { SendEmail, sentFields } from "./Send.ts"

/** The most items of a batch, and the most mails of all of them. */
export const maxBatch = 1_000

export const IdempotencyKey = Schema.String.check(
  isLength(1, 255),
  Schema.isPattern(/^[\x20-\x7e]*$/, { message: "1 to 255 printable ASCII characters." })
)

export const BatchItem = Schema.Struct({
  ...SendEmail.fields,
  idempotencyKey: optional(IdempotencyKey).pipe(
    described("Sends the item only once, like the header `Idempotency-Key` of `POST /v1/send`.")
  )
}).annotate({ identifier: "BatchItem", description: "One request to send, with the fields of `POST /v1/send`." })
export type BatchItem = typeof BatchItem.Type

/** Fields that only an item has. */
export const itemFields = ["to", "cc", "bcc", "idempotencyKey"] as const

export const BatchDefaults = Schema.Struct(Struct.omit(SendEmail.fields, ["to", "cc", "bcc"])).annotate({
  identifier: "BatchDefaults",
  description: "Fields of every item that does not have them itself. `data`, `headers` and `tags` merge by key."
})
export type BatchDefaults = typeof BatchDefaults.Type

export const SendBatch = Schema.Struct({
  emails: required(
    Schema.Array(unjudged(BatchItem)).check(
      Schema.isMinLength(1, { code: "too_small", message: "At least one email." }),
      Schema.isMaxLength(maxBatch, { code: "too_big", message: "At most 1,000 emails." })
    )
  ).pipe(described("1 to 1,000 requests to send. Together with their recipients and copies, at most 1,000 emails.")),
  defaults: optional(unjudged(BatchDefaults)).pipe(
    described("Fields of every item that does not have them itself. `data`, `headers` and `tags` merge by key.")
  ),
  atomic: optional(Schema.Boolean).pipe(
    described(
      "`true`: all items are accepted, or none. `false`: a faulty item is refused, the others are sent.",
      "true"
    )
  )
}).annotate({ identifier: "SendBatch" })
export type SendBatch = typeof SendBatch.Type

/** Why an item was refused: an error without the envelope. */
const ItemError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  statusCode: Schema.Int.pipe(described("The HTTP status that the item alone would have.")),
  errors: Schema.optionalKey(Schema.Array(Fault)).pipe(described("Every fault, with paths in the item.")),
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  suggestion: Schema.String
})
export type ItemError = typeof ItemError.Type

const BatchResult = Schema.Struct({
  index: Schema.Int.pipe(described("Position of the item in the request.")),
  emails: Schema.optionalKey(sentFields.emails).pipe(described("One entry for each recipient, if it was accepted.")),
  copies: sentFields.copies,
  replayed: Schema.optionalKey(Schema.Literal(true)).pipe(
    described("The result of the first request with this Idempotency-Key. Nothing was sent now.")
  ),
  error: Schema.optionalKey(ItemError).pipe(described("Why the item was refused, with `atomic: false`."))
})
export type BatchResult = typeof BatchResult.Type

export const SentBatch = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    accepted: Schema.Int.pipe(described("Items that are accepted, now or in an earlier request.")),
    refused: Schema.Int.pipe(described("Items with an `error`.")),
    results: Schema.Array(BatchResult).pipe(described("In the order of the items.")),
    timestamp: Timestamp
  })
}).annotate({ identifier: "SentBatch", description: "The result of each item." })
export type SentBatch = typeof SentBatch.Type
