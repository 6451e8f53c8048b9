/**
 * Finds the entries of the activity feed that were not seen before.
 *
 * An entry becomes visible when its transaction commits, so it can appear after younger ones. So each reading covers the
 * last 30 seconds again, and the entries that were seen there are remembered.
 */
import type { ActivityEntry } from "@posthorn/contract/insight/activity/Activity"
import { ActivityType } from "@posthorn/contract/insight/activity/Activity"
import { maxEntries } from "@posthorn/contract/insight/live/Live"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import type { ActivityFeed } from "../activity/ActivityFeed.ts"

/** How much later than its own time an entry may become visible. */
export const overlap = { seconds: 30 }

/** Entries of one reading. */
const readLimit = 200
/** Counting further would take time and help no caller. */
const maxCount = 10_000

interface SeenEntry {
  readonly token: string
  readonly at: DateTime.Utc
}

/** All entries from an instant on that were seen, newest first. Entries before the instant do not matter any more. */
export interface SeenEntries {
  readonly from: DateTime.Utc
  readonly entries: ReadonlyArray<SeenEntry>
}

export interface NewEntries {
  /** Newest first, at most 50. */
  readonly entries: ReadonlyArray<ActivityEntry>
  /** Further new entries that are left out. */
  readonly skipped: number
}

/** Length of a token. */
export const tokenLength = 12

/** The end of the id of an entry, where ids are random, and its type. */
const tokenOf = ({ id, type }: ActivityEntry): string => {
  const [own = ""] = id.split("_")
  return own.slice(-10) + ActivityType.literals.indexOf(type).toString(16).padStart(2, "0")
}

/** For entries that a reading found. */
export const isSeen = ({ from, entries }: SeenEntries) => {
  const known = new Set(entries.map(({ token }) => token))
  return (entry: ActivityEntry): boolean => DateTime.isLessThan(entry.timestamp, from) || known.has(tokenOf(entry))
}

/** The clock of another process may be ahead of ours. */
const ahead = { days: 1 }

/** Reads the feed from `seen.from` on, and returns what is not among the seen entries, with all that is now seen. */
export const readNew = Effect.fnUntraced(function* (feed: ActivityFeed, project: ProjectId, seen: SeenEntries) {
  const now = yield* DateTime.now
  const { from } = seen
  const until = DateTime.add(now, ahead)
  const found = yield* feed.list(project, { from, until }, readLimit)
  const known = new Set(seen.entries.map(({ token }) => token))
  const fresh = found.filter((entry) => !known.has(tokenOf(entry)))
  const oldest = found.length < readLimit ? undefined : found.at(-1)
  const entries = found.map((entry) => ({ token: tokenOf(entry), at: entry.timestamp }))
  // Of more entries than one reading has, those before its last one are not looked at again.
  const next: SeenEntries =
    oldest === undefined
      ? { from, entries }
      : {
          from: DateTime.add(oldest.timestamp, { milliseconds: 1 }),
          entries: entries.filter(({ at }) => DateTime.isGreaterThan(at, oldest.timestamp))
        }
  const newest = seen.entries[0]
  const total =
    fresh.length < readLimit
      ? fresh.length
      : yield* feed.count(
          project,
          { from: newest === undefined ? from : DateTime.add(newest.at, { milliseconds: 1 }), until },
          maxCount
        )
  const added: NewEntries = {
    entries: fresh.slice(0, maxEntries),
    skipped: Math.max(0, total - Math.min(fresh.length, maxEntries))
  }
  return { added, seen: next }
})

/** Forgets what is older than the overlap, as far as at most 50 entries remain. */
export const shortened = ({ from, entries }: SeenEntries): SeenEntries => {
  const last = entries[maxEntries]
  if (last === undefined) return { from, entries }
  const start = DateTime.add(last.at, { milliseconds: 1 })
  return { from: start, entries: entries.filter(({ at }) => !DateTime.isLessThan(at, start)) }
}
