/** Descriptions of the parameters of paths and queries. */
import type { OpenApi } from "effect/http-api"

type Described = Readonly<Record<string, unknown>>

interface Meanings {
  readonly [name: string]: { readonly description: string; readonly default?: number }
}

/** The generator writes numbers and booleans of a query as plain text and loses the descriptions of their schemas. */
const common = {
  limit: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  pageSize: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  page: { description: "Number of the page, from 1; a page past the end is empty.", default: 1 },
  subscribed: { description: "Only subscribed, or only unsubscribed contacts; absent: both." },
  splice: { description: "When true, the step before it is connected to the step after it; default false." },
  includeMachine: { description: "`false` leaves out mails that no person opened or clicked." },
  contactId: { description: "Only items about this contact." },
  version: { description: "Only items of this version." },
  timezone: { description: "IANA name of the time zone of days. Default: that of the project." }
} satisfies Meanings

const itemsUpTo = (most: number, byDefault: number) => ({
  description: `Items at most: 1 to ${most}; a larger value counts as ${most}.`,
  default: byDefault
})

/** Meanings that apply to one operation only. */
const ofOperation: { readonly [operation: string]: Meanings } = {
  "activity.list": { limit: { ...common.limit, default: 50 } },
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
  "domains.dmarc": { limit: itemsUpTo(100, 100) },
  "domains.health": {
    refresh: { description: "`true` asks DNS now, unless it was asked less than a minute ago; default false." }
  },
  "contacts.fieldValues": {
    limit: { description: "Values at most: 1 to 200; a larger value counts as 200.", default: 100 }
  },
  "events.ofContact": { limit: { ...common.limit, default: 50 } },
  "workflows.report": {
    version: { description: "Only executions that started with this version or were migrated to it. Default: all." }
  }
}

/** Each integer in a query is at least 1. */
const ofQuery = (operation: string, name: string, schema: Described): Described => ({
  ...{ ...common, ...ofOperation[operation] }[name],
  ...schema,
  ...(schema["type"] === "integer" && { minimum: 1 })
})

/** A malformed id in a path gets the same response as an unknown one. */
const ofPath = (schema: Described): Described =>
  schema["format"] === "uuid" ? { description: "Id of the resource; a malformed one is 404 too.", ...schema } : schema

/** Headers have lower-case names in the contract. */
const headerNames: { readonly [name: string]: string } = { "last-event-id": "Last-Event-ID" }

/** Describes the parameters of the operation with this id. */
export const parameterOf =
  (operation: string) =>
  ({ name, in: place, required, schema }: OpenApi.OpenAPISpecParameter): object => {
    const { description, ...rest } = place === "path" ? ofPath({ ...schema }) : ofQuery(operation, name, { ...schema })
    return {
      name: headerNames[name] ?? name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: rest
    }
  }
