/** Converts the text results of a driver to the values that Effect's driver returns. */
import { parse } from "postgres-array"

/** A column of a result; `type` is the OID of its type. */
export interface Column {
  readonly name: string
  readonly type: number
}

type Read = (text: string) => unknown

/** For example `2026-11-20 15:04:05.123456+00`, in the ISO style. */
const instant: Read = (text) =>
  new Date(
    text
      .replace(" ", "T")
      .replace(/([+-]\d\d)$/, "$1:00")
      .replace(/(T[\d:.]+)$/, "$1Z")
  )

/** For example `\x0aff`. */
const bytes: Read = (text) => Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const scalars: ReadonlyMap<number, Read> = new Map<number, Read>([
  [16, (text) => text === "t"],
  [17, bytes],
  [20, BigInt],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, JSON.parse],
  [700, Number],
  [701, Number],
  [1114, instant],
  [1184, instant],
  [3802, JSON.parse]
])

/** Array types with the type of their items. All other array types are read as arrays of text. */
const lists: ReadonlyMap<number, number> = new Map([
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1115, 1114],
  [1185, 1184],
  [1231, 1700],
  [2951, 2950],
  [3807, 3802]
])

const same: Read = (text) => text

const reader = (type: number): Read => {
  const item = lists.get(type)
  if (item === undefined) return scalars.get(type) ?? same
  const read = scalars.get(item) ?? same
  return (text) => parse(text, read)
}

export const readRows = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string | null>>
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const readers = columns.map(({ type }) => reader(type))
  return rows.map((row) => row.map((text, column) => (text === null ? null : (readers[column] ?? same)(text))))
}
