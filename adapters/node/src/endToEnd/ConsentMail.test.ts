/** Who gets which mail, cell by cell with one contact, over real HTTP and SMTP. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { eventually } from "../testing/Program.ts"
import { request, succeed } from "./testing/Caller.ts"
import { databaseName } from "./testing/Installation.ts"
import { parsed } from "./testing/Received.ts"
import { Shop, shop } from "./testing/Shop.ts"

const to = "cell@example.org"
const from = "hi@mail.example.com"
const Made = Schema.Struct({ id: Schema.String })
const Enveloped = Schema.Struct({ data: Made })
const Status = Schema.Struct({ data: Schema.Struct({ status: Schema.String }) })
const Drawn = Schema.Struct({ id: Schema.String, steps: Schema.Array(Made) })
const Refused = Schema.Struct({
  error: Schema.Struct({ errors: Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String })) })
})
const Executions = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String }))
})
const Walked = Schema.Struct({
  stepExecutions: Schema.Array(Schema.Struct({ status: Schema.String, output: Schema.Json }))
})

const post = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, path: string, body: object, status = 201) =>
  Effect.flatMap(Shop, ({ caller }) => succeed(status, schema, caller, "POST", path, body))

/** The single sends of the table, and whether they ask the contact. */
const sends = {
  TRANSACTIONAL: { type: "TRANSACTIONAL", topic: null, asks: false },
  MARKETING: { type: "MARKETING", topic: null, asks: true },
  "MARKETING of a topic": { type: "MARKETING", topic: "news", asks: true },
  HEADLESS: { type: "HEADLESS", topic: null, asks: false },
  "HEADLESS of a topic": { type: "HEADLESS", topic: "news", asks: true }
} as const
type Kind = keyof typeof sends
const kinds = Object.keys(sends) as ReadonlyArray<Kind>

/** The states of the contact: how it gets into each, what it takes there, and why it takes no more. */
const cells = [
  { name: "takes all", change: {}, takes: { none: true, topic: true }, reason: "" },
  {
    name: "left the topic",
    change: { topics: { news: "unsubscribed" } },
    takes: { none: true, topic: false },
    reason: "topic_unsubscribed"
  },
  {
    name: "has snoozed",
    change: {
      topics: { news: "subscribed" },
      snoozedUntil: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()
    },
    takes: { none: false, topic: false },
    reason: "contact_snoozed"
  },
  {
    name: "is unsubscribed",
    change: { snoozedUntil: null, subscribed: false },
    takes: { none: false, topic: false },
    reason: "contact_unsubscribed"
  },
  {
    name: "is pending",
    change: { subscribed: true, doubleOptIn: true },
    takes: { none: false, topic: false },
    reason: "contact_unsubscribed"
  }
] as const

describe(`a server on ${databaseName}`, () => {
  layer(shop, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "sends a contact what it takes, by requests, campaigns and workflows, and transactional mail always",
      () =>
        Effect.gen(function* () {
          const { caller, peer } = yield* Shop
          yield* succeed(200, Schema.Json, caller, "PATCH", "/settings/audience", { doubleOptIn: { from } })
          yield* post(Made, "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" })
          const contact = yield* post(Made, "/contacts", { email: to, topics: { news: "subscribed" } })

          // A campaign that nobody would get is refused.
          yield* post(Made, "/contacts", { email: "other@example.org", topics: { news: "subscribed" } })

          const templates = new Map<Kind, string>()
          for (const kind of kinds) {
            const { type, topic } = sends[kind]
            const { id } = yield* post(Made, "/templates", {
              name: kind,
              subject: `{{cell}}: ${kind}`,
              body: "<p>Hello</p>",
              from,
              type,
              topicId: topic
            })
            templates.set(kind, id)
          }

          const flow = yield* post(Drawn, "/workflows", { name: "Flow", eventName: "cell", allowReentry: true })
          const step = yield* post(Made, `/workflows/${flow.id}/steps`, {
            type: "SEND_EMAIL",
            name: "Mail",
            templateId: templates.get("MARKETING of a topic"),
            autoConnect: false
          })
          yield* post(Schema.Json, `/workflows/${flow.id}/transitions`, {
            fromStepId: flow.steps[0]?.id,
            toStepId: step.id,
            branch: null
          })
          yield* succeed(200, Schema.Json, caller, "PATCH", `/workflows/${flow.id}`, { enabled: true })

          const expected: Array<string> = []
          let walked = 0
          for (const { name, change, takes, reason } of cells) {
            yield* succeed(200, Schema.Json, caller, "PATCH", `/contacts/${contact.id}`, {
              ...change,
              data: { cell: name }
            })
            const isTaken = (topic: string | null) => (topic === null ? takes.none : takes.topic)

            for (const kind of kinds) {
              const { topic, asks } = sends[kind]
              const isSent = !asks || isTaken(topic)
              const answer = yield* request(caller, "POST", "/v1/send", { to, template: templates.get(kind) })
              assert.strictEqual(answer.status, isSent ? 200 : 422, `${name}, ${kind}: ${answer.text}`)
              if (isSent) expected.push(`${name}: ${kind}`)
              else {
                const { error } = yield* Effect.orDie(
                  Schema.decodeUnknownEffect(Schema.fromJsonString(Refused))(answer.text)
                )
                assert.deepStrictEqual(error.errors, [{ field: "to", code: "contact_unsubscribed" }])
              }
            }

            for (const [type, topicId] of [
              ["TRANSACTIONAL", null],
              ["MARKETING", "news"],
              ["HEADLESS", null]
            ] as const) {
              const subject = `${name}: campaign ${type}`
              const made = yield* post(Enveloped, "/campaigns", {
                name: subject,
                subject,
                body: "<p>Hello</p>",
                from,
                type,
                topicId,
                audienceType: "ALL"
              })
              yield* post(Schema.Json, `/campaigns/${made.data.id}/send`, {}, 200)
              yield* eventually(
                succeed(200, Status, caller, "GET", `/campaigns/${made.data.id}`),
                ({ data }) => data.status === "SENT"
              )
              if (type === "TRANSACTIONAL" || isTaken(topicId)) expected.push(subject)
            }

            yield* post(Schema.Json, "/events/track", { email: to, event: "cell" }, 200)
            walked++
            const { data } = yield* eventually(
              succeed(200, Executions, caller, "GET", `/workflows/${flow.id}/executions`),
              (found) => found.data.filter(({ status }) => status === "COMPLETED").length === walked
            )
            const walk = yield* succeed(200, Walked, caller, "GET", `/workflows/${flow.id}/executions/${data[0]?.id}`)
            if (takes.topic) expected.push(`${name}: MARKETING of a topic`)
            else {
              assert.include(JSON.stringify(walk.stepExecutions), `"${reason}"`, name)
              assert.include(
                walk.stepExecutions.map(({ status }) => status),
                "SKIPPED"
              )
            }
          }

          const subjects = Effect.flatMap(
            Effect.sync(() => peer.mails.filter(({ rcpt }) => rcpt === to)),
            (mails) => Effect.forEach(mails, ({ raw }) => Effect.map(parsed(raw), ({ subject = "" }) => subject))
          )
          const isCell = (subject: string) => cells.some(({ name }) => subject.startsWith(`${name}: `))
          const received = yield* eventually(subjects, (found) => found.filter(isCell).length >= expected.length)
          assert.sameMembers(received.filter(isCell), expected)
          // The mail that asks to confirm is transactional too.
          assert.lengthOf(
            received.filter((subject) => !isCell(subject)),
            1
          )
        })
    )
  })
})
