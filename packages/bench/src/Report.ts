/** The results as Markdown. Pure. */

import type { Measured, MeasuredCase, MeasuredRow, Plan } from "./Measure.ts"
import type { Machine } from "./machine/Machine.ts"
import type { Sample } from "./Row.ts"
import { type Spread, spread } from "./Statistics.ts"

export interface Report {
  readonly startedAt: string
  readonly machine: Machine
  readonly plan: Plan
  readonly rows: ReadonlyArray<MeasuredRow>
}

/** Three significant digits, or all digits before the point. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "-"
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3)
}

export const withRange = ({ max, median, min }: Spread): string => `${figure(median)} (${figure(min)}-${figure(max)})`

/** The median of the runs, or a dash without values. */
const median = (runs: ReadonlyArray<Measured>, of: (sample: Sample) => number | undefined): string => {
  const values = runs.flatMap((sample) => of(sample) ?? [])
  return values.length === 0 ? "-" : figure(spread(values).median)
}

const latency = (runs: ReadonlyArray<Measured>): string =>
  (["p50", "p95", "p99"] as const).map((rank) => median(runs, (sample) => sample.latency?.[rank])).join(" / ")

/** The medians of the further figures, by name. */
const beside = (runs: ReadonlyArray<Measured>): string => {
  const names = [...new Set(runs.flatMap(({ more = {} }) => Object.keys(more)))]
  return names.map((name) => `${name}: ${median(runs, ({ more }) => more?.[name])}`).join("; ")
}

export const columns = [
  "Row",
  "Case",
  "Target",
  "Measured",
  "Median (min-max)",
  "Ratio to it (min-max)",
  "CPU ms each",
  "p50 / p95 / p99 ms",
  "RSS MB",
  "Peak MB",
  "Steal %",
  "Further figures"
]

export const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`

const figures = (runs: ReadonlyArray<Measured>) => [
  median(runs, ({ cpuMillisPerItem }) => cpuMillisPerItem),
  latency(runs),
  median(runs, ({ rssMegabytes }) => rssMegabytes),
  median(runs, ({ peakMegabytes }) => peakMegabytes),
  figure(spread(runs.flatMap(({ surroundings }) => surroundings?.stealPercent ?? [])).median),
  beside(runs)
]

const caseLines = (id: string, { baselines, name, posthorn, ratios, target, unit }: MeasuredCase) => {
  const value = (runs: ReadonlyArray<Measured>) => `${withRange(spread(runs.map(({ value }) => value)))} ${unit}`
  return [
    line([id, name, target, "Posthorn", value(posthorn), "", ...figures(posthorn)]),
    ...Object.entries(baselines).map(([who, runs]) => {
      const ratio = ratios[who]
      return line(["", "", "", who, value(runs), ratio === undefined ? "-" : withRange(ratio), ...figures(runs)])
    })
  ]
}

export const rowLines = ({ cases, failed, id, skipped, title }: MeasuredRow): ReadonlyArray<string> => {
  const blank = columns.slice(3).map(() => "")
  if (skipped !== undefined) return [line([id, `**SKIPPED**: ${skipped}`, "", ...blank])]
  if (failed !== undefined) return [line([id, `**FAILED**: ${failed}`, "", ...blank])]
  return cases.flatMap((one) => caseLines(id, { ...one, name: `${title}: ${one.name}` }))
}

const notes = ({ conditions, id, loadAverage }: MeasuredRow) =>
  `- ${id}: ${conditions.join("; ")}. Load average before: ${figure(loadAverage)}.`

export const machineLines = ({ cores, loadAverage, memoryGigabytes, node, postgres, processor, system }: Machine) => [
  `${cores} cores (${processor}), ${memoryGigabytes} GB, ${system}, Node ${node}.`,
  `Load average before: ${loadAverage.map(figure).join(", ")}.`,
  postgres === undefined
    ? "No PostgreSQL server."
    : `PostgreSQL: ${Object.entries(postgres)
        .map(([name, value]) => `${name} ${value}`)
        .join(", ")}.`
]

export const markdown = ({ machine, plan, rows, startedAt }: Report): string =>
  [
    `# Measurements of ${startedAt}`,
    "",
    ...machineLines(machine),
    `${plan.rounds} rounds, Posthorn and baselines in turn, after a warm-up; runs of ${plan.effort.seconds} s or ${plan.effort.mails} mails.`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.flatMap(rowLines),
    "",
    ...rows.map(notes)
  ].join("\n")
