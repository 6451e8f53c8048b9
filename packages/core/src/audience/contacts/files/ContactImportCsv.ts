/** Reads contacts from a CSV file. Pure. */
import { ExternalId } from "@posthorn/contract/audience/contacts/Contact"
import { forbiddenKeys } from "@posthorn/contract/audience/contacts/ContactData"
import type { GivenTopicState } from "@posthorn/contract/audience/topics/TopicStates"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { EmailAddress } from "@posthorn/contract/platform/Primitives"
import { Option, Result, Schema } from "effect"
import { reservedKeys } from "../DataChange.ts"
import { namedValues, notNamed } from "../NamedData.ts"
import { type CsvPlace, type CsvReader, type CsvRecord, csvReader } from "./CsvReader.ts"

/**
 * What a column is stored as, by its header: `email`, `externalId`, `subscribed`, `topic.<key>` or `data.<key>`. `null` skips
 * the column.
 */
export type ImportMapping = ReadonlyMap<string, string | null>

/** The topics that columns can name: their ids by their keys. `null`: it is archived. */
export type ImportTopics = ReadonlyMap<string, string | null>

/** A readable file, after its header line. */
export interface ImportSheet {
  readonly text: string
  readonly delimiter: string
  readonly columns: Columns
  /** Where its first row begins. */
  readonly rows: CsvPlace
  /** The line of the file that counts as line 1. */
  readonly headerLine: number
  /** The cells of that line, as given. */
  readonly header: ReadonlyArray<string>
}

/** The positions of known columns. */
interface Columns {
  readonly count: number
  /** Undefined only if there is an external id. */
  readonly email: number | undefined
  readonly externalId: number | undefined
  readonly subscribed: number | undefined
  /** The column of an export that says whether the contact is asked to confirm. */
  readonly subscription: number | undefined
  /** The columns of topics, by their headers, and the ids of the topics. */
  readonly topics: ReadonlyArray<readonly [position: number, name: string, topic: string]>
  /** For each other column, its key in the data. */
  readonly data: ReadonlyArray<readonly [position: number, key: string]>
}

/** A row with a valid contact. */
export interface ImportRow {
  /** Undefined only if there is an external id. */
  readonly email: string | undefined
  readonly externalId?: string | undefined
  readonly subscribed: boolean | undefined
  /** What the row says about topics, by their ids. */
  readonly topics?: Readonly<Record<string, GivenTopicState>> | undefined
  readonly data: { readonly [key: string]: string | number | boolean }
}

/** A row without a valid contact. */
export interface FaultyRow {
  /** As given, cut to `maxShownEmail` characters. */
  readonly email: string
  readonly error: string
}

export const maxShownEmail = 100
export const maxRows = 100_000
const maxColumns = 100

const delimiters = [",", ";", "\t"] as const

/** Columns of the export that callers cannot set. */
const readOnly: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt", "subscription", "snoozedUntil"])
const isReserved = (key: string) => reservedKeys.has(key) || forbiddenKeys.has(key)
const isSkipped = (name: string) => readOnly.has(name) || isReserved(name)

const isKey = (key: string) => /^\P{Cc}{1,100}$/u.test(key)

/** Whether a column can be stored in the data under this key. */
export const isDataKey = (key: string): boolean => isKey(key) && !isReserved(key)

/** `field` is the part of the form: the file, or a column in the mapping. */
type FileFault = Pick<Fault, "field" | "code" | "message">
const custom = (message: string, field = "file"): FileFault => ({ field, code: "custom", message })

const decodeUtf8 = Option.liftThrowable((bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))

/** The apostrophe that keeps spreadsheets from running a cell. It is removed, and the rest of the cell is text. */
const guarded = /^'(?=[=+\-@\t\r\n＝＋－＠])/

/** The text of a file, its delimiter and columns, or a fault of the whole file. */
export const openSheet = (
  bytes: Uint8Array,
  mapping: ImportMapping = new Map(),
  topics: ImportTopics = new Map()
): Result.Result<ImportSheet, FileFault> => {
  const isAddress = (name: string) => finding.has(targetOf(name, mapping, topics) ?? "")
  const text = Option.getOrUndefined(decodeUtf8(bytes))
  if (text === undefined) return Result.fail(custom("The file is not text in UTF-8."))
  if (text.includes("\0")) return Result.fail(custom("The file contains U+0000, so it is not a CSV file in UTF-8."))
  const candidates = delimiters.flatMap((delimiter) => {
    const reader = csvReader(text, delimiter)
    const header = reader.next()
    return header === undefined ? [] : [{ delimiter, reader, header, names: headersOf(reader, header) }]
  })
  // Chooses a delimiter that yields a column by which contacts are found. If several do, the one with the most columns wins. The default
  // is the comma.
  const [found] = candidates.toSorted(
    (a, b) => Number(b.names.some(isAddress)) - Number(a.names.some(isAddress)) || b.names.length - a.names.length
  )
  if (found === undefined) return Result.fail(custom("The file is empty: its first line names the columns."))
  const { delimiter, reader, header, names } = found
  if (header.fault !== undefined) return Result.fail(custom(`The header line cannot be read. ${header.fault}`))
  return Result.map(columnsOf(names, mapping, topics), (columns) => ({
    text,
    delimiter,
    columns,
    rows: header.next,
    headerLine: header.line,
    header: reader.cells(header)
  }))
}

/** What finds a contact. */
const finding: ReadonlySet<string> = new Set(["email", "externalId"])

const isEmail = (name: string): boolean => name.toLowerCase() === "email"

const headersOf = (reader: CsvReader, header: CsvRecord): ReadonlyArray<string> =>
  header.fault === undefined ? reader.cells(header).map((name) => name.trim().replace(guarded, "")) : []

/** What a column is stored as. `null`: it is skipped. */
const targetOf = (name: string, mapping: ImportMapping, topics: ImportTopics): string | null => {
  const mapped = mapping.get(name)
  if (mapped !== undefined) return mapped
  if (isEmail(name)) return "email"
  if (name === "subscribed" || name === "externalId") return name
  if (topicIn(name, topics) !== undefined) return name
  return isSkipped(name) ? null : `${inData}${name}`
}

const inData = "data."
const ofTopic = "topic."

const topicIn = (target: string, topics: ImportTopics) =>
  target.startsWith(ofTopic) ? topics.get(target.slice(ofTopic.length)) : undefined

const mappingField = (name: string) => `mapping.${shortText(name)}`

const columnsOf = (
  names: ReadonlyArray<string>,
  mapping: ImportMapping,
  topics: ImportTopics
): Result.Result<Columns, FileFault> => {
  if (names.length > maxColumns) {
    return Result.fail({ field: "file", code: "too_big", message: `The file has more than ${maxColumns} columns.` })
  }
  const present = new Set(names)
  const twice = names.find((name, position) => names.indexOf(name) < position)
  if (twice !== undefined) return Result.fail(custom(`Two columns have the name '${shortText(twice)}'.`))
  for (const name of mapping.keys()) {
    if (!present.has(name))
      return Result.fail(custom(`The file has no column '${shortText(name)}'.`, mappingField(name)))
  }
  const taken = new Map<string, string>()
  const data: Array<readonly [position: number, key: string]> = []
  const ofTopics: Array<readonly [position: number, name: string, topic: string]> = []
  for (const [position, name] of names.entries()) {
    const target = targetOf(name, mapping, topics)
    if (target === null) continue
    const other = taken.get(target)
    if (other !== undefined) {
      const mapped = [name, other].find((each) => mapping.has(each))
      return Result.fail(
        mapped === undefined
          ? custom(`Two columns have the name '${shortText(target)}'.`)
          : custom(`Two columns are stored as '${shortText(target)}'.`, mappingField(mapped))
      )
    }
    taken.set(target, name)
    const topic = topicIn(target, topics)
    if (typeof topic === "string") ofTopics.push([position, name, topic])
    else if (target.startsWith(ofTopic)) {
      const key = shortText(target.slice(ofTopic.length))
      const message = topic === null ? `The topic '${key}' is archived.` : `The project has no topic '${key}'.`
      return Result.fail(custom(message, mapping.has(name) ? mappingField(name) : "file"))
    }
    if (!target.startsWith(inData)) continue
    const key = target.slice(inData.length)
    if (!isKey(key)) {
      const message = `The name of column ${position + 1} ('${shortText(name)}') is not 1 to 100 characters without control characters.`
      return Result.fail(custom(message))
    }
    data.push([position, key])
  }
  const positionOf = (target: string) => {
    const name = taken.get(target)
    return name === undefined ? undefined : names.indexOf(name)
  }
  const email = positionOf("email")
  const externalId = positionOf("externalId")
  if (email === undefined && externalId === undefined) {
    return Result.fail(custom("The file has no column 'email'."))
  }
  const subscription = names.indexOf("subscription")
  return Result.succeed({
    count: names.length,
    email,
    externalId,
    subscribed: positionOf("subscribed"),
    subscription: subscription === -1 ? undefined : subscription,
    topics: ofTopics,
    data
  })
}

/** Text for a message, shortened to one line. */
export const shortText = (text: string): string =>
  [...text.slice(0, 200)]
    .slice(0, 50)
    .join("")
    .replace(/\p{Cc}/gu, " ")

/** The number of rows in the file. Undefined if it exceeds the limit. */
export const countRows = ({ text, delimiter, rows }: ImportSheet): number | undefined => {
  const { next } = csvReader(text, delimiter, rows)
  let count = 0
  while (count <= maxRows && next() !== undefined) count++
  return count > maxRows ? undefined : count
}

const decodeEmail = Schema.decodeUnknownResult(EmailAddress)
const decodeId = Schema.decodeUnknownResult(ExternalId)
const noAddress = "An address is required."
const badId = "An external id has 1 to 200 characters and no control characters."
const badAddress = "Not a valid email address."
const badSubscribed = "The column 'subscribed' takes true, 1, yes, false, 0 or no."

const states: { readonly [text: string]: boolean | undefined } = {
  true: true,
  "1": true,
  yes: true,
  false: false,
  "0": false,
  no: false
}

const topicStates: ReadonlyMap<string, GivenTopicState> = new Map([
  ...Object.entries(states).map(([text, isOn]) => [text, isOn ? "subscribed" : "unsubscribed"] as const),
  ["subscribed", "subscribed"],
  ["unsubscribed", "unsubscribed"],
  ["unset", "unset"]
])

const badTopic = (name: string) =>
  `The column '${shortText(name)}' takes true, 1, yes, subscribed, false, 0, no, unsubscribed or unset.`

/** A cell becomes a number only if the number prints the same way: `42` and `-1.5`, but not `01234`, `1e3` or `+49`. */
export const inferred = (cell: string): string | number | boolean => {
  if (cell === "true") return true
  if (cell === "false") return false
  const number = Number(cell)
  return Number.isFinite(number) && String(number) === cell ? number : cell
}

/** The value of a cell. An empty cell is ignored, so it never erases a value. */
const valueOf = (cell: string, inferTypes: boolean): string | number | boolean =>
  guarded.test(cell) ? cell.slice(1) : inferTypes ? inferred(cell) : cell

/** The contact of a row. Everything except the address is optional. */
export const rowOf = (
  { columns }: ImportSheet,
  cells: ReadonlyArray<string>,
  inferTypes: boolean
): Result.Result<ImportRow, FaultyRow> => {
  const cellOf = (position: number | undefined) =>
    position === undefined ? "" : (cells[position] ?? "").replace(guarded, "")
  const given = cellOf(columns.email)
  const id = cellOf(columns.externalId)
  const faulty = (error: string) =>
    Result.fail({ email: [...given.slice(0, 2 * maxShownEmail)].slice(0, maxShownEmail).join(""), error })
  if (cells.length > columns.count) return faulty(`The row has ${cells.length} cells, and ${columns.count} columns.`)
  const isEmpty = given.trim() === ""
  if (isEmpty && id === "") return faulty(noAddress)
  const email = isEmpty ? Result.succeed(undefined) : decodeEmail(given)
  if (Result.isFailure(email)) return faulty(badAddress)
  const externalId = id === "" ? Result.succeed(undefined) : decodeId(id)
  if (Result.isFailure(externalId)) return faulty(badId)
  const state = columns.subscribed === undefined ? "" : (cells[columns.subscribed] ?? "").trim().toLowerCase()
  if (state !== "" && !Object.hasOwn(states, state)) return faulty(badSubscribed)
  // An export of a contact that is asked to confirm says that it is not subscribed. That does not take the question back.
  const isPending = columns.subscription !== undefined && cells[columns.subscription]?.trim() === "pending"
  const topics: Record<string, GivenTopicState> = {}
  for (const [position, name, topic] of columns.topics) {
    const cell = (cells[position] ?? "").trim().toLowerCase()
    if (cell === "") continue
    const said = topicStates.get(cell)
    if (said === undefined) return faulty(badTopic(name))
    topics[topic] = said
  }
  const data: Record<string, string | number | boolean> = {}
  for (const [position, key] of columns.data) {
    const cell = cells[position]
    if (!cell) continue
    const canonical = namedValues.get(key)
    if (canonical === undefined) data[key] = valueOf(cell, inferTypes)
    else if (cell.trim() !== "") {
      const value = canonical(cell.trim())
      if (value === undefined) return faulty(notNamed(key))
      data[key] = value
    }
  }
  return Result.succeed({
    email: email.success,
    ...(id !== "" && { externalId: externalId.success }),
    subscribed: isPending && states[state] === false ? undefined : states[state],
    ...(columns.topics.length > 0 && { topics }),
    data
  })
}
