/** Finds the unknown fields of a body. The known fields of a schema are collected once. */
import { Schema, SchemaAST } from "effect"
import { described } from "./Primitives.ts"

/** The fields of an object, or the items of a list. Neither for texts, numbers and the like. */
export interface Known {
  readonly fields?: ReadonlyMap<string, Known | Open>
  readonly items?: Known | Open
}

/** Accepts any fields: custom data, headers, the config of a step. */
export type Open = "open"

/** Annotation of a schema that parses its input by hand: the fields that it knows. */
export const knownFields = "knownFields"

const plain: Known = {}

const merged = (one: Known | Open, other: Known | Open): Known | Open => {
  if (one === "open" || other === "open") return "open"
  const fields = new Map(one.fields)
  for (const [name, known] of other.fields ?? []) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? known : merged(before, known))
  }
  const items =
    one.items === undefined || other.items === undefined ? (one.items ?? other.items) : merged(one.items, other.items)
  return { ...((one.fields ?? other.fields) && { fields }), ...(items && { items }) }
}

const annotated = (ast: SchemaAST.AST): Known | undefined => {
  const annotation = SchemaAST.resolve(ast)?.[knownFields]
  return typeof annotation === "object" && annotation !== null ? annotation : undefined
}

const read = (ast: SchemaAST.AST): Known | Open => {
  const own = annotated(ast)
  if (own !== undefined) return own
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 || ast.propertySignatures.length === 0
        ? "open"
        : { fields: new Map(ast.propertySignatures.map(({ name, type }) => [String(name), read(type)])) }
    case "Arrays":
      return { items: [...ast.elements, ...ast.rest].map(read).reduce(merged, plain) }
    case "Union":
      return ast.types.map(read).reduce(merged, plain)
    case "Declaration":
    case "Suspend":
    case "Unknown":
    case "Any":
    case "ObjectKeyword":
      return "open"
    default:
      return plain
  }
}

/** The known fields in the form that callers send. */
export const knownOf = (schema: Schema.Top): Known | Open => read(SchemaAST.toEncoded(schema.ast))

/** Other common names of a field. In lower case without `_` and `-`. */
const synonyms: Readonly<Record<string, ReadonlyArray<string>>> = {
  html: ["body"],
  text: ["body"],
  content: ["body"],
  message: ["body"],
  htmlbody: ["body"],
  bodyhtml: ["body"],
  textbody: ["body"],
  htmlcontent: ["body"],
  textcontent: ["body"],
  title: ["subject", "name"],
  subjectline: ["subject"],
  toemail: ["to"],
  sendto: ["to"],
  recipient: ["to", "email"],
  recipients: ["to", "emails"],
  fromemail: ["from"],
  sender: ["from"],
  sendername: ["fromName", "name"],
  replyto: ["reply", "replyTo"],
  replytoemail: ["reply", "replyTo"],
  variables: ["data"],
  vars: ["data"],
  params: ["data"],
  substitutions: ["data"],
  dynamictemplatedata: ["data"],
  attributes: ["data"],
  properties: ["data"],
  customfields: ["data"],
  metadata: ["data"],
  templateid: ["template", "templateId"],
  files: ["attachments"],
  mimetype: ["contentType"],
  contactemail: ["email"],
  emailaddress: ["email"],
  address: ["email"],
  mail: ["email"],
  eventname: ["event", "eventName"],
  issubscribed: ["subscribed"],
  optin: ["subscribed"],
  sendat: ["scheduledFor"],
  scheduledat: ["scheduledFor"],
  filter: ["condition", "audienceCondition"],
  filters: ["condition", "audienceCondition"],
  segment: ["segmentId"],
  tracked: ["tracking"]
}

const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, "")

/** Insertions, deletions, substitutions and swaps of neighbours that turn one name into the other. Names are short. */
const distance = (one: string, other: string): number => {
  let before: Array<number> = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

const longestName = 40

/** The field that was probably meant. Null when no name is similar. */
export const suggestionFor = (name: string, names: ReadonlyArray<string>): string | null => {
  if (name.length > longestName) return null
  const given = folded(name)
  const synonym = Object.hasOwn(synonyms, given) ? synonyms[given]?.find((word) => names.includes(word)) : undefined
  const sameLetters = synonym ?? names.find((known) => folded(known) === given)
  if (sameLetters !== undefined) return sameLetters
  const [nearest] = names
    .map((known) => ({ known, steps: distance(given, folded(known)) }))
    .filter(({ known, steps }) => steps <= Math.min(2, Math.floor(known.length / 3)))
    .sort((a, b) => a.steps - b.steps)
  return nearest?.known ?? null
}

/** A field of a body that the endpoint does not know. */
export const Warning = Schema.Struct({
  field: Schema.String.pipe(described("Dotted path in the body, array positions as numbers, cut to 200 characters.")),
  message: Schema.String.pipe(described("A sentence for humans.")),
  suggestion: Schema.NullOr(Schema.String).pipe(described("The field that was probably meant, else null."))
}).annotate({ identifier: "Warning", description: "A field of the body that is unknown and was ignored." })
export type Warning = typeof Warning.Type

/** Most fields in one response. */
export const maxWarnings = 20

const warningOf = (path: ReadonlyArray<string>, name: string, names: ReadonlyArray<string>): Warning => {
  const suggestion = suggestionFor(name, names)
  const shown = name.length > 100 ? `${name.slice(0, 100)}...` : name
  return {
    field: [...path, name].join(".").slice(0, 200).toWellFormed(),
    message: `\`${shown}\` is unknown${suggestion === null ? "." : `; did you mean \`${suggestion}\`?`}`.toWellFormed(),
    suggestion
  }
}

/** Reads each key once, and no deeper than the known fields. */
const walk = (value: unknown, known: Known | Open, path: ReadonlyArray<string>, found: Array<Warning>): void => {
  if (known === "open" || typeof value !== "object" || value === null) return
  if (Array.isArray(value)) {
    const { items } = known
    if (items === undefined || items === "open" || (items.fields ?? items.items) === undefined) return
    for (let at = 0; at < value.length && found.length < maxWarnings; at++) {
      walk(value[at], items, [...path, String(at)], found)
    }
    return
  }
  if (known.fields === undefined) return
  for (const [name, nested] of Object.entries(value)) {
    if (found.length >= maxWarnings) return
    const next = known.fields.get(name)
    if (next === undefined) found.push(warningOf(path, name, [...known.fields.keys()]))
    else if (typeof nested === "object") walk(nested, next, [...path, name], found)
  }
}

/** The first unknown fields of a body, at most 20. */
export const unknownIn = (body: unknown, known: Known | Open): ReadonlyArray<Warning> => {
  const found: Array<Warning> = []
  walk(body, known, [], found)
  return found
}
