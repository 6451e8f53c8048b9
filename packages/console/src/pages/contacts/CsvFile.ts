/** A file of rows: its columns, its first rows, and its parts of whole rows. */

/** The parser is loaded when a file is chosen. */
const parser = async () => (await import("papaparse")).default

const previewRows = 20
/** The service takes files of 5 MB and 100,000 rows; the header is in each part. */
const mostBytes = 4_900_000
const mostRows = 99_000
const slice = 1_048_576
const newline = 0x0a
const quote = 0x22

export interface CsvFile {
  readonly file: File
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** The columns and first rows; null if there is no row below the header. */
export const openCsv = async (file: File): Promise<CsvFile | null> => {
  const { parse } = await parser()
  const lines = await new Promise<ReadonlyArray<ReadonlyArray<string>>>((resolve, reject) =>
    parse<ReadonlyArray<string>, File>(file, {
      preview: previewRows + 1,
      skipEmptyLines: "greedy",
      complete: ({ data }) => resolve(data),
      error: reject
    })
  )
  const [header, ...rows] = lines
  if (header === undefined || rows.length === 0) return null
  return { file, columns: header.map((name) => name.trim()), rows }
}

export interface CsvPart {
  readonly blob: Blob
  /** Lines of the file between its header and this part. */
  readonly linesBefore: number
  /** Bytes of the file in this part. */
  readonly bytes: number
}

/** Where the rows end: a line break outside quotes. A quote in a quoted cell is written twice, so it changes nothing. */
async function* rowEnds(file: File): AsyncGenerator<{ readonly end: number; readonly lines: number }> {
  let isQuoted = false
  let lines = 0
  for (let start = 0; start < file.size; start += slice) {
    const bytes = new Uint8Array(await file.slice(start, start + slice).arrayBuffer())
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === quote) isQuoted = !isQuoted
      if (bytes[at] !== newline) continue
      lines++
      if (!isQuoted) yield { end: start + at + 1, lines }
    }
  }
}

/** The file itself if the service takes it whole, otherwise its parts, each below the header. */
export async function* partsOf(file: File): AsyncGenerator<CsvPart> {
  let header: { readonly end: number; readonly lines: number } | undefined
  let from = { end: 0, lines: 0 }
  let last = { end: 0, lines: 0 }
  let rows = 0
  const cut = (to: { readonly end: number; readonly lines: number }): CsvPart => ({
    blob: new Blob([file.slice(0, header?.end ?? 0), file.slice(from.end, to.end)], { type: "text/csv" }),
    linesBefore: from.lines - (header?.lines ?? 0),
    bytes: to.end - from.end
  })
  for await (const row of rowEnds(file)) {
    if (header === undefined) {
      header = row
      from = row
      last = row
      continue
    }
    rows++
    if (rows > mostRows || header.end + row.end - from.end > mostBytes) {
      if (last.end > from.end) yield cut(last)
      from = last
      rows = 1
    }
    last = row
  }
  const end = { end: file.size, lines: last.lines }
  if (header === undefined) yield { blob: file, linesBefore: 0, bytes: file.size }
  else if (end.end > from.end) yield cut(end)
}
