/** The result of a long run: a table for people, JSON for comparisons. */
import { writeFile } from "node:fs/promises"
import { Effect } from "effect"
import type { Name } from "./Names.ts"
import type { Verdict } from "./Verdict.ts"

/** With the further figures of the scenario. */
export interface Row extends Verdict {
  readonly scenario: Name
  /** Kills, stops or outages. */
  readonly faults: number
}

export interface Report {
  /** As on the command line, with the defaults and the seed. */
  readonly settings: object
  readonly rows: ReadonlyArray<Row>
}

const headings = ["scenario", "faults", "accepted", "lost", "extra copies", "at most", "ambiguous", "verdict"]

const cells = ({ scenario, faults, accepted, lost, extra, bound, ambiguous, violations }: Row) => [
  scenario,
  ...[faults, accepted, lost, extra, bound, ambiguous].map(String),
  violations.length === 0 ? "as promised" : "BROKEN"
]

/** In Markdown, aligned. */
export const table = (rows: ReadonlyArray<Row>): string => {
  const lines = [headings, ...rows.map(cells)]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const show = (line: ReadonlyArray<string>) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  const [head = "", ...body] = lines.map(show)
  return [head, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...body].join("\n")
}

export const write = (file: string, report: Report): Effect.Effect<void> =>
  Effect.promise(() => writeFile(file, `${JSON.stringify(report, null, 2)}\n`))
