/**
 * A sign-up form as a file: what its owner has set. The file has no ids, counts and times, so that it can be pushed into
 * another project. Segments are named by their slugs.
 */
import type { Form } from "@posthorn/client"
import { CreateForm } from "@posthorn/contract/audience/forms/Form"
import { Schema } from "effect"
import * as Yaml from "yaml"

/** `segments` in place of `segmentIds`. */
const { segmentIds: _, ...fields } = CreateForm.fields
export const FormDefinition = Schema.Struct({ ...fields, segments: Schema.optionalKey(Schema.Array(Schema.String)) })
export type FormDefinition = typeof FormDefinition.Type

const isSaid = (value: unknown): boolean =>
  value !== null && !(typeof value === "object" && Object.values(value ?? {}).length === 0)

/** Without what has no value, also in texts and fields. */
const trimmed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(trimmed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, trimmed(inner)] as const)
      .filter(([, inner]) => isSaid(inner))
  )
}

/** The definition of a form. `slugOf` gives the slug of a segment. */
export const formDefinitionOf = (form: Form, slugOf: (segment: string) => string): Record<string, unknown> => {
  const { key, name, enabled, fields, subscribe, topics, segmentIds, doubleOptIn, texts, translations } = form
  const { consentRequired, redirectUrl, confirmedRedirectUrl, allowedOrigins, requireTicket } = form
  return trimmed({
    key,
    name,
    enabled,
    fields,
    subscribe,
    topics,
    doubleOptIn,
    texts,
    translations,
    consentRequired,
    redirectUrl,
    confirmedRedirectUrl,
    allowedOrigins,
    requireTicket,
    segments: segmentIds.map(slugOf)
  }) as Record<string, unknown>
}

export const formText = (definition: unknown, format: "json" | "yaml"): string =>
  format === "json"
    ? `${JSON.stringify(definition, null, 2)}\n`
    : Yaml.stringify(definition, { aliasDuplicateObjects: false })

/** JSON is YAML. Other text fails with the parser's error. */
export const parseForm = (text: string): unknown => Yaml.parse(text, { maxAliasCount: 0 })
