/** Authenticates notifications about mail of a project by the secrets and topics of its transports. */
import { TransportId } from "@posthorn/contract/mail/transports/Transport"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { SecretBox } from "../../platform/SecretBox.ts"
import { open } from "./TransportSecrets.ts"

/** The project of a transport, with what proves its notifications. */
export interface Notifier {
  readonly project: ProjectId
  readonly secret: Redacted.Redacted<string> | undefined
  readonly topics: ReadonlyArray<string>
}

/** Projects that may share a topic. A notification is applied for each of them. */
const maxSharing = 20

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: TransportId,
      project: ProjectId,
      secret: Schema.NullOr(Schema.String),
      topics: Schema.Array(Schema.String)
    })
  )
)
const owners = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const decodeId = Schema.decodeUnknownOption(TransportId)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox

  /** Undefined if no transport has this id. */
  const notifier = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Notifier | undefined> {
    const id = decodeId(text)
    if (Option.isNone(id)) return undefined
    const [row] = yield* sql`
      select id, project_id as project, notification_secret as secret, sns_topic_arns as topics
      from transports where id = ${id.value}`.pipe(Effect.flatMap(rows), Effect.orDie)
    if (row === undefined) return undefined
    const { project, secret, topics } = row
    return {
      project,
      topics,
      secret: secret === null ? undefined : yield* Effect.orDie(open(box, row.id, "notifications", secret))
    }
  })

  /** The projects with a transport that names the topic. */
  const ownersOf = (topic: string) =>
    sql`
      select distinct project_id as project from transports where sns_topic_arns @> array[${topic}]::text[]
      order by project_id limit ${maxSharing}`.pipe(
      Effect.flatMap(owners),
      Effect.map((found) => found.map(({ project }) => project)),
      Effect.orDie
    )

  return { notifier, ownersOf }
})

/** The kind of a notification that acts on the mail of one project. Its ids are a space of their own. */
export const kindFor = (kind: string, project: ProjectId | undefined): string =>
  project === undefined ? kind : `${kind}/${project}`

/** The parts of a kind. Without a project, the notification acts on all mail. */
export const kindOf = (kind: string): { readonly base: string; readonly project: string | undefined } => {
  const [base = kind, project] = kind.split("/")
  return { base, project }
}
