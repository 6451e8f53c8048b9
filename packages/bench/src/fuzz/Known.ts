/**
 * Values from answers, by meaning, so that requests find existing resources: ids by their kind (`contacts`, `steps`),
 * texts by their field (`cursor`, `email`). Keeps the newest ones of each.
 */
import { Array, Effect, type Option } from "effect"
import { oneOf } from "./Hostile.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const most = 60
const texts = new Set(["cursor", "email", "eventName", "field"])

const plural = (noun: string) =>
  noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : noun.endsWith("s") ? noun : `${noun}s`

/** `contactId`, `contactIds` and `contact` belong to contacts; `id` belongs to the resource around it. */
const kindOfId = (field: string, context: string) => (field === "id" ? context : plural(field.replace(/Ids?$/, "")))

/** The kind of value that a parameter of this name takes. */
export const kindOf = (field: string, context = ""): string => (texts.has(field) ? field : kindOfId(field, context))

/** The kind of the last part of a path: `/workflows/{id}/steps/{stepId}` names steps. */
const contextOf = (path: string) =>
  path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{") && segment !== "@me") ?? ""

/** The kind of the parameter at this position of a path. */
export const kindOfParameter = (path: string, at: number): string => {
  const segments = path.split("/")
  return kindOf((segments[at] ?? "").slice(1, -1), segments[at - 1] ?? "")
}

export interface Known {
  /** Collects values from the body of an answer to this path. */
  readonly learn: (path: string, body: unknown) => void
  /** Any value of a kind. */
  readonly any: (kind: string) => Effect.Effect<Option.Option<string>>
  /** The same body with ids that exist. */
  readonly filled: (body: unknown) => Effect.Effect<unknown>
}

export const make = (first: { readonly [kind: string]: string }): Known => {
  const found = new Map<string, globalThis.Array<string>>(Object.entries(first).map(([kind, id]) => [kind, [id]]))

  const note = (kind: string, value: string) => {
    const values = found.get(kind) ?? []
    if (values.includes(value)) return
    values.push(value)
    // The first ones exist from the start, and no request deletes them.
    if (values.length > most) values.splice(1, 1)
    found.set(kind, values)
  }

  const look = (value: unknown, field: string, context: string): void => {
    if (typeof value === "string") {
      if (uuid.test(value)) note(kindOfId(field, context), value)
      else if (texts.has(field) && value !== "") note(field, value)
    } else if (globalThis.Array.isArray(value)) {
      for (const each of value) look(each, field, context)
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const isOpen = typeof inner === "object" && name !== "data"
        look(inner, name, isOpen ? plural(name) : context)
      }
    }
  }

  const any = (kind: string) => {
    const values = found.get(kind) ?? []
    return Array.isReadonlyArrayNonEmpty(values) ? Effect.asSome(oneOf(values)) : Effect.succeedNone
  }

  const filled = (value: unknown, field = ""): Effect.Effect<unknown> =>
    Effect.gen(function* () {
      if (typeof value === "string" && uuid.test(value)) {
        const known = yield* any(kindOfId(field, ""))
        return known._tag === "Some" ? known.value : value
      }
      if (globalThis.Array.isArray(value)) return yield* Effect.forEach(value, (each) => filled(each, field))
      if (typeof value !== "object" || value === null) return value
      const entries = yield* Effect.forEach(Object.entries(value), ([name, inner]) =>
        Effect.map(filled(inner, name), (next) => [name, next] as const)
      )
      return Object.fromEntries(entries)
    })

  return { learn: (path, body) => look(body, "", contextOf(path)), any, filled: (body) => filled(body) }
}
