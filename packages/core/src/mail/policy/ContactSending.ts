/** SendingStates, from the settings of the project. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import type { SendingStates } from "../../audience/contacts/SendingStates.ts"
import { capUsage } from "./FrequencyCaps.ts"
import { quietUntilInZone } from "./QuietHours.ts"
import { SendingPolicy } from "./SendingPolicy.ts"

export const make: Effect.Effect<SendingStates, never, Contacts | Projects | SendingPolicy> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const policy = yield* SendingPolicy
  const projects = yield* Projects

  const of = Effect.fn("SendingStates.of")(function* (project: ProjectId, id: ContactId) {
    const { timezone } = yield* contacts.get(project, id)
    const ofProject = yield* Effect.orDie(projects.get(project))
    const { quietHours, frequencyCaps, capsCountSince } = yield* policy.get(project)
    const entries = frequencyCaps.length === 0 ? [] : yield* policy.counted(project, id)
    const now = (yield* DateTime.now).epochMilliseconds
    const until = quietHours === null ? undefined : quietUntilInZone(quietHours, now, timezone, ofProject.timezone)
    return {
      timezone: timezone ?? ofProject.timezone,
      quietHours:
        quietHours === null
          ? null
          : { inside: until !== undefined, until: until === undefined ? null : DateTime.makeUnsafe(until) },
      caps: frequencyCaps.map((cap) => {
        const { used, freeAt } = capUsage(cap, entries, capsCountSince?.epochMilliseconds ?? 0, now)
        return { id: cap.id, used, limit: cap.limit, freeAt: freeAt === null ? null : DateTime.makeUnsafe(freeAt) }
      })
    }
  })

  return { of } satisfies SendingStates
})
