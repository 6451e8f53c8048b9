/** What was kept, as Markdown: all of it for RESULTS.md, the heart of it for the README. Pure. */
import { scenes } from "../chaos/Names.ts"
import type { Row as Scar } from "../chaos/Report.ts"
import type { Result as Fuzzed } from "../fuzz/Fuzz.ts"
import type { MeasuredCase, MeasuredRow } from "../Measure.ts"
import { columns, figure, line, machineLines, rowLines, withRange } from "../Report.ts"
import { spread } from "../Statistics.ts"
import type { Soaked } from "../soak/Soaked.ts"
import { curves } from "./Curves.ts"
import type { Kept, Origin } from "./Kept.ts"

export interface Figures {
  readonly bench: ReadonlyArray<Kept<MeasuredRow>>
  readonly chaos: ReadonlyArray<Kept<Scar>>
  readonly fuzz: ReadonlyArray<Kept<Fuzzed>>
  readonly soak: ReadonlyArray<Kept<Soaked>>
}

const head = (cells: ReadonlyArray<string>) => [line(cells), line(cells.map(() => "---"))]
const day = (at: string) => at.slice(0, 10)
const whole = (value: number) => value.toLocaleString("en-US")

type Named = readonly [name: string, origin: Origin]

/** How the named figures came about, together where they came about together. */
const origins = (rows: ReadonlyArray<Named>, where: (origin: Origin) => string = () => ""): ReadonlyArray<string> => {
  const how = (origin: Origin) => `\`${origin.command}\`, ${day(origin.at)}, commit ${origin.commit}${where(origin)}`
  const groups = Map.groupBy(rows, ([, origin]) => how(origin))
  if (groups.size === 1) return [...groups.keys()].map((how) => `Made by ${how}.`)
  return [...groups].map(([how, group]) => `- ${group.map(([name]) => name).join(", ")}: ${how}.`)
}

const described = ({ machine }: Origin) =>
  machineLines(machine)
    .filter((told) => !told.startsWith("Load"))
    .join(" ")

const letter = (index: number) => String.fromCharCode("A".charCodeAt(0) + index)

/** The same, and on which machines. */
const provenance = (rows: ReadonlyArray<Named>): ReadonlyArray<string> => {
  const machines = [...new Set(rows.map(([, origin]) => described(origin)))]
  if (machines.length === 1) return [...origins(rows), "", ...machines]
  return [
    "Machines differ in speed: a rate is to be read beside its baseline, which ran on the same one in turn.",
    "",
    ...origins(rows, (origin) => `, machine ${letter(machines.indexOf(described(origin)))}`),
    "",
    ...machines.map((machine, index) => `- Machine ${letter(index)}: ${machine}`)
  ]
}

const none = "Nothing was kept yet."

const scarColumns = [
  "Scenario",
  "What happens",
  "Times",
  "Mails accepted",
  "Lost",
  "Copies",
  "Promised at most",
  "Verdict"
]

const scarLines = (rows: ReadonlyArray<Scar>) =>
  rows.map(({ accepted, bound, extra, faults, lost, scenario, violations }) =>
    line([
      scenario,
      scenes[scenario],
      ...[faults, accepted, lost, extra, bound].map(whole),
      violations.length === 0 ? "as promised" : "**broken**"
    ])
  )

const scarTable = (rows: Figures["chaos"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : [
        ...head(scarColumns),
        ...scarLines(rows),
        "",
        ...provenance(rows.map(({ origin, scenario }) => [scenario, origin]))
      ]

/** The first case of a row, at the largest of its sizes. */
const headline = ({ cases }: MeasuredRow): MeasuredCase | undefined => {
  const line = cases[0]?.curve?.line
  if (line === undefined) return cases[0]
  const sizes = cases.filter(({ curve }) => curve?.line === line)
  return sizes.toSorted((one, other) => (other.curve?.size ?? 0) - (one.curve?.size ?? 0))[0]
}

/** The headline of a row, beside its first baseline. */
const speedLine = (row: MeasuredRow): ReadonlyArray<string> => {
  const { id, title } = row
  const first = headline(row)
  if (first === undefined) return []
  const { name, posthorn, ratios, target, unit } = first
  const [beside] = Object.entries(ratios)
  return [
    line([
      `${id} ${title}: ${name}`,
      `${withRange(spread(posthorn.map(({ value }) => value)))} ${unit}`,
      beside === undefined ? "-" : `${withRange(beside[1])} of ${beside[0]}`,
      target
    ])
  ]
}

const speedTable = (rows: Figures["bench"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : [
        ...head(["What", "Median (min-max)", "Ratio to the same work at least (min-max)", "Aim"]),
        ...rows.flatMap(speedLine),
        "",
        ...provenance(rows.map(({ id, origin }) => [id, origin]))
      ]

const fuzzLines = (rows: Figures["fuzz"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : rows.flatMap(({ findings, origin, requests, rss, statuses }) => {
        const failures = Object.entries(statuses).filter(([status]) => Number(status) >= 500 && status !== "503")
        return [
          `${whole(requests)} requests: ${failures.reduce((sum, [, count]) => sum + count, 0)} failures of the service (5xx), ${findings.length} answers that the document does not describe; a 503 is that of payments, which are not set up there, or of a project that is being emptied. Memory of the server after each tenth: ${rss.map((megabytes) => figure(megabytes ?? Number.NaN)).join(", ")} MB.`,
          "",
          ...head(["Status", "Answers"]),
          ...Object.entries(statuses).map(([status, count]) => line([status, whole(count)])),
          "",
          ...origins([["fuzz", origin]])
        ]
      })

const soakLines = (rows: Figures["soak"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : rows.flatMap(({ accepted, copies, minutes, origin, perSecond, rss }) => [
        `${figure(minutes)} minutes at ${perSecond} mails a second: ${whole(accepted)} accepted and delivered, ${copies} copies. Memory ${figure(rss.first)} MB after a tenth of the time, ${figure(rss.last)} MB at the end, ${figure(rss.most)} MB at most.`,
        "",
        "![Memory and rows over time](results/soak.svg)",
        "",
        ...origins([["soak", origin]])
      ])

/** RESULTS.md as a whole. */
export const results = ({ bench, chaos, fuzz, soak }: Figures): string =>
  [
    "# Results",
    "",
    "Made by `npm run results` from the JSON in `results/`. Each figure says what made it; nothing here is rounded up.",
    "",
    "## Speed",
    "",
    ...(bench.length === 0
      ? [none]
      : [
          ...head(columns),
          ...bench.flatMap(rowLines),
          "",
          ...bench.map(({ conditions, id }) => `- ${id}: ${conditions.join("; ")}.`),
          "",
          ...provenance(bench.map(({ id, origin }) => [id, origin]))
        ]),
    "",
    ...(curves(bench) === undefined ? [] : ["## What size costs", "", "![Cost by size](results/curves.svg)", ""]),
    "## Scars",
    "",
    ...scarTable(chaos),
    "",
    "[FAULTS.md](FAULTS.md) says which test holds which fault.",
    "",
    "## Requests that nobody should send",
    "",
    ...fuzzLines(fuzz),
    "",
    "## A long run",
    "",
    ...soakLines(soak),
    ""
  ].join("\n")

const sections: { readonly [name: string]: (figures: Figures) => ReadonlyArray<string> } = {
  speed: ({ bench }) => speedTable(bench),
  scars: ({ chaos }) => scarTable(chaos)
}

/** A text with its marked sections made anew: `<!-- results: speed -->` to `<!-- /results -->`. */
export const inserted = (text: string, figures: Figures): string =>
  text.replaceAll(
    /(<!-- results: (\w+) -->\n)[\s\S]*?(<!-- \/results -->)/g,
    (_, start: string, name: string, end: string) =>
      `${start}\n${(sections[name]?.(figures) ?? []).join("\n")}\n\n${end}`
  )
