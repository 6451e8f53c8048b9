/** What a request's data does to a contact's data (contract 6.1). Pure; the store applies it in SQL. */
import type { ContactData } from "@posthorn/contract/contacts/Contact"
import { Predicate, type Schema } from "effect"

/** Keys to remove, then keys to set. Applying it is `(data - remove) || set`. */
export interface DataChange {
  readonly remove: ReadonlyArray<string>
  readonly set: Schema.JsonObject
}

/** Top-level keys that are the service's own; dropped wherever a caller gives them. */
export const reservedKeys: ReadonlySet<string> = new Set([
  "id",
  "svc_id",
  "svc_email",
  "email",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl"
])

/** `{value, persistent: false}`: a variable of one request, never stored. */
export const isOneShot = (value: Schema.Json): value is { readonly value: Schema.Json; readonly persistent: false } =>
  Predicate.isObject(value) &&
  Object.hasOwn(value, "value") &&
  Object.hasOwn(value, "persistent") &&
  value["persistent"] === false

export const noChange: DataChange = { remove: [], set: {} }

/** `null` removes a key; `""`, one-shots and reserved keys do nothing; everything else replaces the stored value. */
export const dataChange = (given: ContactData): DataChange => {
  const entries = Object.entries(given).filter(
    ([key, value]) => !reservedKeys.has(key) && value !== "" && !isOneShot(value)
  )
  return {
    remove: entries.filter(([, value]) => value === null).map(([key]) => key),
    set: Object.fromEntries(entries.filter(([, value]) => value !== null))
  }
}

/** What the store makes of it. */
export const applied = (data: Schema.JsonObject, { remove, set }: DataChange): Schema.JsonObject => ({
  ...Object.fromEntries(Object.entries(data).filter(([key]) => !remove.includes(key))),
  ...set
})

/** What an event remembers of its data (contract 6.2): as sent, one-shots unwrapped, reserved keys removed. */
export const trackedData = (given: ContactData): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => !reservedKeys.has(key))
      .map(([key, value]) => [key, isOneShot(value) ? value.value : value])
  )
