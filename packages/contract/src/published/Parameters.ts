/** Parameters of paths and queries, described where callers look for it. */
import type { OpenApi } from "effect/http-api"

type Described = Readonly<Record<string, unknown>>

/** Numbers and booleans of a query reach the document as bare text: what their schemas say is lost on the way. */
const lost: { readonly [name: string]: { readonly description: string; readonly default?: number } } = {
  limit: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  pageSize: { description: "Items on a page: 1 to 100; a larger value counts as 100.", default: 20 },
  page: { description: "Number of the page, from 1; a page past the end is empty.", default: 1 },
  subscribed: { description: "Only subscribed, or only unsubscribed contacts; absent: both." }
}

/** Where a name means something else in one operation. */
const lostIn: { readonly [operation: string]: typeof lost } = {
  "contacts.fieldValues": {
    limit: { description: "Values at most: 1 to 200; a larger value counts as 200.", default: 100 }
  }
}

/** Each integer of a query is a count of something, 1 or more (contract-2 1). */
const ofQuery = (operation: string, name: string, schema: Described): Described => ({
  ...(lostIn[operation]?.[name] ?? lost[name]),
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
