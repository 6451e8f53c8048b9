/** The queues of the mail of a campaign. A claim reads no other queues. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClaimedEmail } from "../sending/DeliveryQueue.ts"

/** Campaigns and queues that a process remembers. Beyond it the memory is emptied. */
const maxListed = 10_000

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const listed = new Set<string>()

  /** Lists a queue for the campaign of a mail, before the mail is moved there. */
  const list = Effect.fnUntraced(function* ({ mailing, projectId }: ClaimedEmail, queue: number) {
    if (mailing === null || listed.has(`${mailing} ${queue}`)) return
    yield* sql`
      update mailings set queues = queues || ${queue}::smallint
      where project_id = ${projectId} and campaign_id = ${mailing}::uuid
        and not ${queue}::smallint = any(queues)`
    if (listed.size >= maxListed) listed.clear()
    listed.add(`${mailing} ${queue}`)
  }, Effect.orDie)

  return { list }
})
