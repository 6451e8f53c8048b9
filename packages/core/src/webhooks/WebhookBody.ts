/** Builds the body of a webhook request, once for all attempts. Pure. */
import type { Schema } from "effect"

/** The input of a body. */
export interface DeliverableEvent {
  readonly type: string
  readonly project: string
  /** The time of the event, ISO 8601. */
  readonly at: string
  readonly eventId: string
  readonly contactId: string | null
  readonly contactEmail: string | null
  readonly payload: Schema.JsonObject
}

/** In bytes. */
export const maxBodyBytes = 256 * 1024

const utf8 = new TextEncoder()
const fits = (text: string): boolean => text.length <= maxBodyBytes && utf8.encode(text).length <= maxBodyBytes

/** Never splits a surrogate pair. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")

const cut = (value: Schema.Json, length: number): Schema.Json => {
  if (typeof value === "string") return cutText(value, length)
  if (Array.isArray(value)) return value.map((item: Schema.Json) => cut(item, length))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, length)]))
}

/** If the body would be too long, shortens its longest texts to the length that just fits and sets `truncated`. */
export const webhookBody = ({
  type,
  project,
  at,
  eventId,
  contactId,
  contactEmail,
  payload
}: DeliverableEvent): string => {
  const common = { eventId, contactId, contactEmail }
  const whole = JSON.stringify({ type, timestamp: at, projectId: project, data: { ...common, ...payload } })
  if (fits(whole)) return whole
  const cutTo = (length: number) =>
    JSON.stringify({
      type,
      timestamp: at,
      projectId: project,
      truncated: true,
      // Values other than texts may still make the body too long.
      data:
        length < 0
          ? common
          : { ...common, ...Object.fromEntries(Object.entries(payload).map(([key, item]) => [key, cut(item, length)])) }
    })
  let [short, long] = [-1, maxBodyBytes]
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2)
    if (fits(cutTo(middle))) short = middle
    else long = middle
  }
  return cutTo(short)
}

/** The type of a stored event. */
export const typeOf = ({ source, name }: { readonly source: "tracked" | "system"; readonly name: string }): string =>
  source === "tracked" ? "event.tracked" : name

/** The payload of a stored event. A tracked event contains its name and its data. */
export const payloadOf = ({
  source,
  name,
  data
}: {
  readonly source: "tracked" | "system"
  readonly name: string
  readonly data: Schema.JsonObject | null
}): Schema.JsonObject => (source === "tracked" ? { name, data } : (data ?? {}))
