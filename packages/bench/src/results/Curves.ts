/** Plots figures by size: one panel for each row, the service with its baselines. Pure. */
import type { MeasuredCase, MeasuredRow } from "../Measure.ts"
import { spread } from "../Statistics.ts"
import { type Panel, sizeAxis, svg } from "./Plot.ts"

const sizeOf = ({ curve }: MeasuredCase) => curve?.size ?? 0
const median = (runs: ReadonlyArray<{ readonly value: number }> = []) => spread(runs.map(({ value }) => value)).median

const panelOf = ({ cases, id, title }: MeasuredRow): ReadonlyArray<Panel> => {
  const lines = [...Map.groupBy(cases, ({ curve }) => curve?.line)].flatMap(([line, of]) =>
    line === undefined || of.length < 2
      ? []
      : [[line, of.toSorted((one, other) => sizeOf(one) - sizeOf(other))] as const]
  )
  const [first] = lines
  if (first === undefined) return []
  const [, [one]] = first
  return [
    {
      title: `${id} ${title}: median in ${one?.unit}`,
      axis: sizeAxis(first[1].map(sizeOf)),
      lines: Object.fromEntries(
        lines.flatMap(([line, of]) => [
          [line, of.map(({ posthorn }) => median(posthorn))],
          ...Object.keys(of[0]?.baselines ?? {}).map((who) => [
            `${who} (${line})`,
            of.map(({ baselines }) => median(baselines[who]))
          ])
        ])
      )
    }
  ]
}

/** Undefined if no row has a curve. */
export const curves = (rows: ReadonlyArray<MeasuredRow>): string | undefined => {
  const panels = rows.flatMap(panelOf)
  return panels.length === 0 ? undefined : svg(panels)
}
