/** A test run: one contact goes through a workflow in a time of its own, and nothing happens outside. */
import { Schema, SchemaIssue } from "effect"
import { Timezone } from "../../accounts/projects/Project.ts"
import { ContactData, ContactId } from "../../audience/contacts/Contact.ts"
import { isContactData } from "../../audience/contacts/ContactData.ts"
import { EventName } from "../../events/EventName.ts"
import { Fault } from "../../platform/Errors.ts"
import {
  described,
  EmailAddress,
  Id,
  isLength,
  isStorable,
  listOf,
  optional,
  required,
  Timestamp,
  TimestampInput
} from "../../platform/Primitives.ts"
import { ExecutionError, ExecutionStatus, StepExecutionStatus } from "./Execution.ts"
import { StepType } from "./StepType.ts"

const fault = (path: ReadonlyArray<string>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

const maxSteps = 100

const atMost = <A extends object>(what: string) =>
  Schema.makeFilter<A>((given) =>
    Object.keys(given).length > maxSteps ? [fault([], "too_big", `At most ${maxSteps} ${what}.`)] : []
  )

const After = Schema.Struct({
  amount: required(
    Schema.Finite.check(
      Schema.isGreaterThanOrEqualTo(0, { message: "At least 0." }),
      Schema.isLessThanOrEqualTo(1_000_000, { message: "At most 1000000." })
    )
  ),
  unit: required(Schema.Literals(["minutes", "hours", "days", "weeks"]))
})

const GivenEvent = Schema.Struct({
  name: required(EventName),
  data: optional(Schema.JsonObject.check(isContactData))
})

const kinds = ["event", "open", "click"] as const

const ScriptEntry = Schema.Struct({
  after: required(After).pipe(described("Time since the start of the run.")),
  event: optional(GivenEvent).pipe(
    described("An event of the contact. Events of the service itself may be named too, such as `contact.unsubscribed`.")
  ),
  open: optional(Id).pipe(described("The contact opens the newest mail of this SEND_EMAIL step.")),
  click: optional(Id).pipe(described("The contact clicks in the newest mail of this SEND_EMAIL step.")),
  verdict: optional(Schema.Literals(["human", "machine"])).pipe(
    described("Beside `open` and `click`: who did it.", "human")
  )
}).check(
  Schema.makeFilter((entry) => {
    const [kind, ...others] = kinds.filter((each) => entry[each] != null)
    if (kind === undefined) return [fault([], "required", "One of `event`, `open` and `click`.")]
    if (others.length > 0) return others.map((each) => fault([each], "custom", `Not beside \`${kind}\`.`))
    return kind === "event" && entry.verdict != null
      ? [fault(["verdict"], "custom", "Only opens and clicks have a verdict.")]
      : []
  })
)

const MadeUpContact = Schema.Struct({
  email: required(EmailAddress),
  data: optional(ContactData),
  subscribed: optional(Schema.Boolean).pipe(described("Default `true`.")),
  timezone: optional(Timezone).pipe(described("IANA name; the same as `data.timezone`."))
})

const Answer = Schema.Struct({
  status: required(
    Schema.Int.check(
      Schema.isGreaterThanOrEqualTo(200, { message: "At least 200." }),
      Schema.isLessThanOrEqualTo(599, { message: "At most 599." })
    )
  ),
  body: Schema.optionalKey(Schema.Json)
})

/** Body of `POST /workflows/{id}/test-runs`. */
export const StartTestRun = Schema.Struct({
  contactId: optional(ContactId).pipe(described("The run takes a copy of this contact. Or give `contact`.")),
  contact: optional(MadeUpContact).pipe(described("A contact that exists in this run only. Or give `contactId`.")),
  event: optional(GivenEvent).pipe(
    described("The event that starts the workflow. Absent: it starts as by a call, without variables.")
  ),
  version: optional(Schema.Union([Schema.Literal("draft"), Schema.Int])).pipe(
    described("The number of a version, or `draft`: what `GET /workflows/{id}` shows.", "draft")
  ),
  start: optional(TimestampInput).pipe(described("When the run starts; default now. At most 10 years from now.")),
  script: optional(
    listOf(ScriptEntry, Schema.isMaxLength(100, { code: "too_big", message: "At most 100 entries." }))
  ).pipe(described("What the contact does meanwhile, at most 100 entries in any order.")),
  branches: optional(
    Schema.Record(Schema.String, Schema.String.check(isLength(1, 50), isStorable)).check(atMost("steps"))
  ).pipe(described("The branch that a CONDITION, SPLIT or RATE_LIMIT takes, by the id of the step.")),
  webhooks: optional(Schema.Record(Schema.String, Answer).check(atMost("steps"))).pipe(
    described("What the server answers to a WEBHOOK, by the id of the step; default status 200 and body `{}`.")
  ),
  includeHtml: optional(Schema.Boolean).pipe(described("Whether mails have their HTML, at most 20.", "false"))
})
  .check(
    Schema.makeFilter(({ contactId, contact }) => {
      if (contactId == null && contact == null) return [fault(["contactId"], "required", "A contact is required.")]
      return contactId != null && contact != null
        ? [fault(["contact"], "custom", "Either `contactId` or `contact`, not both.")]
        : []
    })
  )
  .annotate({ identifier: "StartTestRun" })
export type StartTestRun = typeof StartTestRun.Type

const TestRunMail = Schema.Struct({
  to: Schema.String,
  subject: Schema.String,
  html: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({ description: "With `includeHtml`." }),
  text: Schema.String
})

const TestRunVisit = Schema.Struct({
  stepId: Id,
  name: Schema.String,
  type: StepType,
  at: Timestamp.pipe(described("When the step began.")),
  until: Schema.NullOr(Timestamp).pipe(described("When it ended. While it waits: when it goes on by itself.")),
  status: StepExecutionStatus,
  branch: Schema.NullOr(Schema.String),
  output: Schema.NullOr(Schema.JsonObject),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  mail: Schema.NullOr(TestRunMail).pipe(described("What a SEND_EMAIL would send."))
}).annotate({ identifier: "TestRunVisit", description: "One visit of a step in a test run." })

export const TestRun = Schema.Struct({
  outcome: Schema.Struct({
    status: ExecutionStatus.pipe(described("`WAITING`: it waits for an event that the script does not have.")),
    exitReason: Schema.NullOr(Schema.String),
    error: Schema.NullOr(ExecutionError),
    converted: Schema.Boolean.pipe(described("Whether the goal was reached.")),
    at: Timestamp.pipe(described("When it ended; while WAITING, the last moment of the run."))
  }),
  visits: Schema.Array(TestRunVisit),
  warnings: Schema.Array(Fault).pipe(described("What the run could not do, such as a click before any mail."))
}).annotate({ identifier: "TestRun", description: "The course of one contact through a workflow, as a trial." })
export type TestRun = typeof TestRun.Type
