/**
 * The whole service in this process, over a database: its API, and its workers, which run only on request. It can be
 * restarted and killed; the database, the peer and the clock remain.
 */

import { DeliveryQueue } from "@posthorn/core/mail/sending/DeliveryQueue"
import * as EmailSender from "@posthorn/core/mail/sending/EmailSender"
import * as Posthorn from "@posthorn/core/Posthorn"
import { Failpoint, type Window } from "@posthorn/core/platform/Failpoint"
import { MailerError } from "@posthorn/core/platform/Mailer"
import { Settings } from "@posthorn/core/platform/Settings"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import { Peer, receipt } from "@posthorn/core/testing/MailerMemory"
import { configured } from "@posthorn/core/testing/ReceiversFixture"
import { host } from "@posthorn/core/testing/Services"
import { wireOver } from "@posthorn/core/testing/TestClient"
import * as Worker from "@posthorn/core/Worker"
import { Clock, Context, Deferred, Duration, Effect, Exit, Layer, References, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Span, Treatment } from "./Expected.ts"

/** The window at which the process dies, and how often it has passed it by then. */
export interface Death {
  readonly window: Window
  readonly visit: number
}

/** The result of a run of the workers, for the checks. */
export interface Worked extends Span {
  /** Emails that were started and not settled when the process died. */
  readonly died: ReadonlySet<string>
}

const tick = Duration.millis(100)
/** With more ticks, something waits that should not. */
const maxTicks = 100

const settings: Settings = { ...configured, autoSuspend: false }

/** The services that outlive the process. */
export const outside = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Layer.mergeAll(host, database, Layer.succeed(Settings, settings))
type Outside = Layer.Success<ReturnType<typeof outside>>

const process = (context: Context.Context<Outside>) =>
  wireOver(Layer.merge(Posthorn.layer, ServiceStatus.layer).pipe(Layer.provideMerge(Layer.succeedContext(context))))
export type Services = Layer.Success<ReturnType<typeof process>>

/** The queue of a process that may die. After its death it writes nothing, not even during shutdown. */
const mortal = (queue: DeliveryQueue["Service"], isDead: () => boolean): DeliveryQueue["Service"] => {
  const never = Effect.interruptible(Effect.never)
  const alive =
    <Arguments extends ReadonlyArray<unknown>, A>(write: (...given: Arguments) => Effect.Effect<A>, ghost = never) =>
    (...given: Arguments): Effect.Effect<A> =>
      Effect.suspend(() => (isDead() ? ghost : write(...given)))
  return {
    ...queue,
    heartbeat: alive(queue.heartbeat),
    claim: alive(queue.claim),
    claimThese: alive(queue.claimThese),
    mark: alive(queue.mark),
    release: (worker) => (isDead() ? Effect.void : queue.release(worker)),
    retire: (worker) => (isDead() ? Effect.void : queue.retire(worker))
  }
}

const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
const Count = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** The number of things that workers would do at this moment. */
const left = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = new Date(yield* Clock.currentTimeMillis)
  const [{ count }] = yield* Count(
    yield* sql`
      select (
        (select count(*) from emails where status = 'SENDING'
           or status = 'PENDING' and due_at <= ${now} and (lane < 2 or exists (
             select from mailings where mailings.project_id = emails.project_id
               and mailings.campaign_id = emails.campaign_id and is_open)))
        + (select count(*) from event_outbox)
        + (select count(*) from workflow_executions where due_at <= ${now} and not frozen)
        + (select count(*) from campaign_audiences)
        + (select count(*) from mailings where stopped)
        + (select count(*) from campaigns where status = 'SENDING' and (not expanded or not exists (
             select from emails where emails.project_id = campaigns.project_id and emails.campaign_id = campaigns.id
               and (status in ('PENDING', 'SENDING') or status = 'AMBIGUOUS' and due_at < 'infinity'))))
        + (select count(*) from campaign_deltas)
        + (select count(*) from jobs where finished_at is null)
      )::int as count`
  )
  return count
}).pipe(Effect.orDie)

const begun = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(sql`select id from emails where status = 'SENDING' and begun_at is not null`, Ids)
).pipe(
  Effect.map((rows) => new Set(rows.map(({ id }) => id))),
  Effect.orDie
)

const untilNothingIsLeft = Effect.gen(function* () {
  for (let ticks = 0; (yield* left) > 0; ticks++) {
    if (ticks > maxTicks) return yield* Effect.die(new Error("Workers do not come to rest"))
    yield* TestClock.adjust(tick)
    // The driver answers in real time.
    yield* TestClock.withLive(Effect.sleep("2 millis"))
  }
})

/** How the peer answers, by address, and what it has received: each copy by the id of its email. */
const listening = Effect.fnUntraced(function* (treatments: ReadonlyMap<string, Treatment>) {
  const peer = yield* Peer
  const copies = new Map<string, number>()
  const refused = (code: number, enhancedCode: string) =>
    new MailerError({ reason: "refused", transport: "peer", code, enhancedCode, reply: `${code} ${enhancedCode} no` })
  yield* peer.answer(({ emailId, to }) =>
    Effect.suspend(() => {
      const treatment = treatments.get(to[0]?.address ?? "") ?? "takes"
      if (treatment === "later") return Effect.fail(refused(451, "4.3.0"))
      if (treatment === "unknown") return Effect.fail(refused(550, "5.1.1"))
      copies.set(emailId, (copies.get(emailId) ?? 0) + 1)
      if (treatment === "takes") return Effect.succeed(receipt)
      return Effect.fail(new MailerError({ reason: "ambiguous", transport: "peer", reply: "connection lost" }))
    })
  )
  return copies
})

export interface Installation {
  /** Against the API of the current process. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<A, E>
  readonly restart: Effect.Effect<void>
  /** Runs the workers until there is nothing to do at this moment. After a process dies, another one continues. */
  readonly work: (death?: Death) => Effect.Effect<Worked>
  readonly copies: ReadonlyMap<string, number>
}

export const make = Effect.fnUntraced(function* (
  treatments: ReadonlyMap<string, Treatment>
): Effect.fn.Return<Installation, never, Outside | Scope.Scope> {
  const context = yield* Effect.context<Outside>()
  const copies = yield* listening(treatments)
  let scope = yield* Scope.make()
  let services: Context.Context<Services>

  const start = Effect.gen(function* () {
    scope = yield* Scope.make()
    services = yield* Layer.buildWithScope(Layer.fresh(process(context)), scope)
  })
  const restart = Effect.andThen(
    Effect.suspend(() => Scope.close(scope, Exit.void)),
    start
  )
  yield* start
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))

  const workers = Effect.fnUntraced(function* (death: Death | undefined) {
    const died = yield* Deferred.make<void>()
    /** The operation at which the process died ends first, because others may wait for its connection. */
    const buried = yield* Deferred.make<never>()
    let isDead = false
    let visits = 0
    const reach = (window: Window) =>
      Effect.suspend(() => {
        if (window !== death?.window || ++visits !== death.visit) return Effect.void
        isDead = true
        return Effect.andThen(Deferred.succeed(died, undefined), Deferred.await(buried))
      })
    const worker = Worker.layer.pipe(
      Layer.provide(
        Layer.succeedContext(
          Context.add(
            services,
            DeliveryQueue,
            mortal(Context.get(services, DeliveryQueue), () => isDead)
          )
        )
      ),
      Layer.provide(
        Layer.mergeAll(
          Layer.succeed(EmailSender.Options, {
            poll: tick,
            drain: death === undefined ? Duration.seconds(5) : Duration.zero,
            exclusive: true
          }),
          Layer.succeed(Failpoint, reach),
          Layer.succeed(References.MinimumLogLevel, "Fatal")
        )
      )
    )
    yield* Effect.scoped(
      Effect.andThen(
        Layer.build(worker),
        Effect.ensuring(
          Effect.raceFirst(Effect.provideContext(untilNothingIsLeft, services), Deferred.await(died)),
          Deferred.interrupt(buried)
        )
      )
    )
    return isDead
  })

  return {
    copies,
    restart,
    run: (effect) => Effect.suspend(() => Effect.provideContext(effect, services)),
    work: Effect.fnUntraced(function* (death) {
      const from = yield* Clock.currentTimeMillis
      const isDead = yield* workers(death)
      const died = isDead ? yield* Effect.provideContext(begun, context) : new Set<string>()
      if (isDead) {
        yield* restart
        yield* workers(undefined)
      }
      return { from, to: yield* Clock.currentTimeMillis, died }
    })
  }
})
