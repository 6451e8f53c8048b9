/** What every DeliveryQueue promises, as tests over a layer. */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Duration, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import { deletedMeanwhile, stages } from "../../testing/DeletedMeanwhile.ts"
import { newEmail } from "../../testing/SampleEmails.ts"
import { Ledger, type NewEmail } from "../ledger/Ledger.ts"
import { type ClaimedEmail, DeliveryQueue, type Settlement } from "./DeliveryQueue.ts"
import { failedEvent, sentEvent } from "./MailEvents.ts"

const start = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
const later = (duration: Duration.Input) => DateTime.addDuration(start, duration)
const lease = Duration.seconds(30)

const settled = (mail: ClaimedEmail, status: Settlement["status"], more: Partial<Settlement> = {}): Settlement => ({
  projectId: mail.projectId,
  id: mail.id,
  claim: mail.claim,
  at: start,
  status,
  dueAt: null,
  attempts: mail.attempts + 1,
  ladderStep: mail.ladderStep,
  breaks: 0,
  ambiguities: 0,
  provider: mail.provider,
  queue: null,
  error: null,
  suppression: null,
  hold: null,
  attempt: null,
  event: null,
  ...more
})

const mark = (mail: ClaimedEmail) => ({
  projectId: mail.projectId,
  id: mail.id,
  claim: mail.claim,
  number: mail.attempts + 1,
  at: start,
  mailing: mail.mailing,
  frozen: null
})

export const deliveryQueueSuite = (
  name: string,
  storage: Layer.Layer<DeliveryQueue | Ledger | ProjectStore | SqlClient.SqlClient>
) => {
  /** Everything before is gone: a queue is one for all projects. */
  const fresh = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`truncate emails, email_contents, email_attempts, workers, send_throttles, projects, events cascade`
    return { sql, queue: yield* DeliveryQueue }
  })

  const newProject = Effect.gen(function* () {
    const id = ProjectId.make(randomUUID())
    yield* ProjectStore.use((store) =>
      store.insert({ id, name: "Example", publicKey: id, secretHash: id, secretHint: "aaaa" }, start)
    )
    return id
  })

  const accept = Effect.fnUntraced(function* (project: ProjectId, count: number, more: Partial<NewEmail> = {}) {
    const sql = yield* SqlClient.SqlClient
    const contact = ContactId.make(randomUUID())
    yield* sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      values (${contact}, ${project}, ${`${contact}@example.com`}, true, '{}', now(), now())`
    const content = { id: randomUUID(), html: "<p>Hi</p>", text: "Hi" }
    const mails = Array.makeBy(count, (n) => newEmail(contact, content.id, `to${n}@example.com`, more))
    yield* Ledger.use((ledger) => ledger.accept(project, mails, [content], [], start))
    return mails.map(({ id }) => id)
  })

  const worker = Effect.gen(function* () {
    const id = randomUUID()
    yield* DeliveryQueue.use((queue) => queue.heartbeat(id, lease))
    return id
  })

  const kill = (id: string) =>
    SqlClient.SqlClient.use((sql) => sql`update workers set lease_until = now() - interval '1 second' where id = ${id}`)

  const stateOf = (id: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql`select status, deaths, ambiguities, attempts, error_code from emails where id = ${id}`
    ).pipe(Effect.map(([row]) => row))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("gives a mail to one worker only, with everything that is looked at again", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const project = yield* newProject
        const [id = EmailId.make(randomUUID())] = yield* accept(project, 1)
        const [a, b] = [yield* worker, yield* worker]
        const [mail] = yield* queue.claim(a, 10, start)
        assert.isDefined(mail)
        assert.deepInclude(mail, {
          id,
          subscribed: true,
          suppression: null,
          html: "<p>Hi</p>",
          domainId: null,
          urgency: "transactional",
          attempts: 0
        })
        assert.deepStrictEqual(yield* queue.claim(b, 10, start), [])
      })
    )

    it.effect("two workers that race get every mail once between them", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const project = yield* newProject
        const ids = yield* accept(project, 200)
        const workers = [yield* worker, yield* worker, yield* worker, yield* worker]
        const claims = yield* Effect.forEach(
          Array.flatten(Array.makeBy(6, () => workers)),
          (id) => queue.claim(id, 20, start),
          { concurrency: "unbounded" }
        )
        const claimed = Array.flatten(claims).map(({ id }) => id)
        assert.strictEqual(new Set(claimed).size, claimed.length)
        assert.sameMembers(claimed, ids)
      })
    )

    it.effect("transactional mail goes first, and a crowd of one project leaves room for the others", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const [busy, quiet] = [yield* newProject, yield* newProject]
        yield* accept(busy, 100, { type: "MARKETING" })
        const urgent = yield* accept(busy, 3)
        const other = yield* accept(quiet, 2, { type: "MARKETING" })
        const claimed = (yield* queue.claim(yield* worker, 20, start)).map(({ id }) => id)
        assert.sameMembers(claimed.slice(0, 3), urgent)
        assert.includeMembers(claimed, other)
      })
    )

    it.effect("leaves what is not due yet, and what belongs to a disabled project", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const [open, closed] = [yield* newProject, yield* newProject]
        const [due, early] = yield* accept(open, 2)
        yield* accept(closed, 1)
        yield* sql`update emails set due_at = ${DateTime.toDate(later("1 hour"))} where id = ${early}`
        yield* ProjectStore.use((store) => store.disable(closed, "MANUAL", start))
        const id = yield* worker
        assert.deepStrictEqual(
          (yield* queue.claim(id, 10, start)).map((mail) => mail.id),
          [due]
        )
        assert.deepStrictEqual(
          (yield* queue.claim(id, 10, later("1 hour"))).map((mail) => mail.id),
          [early]
        )
      })
    )

    it.effect("keeps a project to its rate, and lets the others pass", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const [slow, free] = [yield* newProject, yield* newProject]
        yield* sql`update projects set send_rate_per_second = 10 where id = ${slow}`
        yield* accept(slow, 50)
        yield* accept(free, 5)
        const id = yield* worker
        let sent = 0
        for (let tenth = 0; tenth <= 20; tenth++) {
          const mails = yield* queue.claim(id, 100, later(Duration.millis(tenth * 100)))
          sent += mails.filter(({ projectId }) => projectId === slow).length
          if (tenth === 0) assert.strictEqual(mails.filter(({ projectId }) => projectId === free).length, 5)
        }
        // Two seconds at ten a second, and the first one at once.
        assert.isTrue(sent >= 19 && sent <= 21, `${sent} mails`)
      })
    )

    it.effect("keeps a project to its rate over a minute, by several workers whose claims are late", () =>
      Effect.gen(function* () {
        const rate = 25
        for (const lateness of [300, 1_300]) {
          const { queue, sql } = yield* fresh
          const project = yield* newProject
          yield* sql`update projects set send_rate_per_second = ${rate} where id = ${project}`
          yield* accept(project, rate * 70)
          const workers = yield* Effect.replicateEffect(worker, 2)
          /** Milliseconds and the number of mails of each claim. */
          const claims: Array<readonly [number, number]> = []
          // Each worker looks half a second after its last claim, and up to `lateness` later.
          const looks = workers.flatMap((id, first) => {
            const times: Array<readonly [number, string]> = []
            for (let at = first * 170, n = first; at <= 60_000; at += 500 + (lateness * (1 + (n++ % 3))) / 3) {
              times.push([at, id])
            }
            return times
          })
          for (const [at, id] of looks.toSorted(([one], [other]) => one - other)) {
            claims.push([at, (yield* queue.claim(id, 100, later(Duration.millis(at)))).length])
          }
          const sent = claims.reduce((sum, [, count]) => sum + count, 0)
          assert.isAtLeast(sent, rate * 60 * 0.9, `${lateness} ms late`)
          assert.isAtMost(sent, rate * 60 * 1.1, `${lateness} ms late`)
          for (const [at] of claims) {
            const inSecond = claims.filter(([other]) => other >= at && other < at + 1_000)
            assert.isAtMost(
              inSecond.reduce((sum, [, count]) => sum + count, 0),
              rate * 3
            )
          }
        }
      })
    )

    it.effect("makes up for two seconds of a late claim, and for no more after a rest", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const project = yield* newProject
        yield* sql`update projects set send_rate_per_second = 50 where id = ${project}`
        yield* accept(project, 1_000)
        const id = yield* worker
        const claimed = (millis: number) =>
          Effect.map(queue.claim(id, 1_000, later(Duration.millis(millis))), (mails) => mails.length)
        assert.strictEqual(yield* claimed(0), 5)
        assert.strictEqual(yield* claimed(2_000), 100)
        assert.strictEqual(yield* claimed(2_000), 0)
        assert.strictEqual(yield* claimed(3_000), 50)
        assert.strictEqual(yield* claimed(5_001), 5)
        assert.strictEqual(yield* claimed(3_600_000), 5)
      })
    )

    it.effect("a mark counts only while the claim is held", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const [id = ""] = yield* accept(yield* newProject, 1)
        const [first, second] = [yield* worker, yield* worker]
        const [mine] = yield* queue.claim(first, 1, start)
        assert.isDefined(mine)
        yield* kill(first)
        assert.strictEqual(yield* queue.reclaim(start), 1)
        const [theirs] = yield* queue.claim(second, 1, start)
        assert.isDefined(theirs)
        assert.strictEqual((yield* queue.mark(first, [mark(mine)], [])).size, 0)
        assert.strictEqual((yield* queue.mark(first, [], [settled(mine, "SENT")])).size, 0)
        assert.strictEqual((yield* queue.mark(second, [mark(theirs)], [])).size, 1)
        assert.strictEqual((yield* queue.mark(second, [mark(theirs)], [])).size, 1, "the same mark again")
        assert.strictEqual((yield* queue.mark(second, [], [settled(theirs, "SENT")])).size, 1)
        assert.deepInclude(yield* stateOf(id), { status: "SENT", attempts: 1 })
      })
    )

    // On a single connection, no statement can wait for another.
    if (!name.endsWith("PGlite"))
      it.effect.each(stages)(
        "the mail of a contact that is deleted meanwhile settles at once, and without it: %s",
        (stage) =>
          Effect.gen(function* () {
            const { queue, sql } = yield* fresh
            const [id = ""] = yield* accept(yield* newProject, 1)
            const mine = yield* worker
            const [mail] = yield* queue.claim(mine, 1, start)
            assert.isDefined(mail)
            yield* queue.mark(mine, [mark(mail)], [])
            const event = sentEvent(mail, start)
            const settle = queue.mark(mine, [], [settled(mail, "SENT", { event })])
            assert.strictEqual((yield* deletedMeanwhile(String(mail.contactId), stage, settle)).size, 1)
            assert.deepInclude(yield* stateOf(id), { status: "SENT", attempts: 1 })
            assert.deepStrictEqual(yield* sql`select name, contact_id, email_id from events`, [
              { name: "email.sent", contact_id: null, email_id: id }
            ])
          })
      )

    it.effect("the address of mail that is erased while it is handed over does not come back with the result", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const project = yield* newProject
        const [id = ""] = yield* accept(project, 1)
        const mine = yield* worker
        const [mail] = yield* queue.claim(mine, 1, start)
        if (mail === undefined || mail.contactId === null) return assert.fail()
        const contact = mail.contactId
        yield* queue.mark(mine, [mark(mail)], [])
        yield* Ledger.use((ledger) => ledger.erase(project, contact, mail.to, start))
        const reply = `550 <${mail.to}> unknown`
        const result = settled(mail, "FAILED", {
          error: { code: "rejected", message: reply },
          event: failedEvent(mail, start, { code: "rejected", message: reply }, 1),
          attempt: {
            transport: "smtp",
            transportId: null,
            tls: null,
            remoteHost: "mx",
            outcome: "rejected",
            code: 550,
            enhancedCode: "5.1.1",
            reply,
            dialogue: { reused: true, lines: [{ at: 1, from: "S", text: reply }] }
          }
        })
        assert.strictEqual((yield* queue.mark(mine, [], [result])).size, 0, "nothing more follows from it")
        assert.deepInclude(yield* stateOf(id), { status: "FAILED", error_code: "rejected" })
        for (const table of ["emails", "email_attempts", "events"]) {
          const rows = yield* sql`select t::text as row from ${sql(table)} t where project_id = ${project}`
          assert.notInclude(JSON.stringify(rows), mail.to, table)
        }
        assert.deepStrictEqual(yield* sql`select code from email_attempts where project_id = ${project}`, [
          { code: 550 }
        ])
      })
    )

    it.effect("a dead worker's mails: due again before the attempt, ambiguous after it", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const [a = "", b = ""] = yield* accept(yield* newProject, 2)
        const dead = yield* worker
        const mails = yield* queue.claim(dead, 2, start)
        const begun = mails.find((mail) => mail.id === a)
        assert.isDefined(begun)
        yield* queue.mark(dead, [mark(begun)], [])
        yield* kill(dead)
        yield* queue.reclaim(start)
        assert.deepInclude(yield* stateOf(a), {
          status: "AMBIGUOUS",
          ambiguities: 1,
          attempts: 1,
          error_code: "ambiguous"
        })
        assert.deepInclude(yield* stateOf(b), { status: "PENDING", deaths: 1, attempts: 0 })
        assert.strictEqual(yield* queue.evidenceOver(later("19 seconds")), 0)
        assert.strictEqual(yield* queue.evidenceOver(later("20 seconds")), 1)
        assert.deepInclude(yield* stateOf(a), { status: "PENDING" })
      })
    )

    it.effect("the wait for a report counts from the begin of the attempt; a third of it follows the death", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const project = yield* newProject
        for (const [reclaimed, over] of [
          [8, 20],
          [13, 20],
          [20, 27],
          [120, 127]
        ] as const) {
          const [id = ""] = yield* accept(project, 1)
          const dead = yield* worker
          yield* queue.mark(dead, (yield* queue.claim(dead, 1, start)).map(mark), [])
          yield* kill(dead)
          assert.strictEqual(yield* queue.reclaim(later(Duration.seconds(reclaimed))), 1)
          assert.strictEqual(yield* queue.evidenceOver(later(Duration.seconds(over - 1))), 0)
          assert.strictEqual(yield* queue.evidenceOver(later(Duration.seconds(over))), 1)
          assert.deepInclude(yield* stateOf(id), { status: "PENDING", ambiguities: 1 })
        }
      })
    )

    it.effect("ambiguous mail rests after the third time, and at once where the project holds it", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const [retrying, holding] = [yield* newProject, yield* newProject]
        const [again = ""] = yield* accept(retrying, 1)
        const [held = ""] = yield* accept(holding, 1)
        yield* sql`update projects set ambiguous_transactional = 'hold' where id = ${holding}`
        for (let time = 1; time <= 3; time++) {
          const dead = yield* worker
          const now = later(Duration.minutes(time))
          yield* queue.mark(dead, (yield* queue.claim(dead, 5, now)).map(mark), [])
          yield* kill(dead)
          yield* queue.reclaim(now)
          yield* queue.evidenceOver(later(Duration.minutes(time + 0.9)))
          assert.deepInclude(yield* stateOf(again), { status: time < 3 ? "PENDING" : "AMBIGUOUS" })
          assert.deepInclude(yield* stateOf(held), { status: "AMBIGUOUS", ambiguities: 1 })
        }
        assert.strictEqual(yield* queue.evidenceOver(later("30 days")), 0)
        const seen = Option.getOrUndefined(yield* queue.peek(holding, EmailId.make(held)))
        assert.strictEqual(seen?.id, held)
      })
    )

    it.effect("a mail that takes six workers down is given up, and its neighbour is not", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const [poison = "", good = ""] = yield* accept(yield* newProject, 2)
        for (let death = 1; death <= 6; death++) {
          const dead = yield* worker
          const mails = yield* queue.claim(dead, 10, start)
          for (const mail of mails) {
            if (mail.id === good) yield* queue.mark(dead, [], [settled(mail, "SENT")])
          }
          yield* kill(dead)
          yield* queue.reclaim(start)
        }
        assert.deepInclude(yield* stateOf(poison), { status: "FAILED", error_code: "render_failed" })
        assert.deepInclude(yield* stateOf(good), { status: "SENT" })
      })
    )

    it.effect("a claim goes on in a campaign where the last one ended, and finds what was given back", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        const project = yield* newProject
        const campaign = randomUUID()
        const ids = (yield* accept(project, 40)).toSorted()
        yield* sql`
          insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                                language)
          values (${project}, ${campaign}::uuid, true, 'News', '<p>News</p>', 'hi@example.com', 'MARKETING', false,
                  'Example', 'en')`
        yield* sql`update emails set lane = 2, campaign_id = ${campaign}::uuid, source_type = 'CAMPAIGN'`
        const taken = (after: Duration.Input, count: number) =>
          Effect.gen(function* () {
            const by = yield* worker
            const mails = yield* queue.claim(by, count, later(after))
            return { by, ids: mails.map(({ id }) => id) }
          })
        const first = yield* taken(0, 10)
        const second = yield* taken("1 second", 10)
        yield* queue.release(first.by)
        const third = yield* taken("2 seconds", 10)
        assert.sameMembers([...first.ids, ...second.ids, ...third.ids], ids.slice(0, 30))
        assert.sameMembers((yield* taken("6 seconds", 5)).ids, first.ids.slice(0, 5))
        // The rest is less than is asked for, so the whole campaign is read at once.
        assert.sameMembers((yield* taken("7 seconds", 20)).ids, [...first.ids.slice(5), ...ids.slice(30)])
        assert.sameMembers((yield* taken("8 seconds", 20)).ids, [])
      })
    )

    it.effect("suspects are claimed one at a time", () =>
      Effect.gen(function* () {
        const { queue, sql } = yield* fresh
        yield* accept(yield* newProject, 5)
        yield* sql`update emails set deaths = 3`
        assert.strictEqual((yield* queue.claim(yield* worker, 10, start)).length, 1)
      })
    )

    it.effect("gives back what was not begun, and keeps the rest for the next reclaim", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        const ids = yield* accept(yield* newProject, 3)
        const stopping = yield* worker
        const [begun] = yield* queue.claim(stopping, 3, start)
        assert.isDefined(begun)
        yield* queue.mark(stopping, [mark(begun)], [])
        yield* queue.release(stopping)
        const next = (yield* queue.claim(yield* worker, 10, start)).map(({ id }) => id)
        assert.sameMembers(
          next,
          ids.filter((id) => id !== begun.id)
        )
        yield* queue.retire(stopping)
        assert.strictEqual(yield* queue.reclaim(start), 1)
      })
    )

    it.effect("a mail that its worker does not hold is claimed again although the worker lives", () =>
      Effect.gen(function* () {
        const { queue } = yield* fresh
        yield* accept(yield* newProject, 2)
        const alive = yield* worker
        const [known, lost] = yield* queue.claim(alive, 2, start)
        assert.isDefined(known)
        yield* queue.disown(alive, [known.id])
        assert.strictEqual(yield* queue.reclaim(start), 1)
        const back = yield* queue.claim(alive, 2, start)
        assert.deepStrictEqual(
          back.map(({ id }) => id),
          [lost?.id]
        )
      })
    )
  })
}
