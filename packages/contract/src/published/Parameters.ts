/** Parameters of paths and queries, described where callers look for it. */
import type { OpenApi } from "effect/http-api"

type Described = Readonly<Record<string, unknown>>

interface Meanings {
  readonly [name: string]: { readonly description: string; readonly default?: number }
}

/** Numbers and booleans of a query reach the document as bare text: what their schemas say is lost on the way. */
const everywhere = {
  limit: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  pageSize: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  page: { description: "Number of the page, from 1; a page past the end is empty.", default: 1 },
  subscribed: { description: "Only subscribed, or only unsubscribed contacts; absent: both." },
  splice: { description: "When true, what led to the step leads to the one behind it; false unless asked for." },
  includeMachine: { description: "`false` leaves out mails that no person opened or clicked." },
  contactId: { description: "Only what is about this contact." },
  timezone: { description: "IANA name of the time zone of days; that of the project without it." }
} satisfies Meanings

const itemsUpTo = (most: number, byDefault: number) => ({
  description: `Items at most: 1 to ${most}; a larger value counts as ${most}.`,
  default: byDefault
})

/** Where a name means something else in one operation. */
const lostIn: { readonly [operation: string]: Meanings } = {
  "activity.list": { limit: { ...everywhere.limit, default: 50 } },
  "activity.recentCount": {
    minutes: { description: "How far back: 1 to 60 minutes; a larger value counts as 60.", default: 5 }
  },
  "activity.upcoming": {
    limit: itemsUpTo(100, 50),
    daysAhead: { description: "How far ahead: 1 to 90 days; a larger value counts as 90.", default: 30 }
  },
  "analytics.campaignStats": { limit: itemsUpTo(100, 20) },
  "analytics.topCampaigns": { limit: itemsUpTo(50, 10) },
  "analytics.topEvents": { limit: itemsUpTo(20, 5) },
  "contacts.fieldValues": {
    limit: { description: "Values at most: 1 to 200; a larger value counts as 200.", default: 100 }
  },
  "events.ofContact": { limit: { ...everywhere.limit, default: 50 } }
}

/** Each integer of a query is a count of something, 1 or more (contract-2 1). */
const ofQuery = (operation: string, name: string, schema: Described): Described => ({
  ...{ ...everywhere, ...lostIn[operation] }[name],
  ...schema,
  ...(schema["type"] === "integer" && { minimum: 1 })
})

/** A malformed id in a path answers like an unknown one (contract 1.3). */
const ofPath = (schema: Described): Described =>
  schema["format"] === "uuid" ? { description: "Id of the resource; a malformed one is 404 too.", ...schema } : schema

/** Of the operation with this id. */
export const parameterOf =
  (operation: string) =>
  ({ name, in: place, required, schema }: OpenApi.OpenAPISpecParameter): object => {
    const { description, ...rest } = place === "path" ? ofPath({ ...schema }) : ofQuery(operation, name, { ...schema })
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest }
  }
