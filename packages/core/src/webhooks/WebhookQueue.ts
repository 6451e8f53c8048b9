/**
 * The queue of due webhook deliveries, as statements of the sender. Due times use the service's clock, claims use the
 * database clock.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DeliveryId, DeliveryStatus, type WebhookAttempt, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Array, DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { firstOf, nextDue } from "../platform/jobs/Agenda.ts"

/** A claimed delivery. The claim lasts a minute. Of two claims, the one with the higher `claim` is valid. */
export interface ClaimedDelivery {
  readonly project: ProjectId
  readonly id: DeliveryId
  readonly endpoint: WebhookId
  readonly claim: number
  /** The number of failed attempts on this ladder. */
  readonly rung: number
  readonly url: string
  /** Sealed. */
  readonly secret: string
  /** Sealed. Null once it is no longer used to sign. */
  readonly previousSecret: string | null
  readonly body: string
}

interface AttemptResult extends Omit<WebhookAttempt, "number"> {
  readonly succeeded: boolean
  /** When to retry after a failure. Null if the delivery has failed for good. */
  readonly nextAt: DateTime.Utc | null
}

/** The maximum number of concurrent requests to an endpoint. */
const maxAtOnce = 10

/**
 * The maximum number of concurrent requests to all endpoints of a project, which share them evenly. So a slow endpoint
 * delays neither the other endpoints nor other projects.
 */
const maxOfProject = 50

/** Longer than an attempt can take, so that claims need no renewal. */
const lease = Duration.minutes(1)

const claimedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      id: DeliveryId,
      endpoint: WebhookId,
      claim: Schema.Int,
      rung: Schema.Int,
      url: Schema.String,
      secret: Schema.String,
      previousSecret: Schema.NullOr(Schema.String),
      body: Schema.String
    })
  )
)
const statusRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ status: DeliveryStatus })))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const own = ({ project, id, claim }: ClaimedDelivery) =>
    sql`delivery.project_id = ${project} and delivery.id = ${id} and delivery.claim = ${claim}`

  return {
    /** When the next delivery is due. A running one counts too. */
    next: nextDue(
      firstOf(sql, sql`webhook_deliveries where due_at is not null order by project_id, endpoint_id, due_at`)
    ),
    /**
     * Claims due deliveries of all projects, the oldest of each endpoint first. Endpoints with fewer running requests
     * come first. Over all processes, an endpoint has at most 10 running requests, and no more than its share of the 50
     * of its project.
     */
    claim: Effect.fn("WebhookQueue.claim")(
      function* (limit: number, now: DateTime.Utc) {
        const at = DateTime.toDate(now)
        // Serializes claims, so that no two of them use the same free slot.
        yield* sql`select pg_advisory_xact_lock(hashtextextended('posthorn:deliveries:' || current_schema(), 0))`
        return yield* claimedRows(
          yield* sql`
            with room as materialized (
              select endpoint.*, (
                select count(*) from webhook_deliveries as busy
                where busy.project_id = endpoint.project_id and busy.endpoint_id = endpoint.id
                  and busy.lease_until > clock_timestamp()
              )::int as busy, least(${maxAtOnce}::int, ${maxOfProject}::int / (
                select count(*) from webhook_endpoints as other where other.project_id = endpoint.project_id
              )) as share
              from webhook_endpoints as endpoint
              where exists (
                select from webhook_deliveries as due
                where due.project_id = endpoint.project_id and due.endpoint_id = endpoint.id and due.due_at <= ${at})
            ),
            chosen as materialized (
              select due.id as delivery_id, room.*
              from room cross join lateral (
                select id, due_at from webhook_deliveries
                where project_id = room.project_id and endpoint_id = room.id and due_at <= ${at}
                  and (lease_until is null or lease_until <= clock_timestamp())
                order by due_at, id limit greatest(0, room.share - room.busy)
              ) as due
              order by room.busy, due.due_at, due.id limit ${limit}
            )
            update webhook_deliveries as delivery set claim = claim + 1,
                   lease_until = clock_timestamp() + make_interval(secs => ${Duration.toSeconds(lease)})
            from chosen
            where delivery.project_id = chosen.project_id and delivery.id = chosen.delivery_id
              and delivery.due_at is not null
            returning delivery.project_id as project, delivery.id, endpoint_id as endpoint, claim, rung, body,
                      chosen.url, chosen.secret,
                      case when chosen.previous_valid_until > ${at} then chosen.previous_secret end as "previousSecret"`
        )
      },
      sql.withTransaction,
      Effect.orDie
    ),
    /**
     * Records the attempt and its consequences for the delivery and the endpoint. If the endpoint was disabled in the
     * meantime, there is no retry. None if another process has claimed the delivery, or it is deleted.
     */
    settle: Effect.fn("WebhookQueue.settle")(function* (
      delivery: ClaimedDelivery,
      { succeeded, at, nextAt, statusCode, durationMs, error, response }: AttemptResult,
      now: DateTime.Utc
    ) {
      const ended = DateTime.toDate(now)
      const retry = nextAt === null ? null : DateTime.toDate(nextAt)
      // Locks the endpoint before its deliveries, as disabling does, to avoid deadlocks.
      const found = yield* statusRows(
        yield* sql`
            with endpoint as (
              update webhook_endpoints as endpoint set
                last_success_at = case when ${succeeded}::boolean then ${ended}::timestamptz else last_success_at end,
                failing_since = case when not ${succeeded}::boolean then coalesce(failing_since, ${DateTime.toDate(at)}::timestamptz) end,
                failed_tries = case when ${succeeded}::boolean then 0 else failed_tries + 1 end,
                warned = warned and not ${succeeded}::boolean
              where endpoint.project_id = ${delivery.project} and endpoint.id = ${delivery.endpoint}
                and exists (select from webhook_deliveries as delivery where ${own(delivery)})
              returning endpoint.project_id, endpoint.id
            ),
            settled as (
              update webhook_deliveries as delivery set attempts = attempts + 1, rung = rung + 1, lease_until = null,
                status = case when ${succeeded}::boolean then 'SUCCEEDED'
                              when due_at is null or ${retry}::timestamptz is null then 'FAILED' else 'PENDING' end,
                completed_at = case when ${succeeded}::boolean or due_at is null or ${retry}::timestamptz is null
                                    then ${ended}::timestamptz end,
                due_at = case when not ${succeeded}::boolean and due_at is not null then ${retry}::timestamptz end
              from endpoint
              where delivery.project_id = endpoint.project_id and delivery.endpoint_id = endpoint.id and ${own(delivery)}
              returning delivery.project_id, delivery.id, attempts, status
            ),
            logged as (
              insert into webhook_attempts
                (project_id, delivery_id, number, at, status_code, duration_ms, error, response)
              select project_id, id, attempts, ${DateTime.toDate(at)}::timestamptz, ${statusCode}::int, ${durationMs}::int,
                     ${error}::text, ${response}::text
              from settled
            )
            select status from settled`
      )
      return Option.map(Array.head(found), ({ status }) => status)
    }, Effect.orDie),
    /** Ends the claim, so that the delivery can be claimed again at once. */
    release: (delivery: ClaimedDelivery) =>
      sql`update webhook_deliveries as delivery set lease_until = null where ${own(delivery)}`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
  }
})
