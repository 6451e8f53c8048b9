/** Holdouts of campaigns over HTTP: who is held out, and what both groups did. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Billing } from "../../../accounts/billing/Billing.ts"
import { bucket } from "../../../platform/Bucket.ts"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { dispatch } from "../../workflows/ExecutionsFixture.ts"
import { sendingProject, work } from "../CampaignsFixture.ts"

const goal = { eventName: "paid", windowHours: 24 }

const noLimits = { workflows: null, campaigns: null, transactional: null, inbound: null }

const hours = (n: number) => TestClock.adjust(`${n} hours`)

interface Person {
  readonly id: string
  readonly email: string
}

const setUp = Effect.fnUntraced(function* (contacts: number) {
  const sql = yield* SqlClient.SqlClient
  const fresh = yield* sendingProject(contacts)
  const { ask, project } = fresh
  const people = yield* sql<Person>`select id, email from contacts where project_id = ${project} order by id`
  /** The people of the campaign by their buckets, as anybody can compute them. */
  const sorted = Effect.fnUntraced(function* (campaign: string, share: number) {
    const heldOut: Array<Person> = []
    const treated: Array<Person> = []
    for (const person of people) {
      const isHeldOut = (yield* bucket(`holdout:${campaign}`, person.id)) < share
      ;(isHeldOut ? heldOut : treated).push(person)
    }
    return { heldOut, treated }
  })
  const send = (id: string, more: object = {}) =>
    Effect.map(ask("POST", `/campaigns/${id}/send`, more), ({ status, body }) => {
      assert.strictEqual(status, 200, JSON.stringify(body))
      return body
    })
  const pay = Effect.fnUntraced(function* (people: ReadonlyArray<Person>, data: object = {}) {
    for (const { email } of people) {
      assert.strictEqual((yield* fresh.track({ email, event: "paid", data })).status, 200)
    }
    yield* dispatch
  })
  const mailed = (campaign: string) =>
    Effect.map(
      sql<Person>`
        select recipient_id as id, to_email as email from emails
        where campaign_id = ${campaign}::uuid and recipient_id is not null order by recipient_id`,
      (rows) => rows.map(({ id }) => id)
    )
  /** Every mail of the campaign leaves. */
  const leave = Effect.fnUntraced(function* (campaign: string) {
    const now = DateTime.toDate(yield* DateTime.now)
    yield* work
    yield* sql`
      update emails set status = 'SENT', sent_at = ${now}, updated_at = ${now}
      where campaign_id = ${campaign}::uuid and status = 'PENDING'`
    yield* work
  })
  const reached = (campaign: string) =>
    Effect.map(fresh.stats(campaign), ({ uplift }) => {
      const { treated, holdout, treatedRate, holdoutRate } = uplift
      return [Math.round(treated * treatedRate), Math.round(holdout * holdoutRate)]
    })
  return { ...fresh, people, sorted, send, pay, mailed, leave, reached }
})

const ids = (people: ReadonlyArray<Person>) => people.map(({ id }) => id)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Holdouts of campaigns on ${name}`, (it) => {
    it.effect("hold a share out, charge nothing for it, and show from events alone what the campaign brings", () =>
      Effect.gen(function* () {
        const { ask, create, leave, mailed, pay, people, project, reached, read, send, sorted, stats } =
          yield* setUp(400)
        const where = [{ path: "shop", operator: "equals", value: "a" }]
        const id = yield* create({ goal: { ...goal, where }, holdout: { share: 0.25 } })
        const { heldOut, treated } = yield* sorted(id, 0.25)
        assert.isAbove(heldOut.length, 60)
        const draft = yield* read(id)
        assert.deepInclude(draft, { holdoutSize: 0, audienceSize: 0, estimatedRecipients: treated.length })
        assert.deepStrictEqual(draft.holdout, { share: 0.25 })
        assert.isNull((yield* stats(id)).uplift)
        const copy = yield* ask("POST", `/campaigns/${id}/duplicate`)
        assert.deepStrictEqual(copy.body.data.holdout, { share: 0.25 })
        // Held out contacts are not charged: there is room for the others alone.
        // Processes read limits again after a while.
        yield* Effect.raceFirst(
          Billing.use((billing) => billing.setLimits(project, { ...noLimits, campaigns: treated.length })),
          Effect.forever(Effect.andThen(TestClock.adjust("1 second"), Effect.yieldNow))
        )

        // Before the start of sending, an event says nothing.
        yield* pay(heldOut.slice(0, 1), { shop: "a" })
        yield* hours(1)
        const begun = yield* send(id)
        assert.strictEqual(begun.data.status, "SENDING")
        yield* work
        assert.deepStrictEqual(yield* mailed(id), ids(treated))
        const sizes = { audienceSize: treated.length, holdoutSize: heldOut.length }
        assert.deepInclude(yield* read(id), { ...sizes, totalRecipients: treated.length })
        assert.deepInclude(yield* stats(id), { ...sizes, pendingCount: treated.length })
        const listed = yield* ask("GET", `/campaigns/${id}/recipients?limit=1`)
        assert.strictEqual(listed.body.total, treated.length)

        // An event counts for both groups before any mail leaves, and each contact once.
        yield* pay([...treated.slice(0, 3), ...heldOut.slice(0, 2)], { shop: "a" })
        yield* pay([...treated.slice(0, 4), ...heldOut.slice(0, 2)], { shop: "a" })
        yield* pay(treated.slice(5, 9), { shop: "b" })
        assert.deepStrictEqual(yield* reached(id), [4, 2])
        yield* hours(1)
        yield* leave(id)
        assert.strictEqual((yield* read(id)).status, "SENT")
        yield* hours(23)
        yield* pay([...treated.slice(10, 30), ...heldOut.slice(2, 4)], { shop: "a" })
        const { convertedCount, sentCount, uplift } = yield* stats(id)
        assert.deepStrictEqual([sentCount, convertedCount], [treated.length, 0])
        assert.deepStrictEqual(Object.keys(uplift), [
          "treated",
          "holdout",
          "treatedRate",
          "holdoutRate",
          "difference",
          "low",
          "high"
        ])
        assert.deepInclude(uplift, { treated: treated.length, holdout: heldOut.length })
        assert.deepStrictEqual(yield* reached(id), [24, 4])
        assert.closeTo(uplift.difference, 24 / treated.length - 4 / heldOut.length, 1e-12)
        assert.isTrue(uplift.low < 0 && uplift.high > uplift.difference)

        // After the window, and of a contact outside of the audience, nothing counts.
        const late = yield* ask("POST", "/contacts", { email: "late@example.com" })
        yield* pay([{ id: "", email: "late@example.com" }], { shop: "a" })
        assert.strictEqual(late.status, 201)
        yield* hours(2)
        yield* pay([...treated, ...heldOut], { shop: "a" })
        assert.deepStrictEqual(yield* reached(id), [24, 4])

        // A follow-up reaches only those who had mail.
        const next = yield* ask("POST", `/campaigns/${id}/follow-up`, { who: "NOT_CONVERTED" })
        assert.deepInclude(next.body.data, { estimatedRecipients: treated.length, holdout: null })
        assert.strictEqual(people.length, treated.length + heldOut.length)
      })
    )

    it.effect("forget deleted and erased contacts, keep that of the contact that stays, and go with the campaign", () =>
      Effect.gen(function* () {
        const { ask, create, leave, mailed, pay, people, project, reached, send, sorted } = yield* setUp(40)
        const sql = yield* SqlClient.SqlClient
        const id = yield* create({ goal, holdout: { share: 0.5 } })
        const { heldOut, treated } = yield* sorted(id, 0.5)
        const other = yield* create({ goal, holdout: { share: 0.01 } })
        const [a, b, c, d, e] = heldOut
        const [s, t, u, v, w] = treated
        assert.isDefined(e)
        assert.isDefined(w)
        if (!a || !b || !c || !d || !s || !t || !u || !v) return
        yield* send(id)
        // The mail of t is made after the merge, the mail of s before it.
        const early = yield* ask("POST", `/contacts/${b.id}/merge`, { contactId: t.id })
        assert.strictEqual(early.status, 200, JSON.stringify(early.body))
        yield* work
        yield* ask("POST", `/contacts/${a.id}/merge`, { contactId: s.id })
        const mails = yield* sql<{ readonly id: string; readonly status: string; readonly message: string }>`
          select recipient_id as id, status, error_message as message from emails
          where campaign_id = ${id}::uuid and recipient_id = any(${[s.id, t.id]}::uuid[])`
        for (const { status, message } of mails) {
          assert.deepStrictEqual([status, message], ["CANCELLED", "The contact was merged into one that is held out."])
        }
        assert.lengthOf(mails, 2)
        // One who is held out and merged into one with mail is not held out any more.
        yield* pay([c, u])
        yield* ask("POST", `/contacts/${v.id}/merge`, { contactId: c.id })
        yield* ask("POST", `/contacts/${v.id}/merge`, { contactId: u.id })
        yield* pay([a, v])
        assert.deepStrictEqual(yield* reached(id), [1, 2])
        assert.strictEqual((yield* ask("DELETE", `/contacts/${a.id}`)).status, 204)
        assert.strictEqual((yield* ask("POST", `/contacts/${d.id}/erase`)).status, 200)
        const left = yield* sql<Person>`
          select contact_id as id from campaign_holdouts where campaign_id = ${id}::uuid order by 1`
        assert.deepStrictEqual(ids(left), ids(heldOut.filter(({ id }) => ![a.id, c.id, d.id].includes(id))))
        assert.lengthOf(yield* sql`select from campaign_reached where contact_id = ${a.id}::uuid`, 0)
        assert.deepStrictEqual(yield* reached(id), [1, 2])
        assert.lengthOf(yield* mailed(id), treated.length)
        assert.strictEqual((yield* ask("DELETE", `/campaigns/${other}`)).status, 204)
        yield* leave(id)
        assert.strictEqual((yield* ask("DELETE", `/campaigns/${id}`)).status, 204)
        for (const table of ["campaign_holdouts", "campaign_reached", "campaign_uplifts"]) {
          assert.lengthOf(yield* sql`select from ${sql(table)} where project_id = ${project}`, 0, table)
        }
        assert.isAbove(people.length, 0)
      })
    )

    it.effect("leave the test of an experiment and its rest to the others, and count those who still wait", () =>
      Effect.gen(function* () {
        const { ask, create, mailed, pay, people, reached, read, send, sorted } = yield* setUp(300)
        const experiment = { variants: [{ key: "A" }, { key: "B", subject: "Other" }], testShare: 0.3 }
        const id = yield* create({ goal, experiment, holdout: { share: 0.2 } })
        const { heldOut, treated } = yield* sorted(id, 0.2)
        const tested: Array<Person> = []
        for (const person of treated) if ((yield* bucket(`test:${id}`, person.id)) < 0.3) tested.push(person)
        yield* send(id)
        yield* work
        assert.deepStrictEqual(yield* mailed(id), ids(tested))
        assert.deepInclude(yield* read(id), {
          audienceSize: treated.length,
          holdoutSize: heldOut.length,
          totalRecipients: treated.length
        })
        const waiting = treated.filter((person) => !tested.includes(person))
        yield* pay([...waiting.slice(0, 2), ...waiting.slice(-2), ...tested.slice(0, 1), ...heldOut.slice(-1)])
        assert.deepStrictEqual(yield* reached(id), [5, 1])
        assert.strictEqual(people.length, 300)

        // What was drawn for a person is in the export.
        const drawn = Effect.fnUntraced(function* (person: Person | undefined) {
          const { body } = yield* ask("GET", `/contacts/${person?.id}/export`)
          return body.assignments.map((_: { campaignId: string; variant: string | null; heldOut: boolean }) => [
            _.campaignId,
            _.variant,
            _.heldOut
          ])
        })
        const [first] = tested
        const variant = (yield* bucket(`variant:${id}`, first?.id ?? "")) < 0.5 ? "A" : "B"
        assert.deepStrictEqual(yield* drawn(first), [[id, variant, false]])
        assert.deepStrictEqual(yield* drawn(heldOut[0]), [[id, null, true]])
        assert.deepStrictEqual(yield* drawn(waiting[0]), [])
      })
    )

    it.effect("may take a whole audience, which ends as SENT without recipients", () =>
      Effect.gen(function* () {
        const { ask, create, pay, people, read, send, sorted, stats } = yield* setUp(1)
        /** A campaign whose whole audience its holdout takes. */
        const taking = Effect.gen(function* () {
          for (;;) {
            const id = yield* create({ goal, holdout: { share: 0.5 } })
            if ((yield* sorted(id, 0.5)).treated.length === 0) return id
            yield* ask("DELETE", `/campaigns/${id}`)
          }
        })
        const id = yield* taking
        assert.strictEqual((yield* send(id)).data.status, "SENT")
        const sent = yield* read(id)
        assert.deepInclude(sent, { status: "SENT", totalRecipients: 0, audienceSize: 0, holdoutSize: 1 })
        assert.isNotNull(sent.sentAt)
        assert.isNotNull(sent.completedAt)
        yield* pay(people)
        assert.isNull((yield* stats(id)).uplift)
        // The event is in use until the goal ends.
        assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 409)
        yield* hours(25)
        assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 200)

        // The same by a schedule, and an empty audience is refused as ever.
        const planned = yield* taking
        const soon = DateTime.formatIso(DateTime.add(yield* DateTime.now, { minutes: 5 }))
        yield* send(planned, { scheduledFor: soon })
        yield* hours(1)
        yield* work
        assert.deepInclude(yield* read(planned), { status: "SENT", holdoutSize: 1 })
        const [person] = people
        assert.strictEqual((yield* ask("DELETE", `/contacts/${person?.id}`)).status, 204)
        const empty = yield* create({ goal, holdout: { share: 0.5 } })
        assert.strictEqual((yield* ask("POST", `/campaigns/${empty}/send`, {})).status, 400)
      })
    )

    it.effect("are checked with full paths, and a change of one ends an approval", () =>
      Effect.gen(function* () {
        const { ask, create, draft, read } = yield* setUp(3)
        for (const [given, field, code] of [
          [{ holdout: { share: 0.1 } }, "goal", "required"],
          [{ goal, holdout: { share: 0.009 } }, "holdout.share", "too_small"],
          [{ goal, holdout: { share: 0.51 } }, "holdout.share", "too_big"],
          [{ goal, holdout: { share: "0.1" } }, "holdout.share", "invalid_type"],
          [{ goal, holdout: {} }, "holdout.share", "required"]
        ] as const) {
          const { status, body } = yield* ask("POST", "/campaigns", { ...draft, ...given })
          assert.deepStrictEqual(
            [status, body.error.errors.length, body.error.errors[0].field, body.error.errors[0].code],
            [422, 1, field, code],
            JSON.stringify(body)
          )
        }
        const id = yield* create({ goal, holdout: { share: 0.125 } })
        assert.strictEqual((yield* ask("POST", `/campaigns/${id}/request-approval`, {})).status, 200)
        const put = (holdout: unknown) => ask("PUT", `/campaigns/${id}`, { ...draft, goal, holdout })
        yield* put({ share: 0.125 })
        assert.strictEqual((yield* read(id)).approval.state, "REQUESTED")
        yield* put({ share: 0.13 })
        assert.strictEqual((yield* read(id)).approval.state, "NONE")
        yield* put(null)
        assert.isNull((yield* read(id)).holdout)
      })
    )

    it.effect("are drawn for each campaign that a recurrence makes, at local time as well", () =>
      Effect.gen(function* () {
        const { ask, create, mailed, sorted } = yield* setUp(60)
        const id = yield* create({
          goal,
          holdout: { share: 0.3 },
          delivery: { localTime: { passed: "SEND_NOW" } }
        })
        const recurring = yield* ask("PUT", `/campaigns/${id}/recurrence`, {
          schedule: "0 9 * * *",
          timezone: "UTC",
          enabled: true
        })
        assert.strictEqual(recurring.status, 200, JSON.stringify(recurring.body))
        yield* hours(24)
        yield* work
        yield* hours(24)
        yield* work
        const made = (yield* ask("GET", `/campaigns?parentId=${id}`)).body.data
        assert.isAtLeast(made.length, 2)
        const groups: Array<string> = []
        for (const child of made) {
          const { heldOut, treated } = yield* sorted(child.id, 0.3)
          if (child.status === "SCHEDULED") continue
          assert.deepInclude(child, { holdoutSize: heldOut.length, audienceSize: treated.length })
          assert.deepStrictEqual(yield* mailed(child.id), ids(treated))
          groups.push(ids(heldOut).join())
        }
        assert.isAtLeast(new Set(groups).size, 2)
      })
    )
  })
}
