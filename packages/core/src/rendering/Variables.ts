/** The variables of a text and who wins when names collide (contract 7.4). */
import type { Schema } from "effect"
import { isOneShot, reservedKeys } from "../contacts/DataChange.ts"

export interface VariableSources {
  readonly contact: {
    /** Null when there is none, as in a test mail to a member of the project. */
    readonly id: string | null
    readonly email: string
    readonly subscribed: boolean
    /** Stored custom data, after this request's data was merged into it. */
    readonly data: Schema.JsonObject
  }
  /** Empty strings where a mail has no such links. */
  readonly urls: {
    readonly unsubscribeUrl: string
    readonly subscribeUrl: string
    readonly manageUrl: string
  }
  /** Values of this request alone, unwrapped: see `oneShots`. */
  readonly oneShots?: Schema.JsonObject | undefined
  readonly project: {
    readonly name: string
    /** What `locale` is for contacts without one. */
    readonly language: string
  }
  /** The context of a workflow execution. */
  readonly event?: Schema.JsonObject | undefined
}

/** Reserved built-ins over one-shots over the contact's data over the other built-ins. Without a prototype. */
export const variables = ({ contact, urls, oneShots, project, event }: VariableSources): Schema.JsonObject => {
  const data = merge(contact.data, oneShots)
  const others = { data, project: { name: project.name }, subscribed: contact.subscribed, locale: project.language }
  const { id, email } = contact
  return merge(others, event && { event }, data, { ...urls, id, svc_id: id, email, svc_email: email })
}

const merge = (...layers: ReadonlyArray<Schema.JsonObject | undefined>): Schema.JsonObject =>
  Object.assign(Object.create(null), ...layers)

/** The one-shots of a request's data, unwrapped (contract 6.1); a reserved name is dropped here too. */
export const oneShots = (data: Schema.JsonObject): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      isOneShot(value) && !reservedKeys.has(key) ? [[key, value.value] as const] : []
    )
  )
