/**
 * Prints the result of a command on standard output. With `--json` it prints one object, or one line of JSON for each
 * item of a list. Otherwise it prints tables on a terminal and tab-separated lines in a pipe.
 */
import { styleText } from "node:util"
import { Console, Effect, Stdio, Stream } from "effect"
import { Json } from "../Json.ts"
import { alignedLines, type Block, type Cell, plainLine, plainLines } from "./Table.ts"

/** Uses colours only if standard output supports them and NO_COLOR is not set. */
const emphasis = (text: string): string => styleText("bold", text, { stream: process.stdout })

const isTerminal = Stdio.Stdio.use(({ stdoutIsTerminal }) => stdoutIsTerminal)

/** Prints a single result: `value` for programs, `blocks` for people. */
export const one = Effect.fnUntraced(function* (value: object, ...blocks: ReadonlyArray<Block>) {
  if (yield* Json) return yield* Console.log(JSON.stringify(value))
  const lines = (yield* isTerminal)
    ? blocks
        .filter(({ rows }) => rows.length > 0)
        .map((block) => alignedLines(block, { emphasis }).join("\n"))
        .join("\n\n")
    : blocks.flatMap(plainLines).join("\n")
  if (lines !== "") yield* Console.log(lines)
})

export interface Columns<A> {
  readonly head: ReadonlyArray<string>
  readonly row: (item: A) => ReadonlyArray<Cell>
  /** The message on standard error of a terminal if there are no items. */
  readonly none: string
}

/** Prints a list. It prints items as they arrive, except on a terminal, where the column widths depend on all items. */
export const list = Effect.fnUntraced(function* <A extends object, E, R>(
  items: Stream.Stream<A, E, R>,
  { head, row, none }: Columns<A>
) {
  if (yield* Json) return yield* Stream.runForEach(items, (item) => Console.log(JSON.stringify(item)))
  if (!(yield* isTerminal)) return yield* Stream.runForEach(items, (item) => Console.log(plainLine(row(item))))
  const rows = (yield* Stream.runCollect(items)).map(row)
  if (rows.length === 0) return yield* Console.error(none)
  yield* Console.log(alignedLines({ head, rows }, { emphasis, width: process.stdout.columns }).join("\n"))
})
