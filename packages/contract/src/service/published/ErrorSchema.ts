/** Adds every error code and its meaning to the schema of the error envelope. */
import { catalogue, type Row } from "../../platform/ErrorCatalogue.ts"
import { conflictSentence } from "../../platform/Errors.ts"

export interface ErrorSchema {
  readonly properties: {
    readonly error: { readonly properties: { readonly code: object; readonly details: object } }
  }
}

interface Entry {
  readonly code: string
  readonly status: number
  readonly when: string
  readonly suggestion: string
}

/** Whether this is the name of a row of the catalogue. */
export const isRow = (name: string): name is Row => Object.hasOwn(catalogue, name)

/** The entry of the catalogue with this name, if there is one. */
export const entryOf = (name: string): Entry | undefined =>
  isRow(name) ? { code: name, ...catalogue[name] } : undefined

const entries = Object.keys(catalogue).flatMap((row) => entryOf(row) ?? [])

const codes = `Machine-readable, from this closed list.

| Code | Status | When | What to do |
|---|---|---|---|
${entries.map(({ code, status, when, suggestion }) => `| \`${code}\` | ${status} | ${when} | ${suggestion} |`).join("\n")}`

const details = `Extra data; its fields depend on the code. The \`reason\` of a \`CONFLICT\`:

| Reason | Meaning |
|---|---|
${Object.entries(conflictSentence)
  .map(([reason, sentence]) => `| \`${reason}\` | ${sentence} |`)
  .join("\n")}`

export const withCodes = (schema: ErrorSchema): object => {
  const { error } = schema.properties
  const enumeration = [...new Set(entries.map(({ code }) => code))]
  const properties = {
    ...error.properties,
    code: { ...error.properties.code, enum: enumeration, description: codes },
    details: { ...error.properties.details, description: details }
  }
  return { ...schema, properties: { ...schema.properties, error: { ...error, properties } } }
}
