/** Stored figures as Markdown: all of them for RESULTS.md, the most important ones for the README. Pure. */
import { scenes } from "../chaos/Names.ts"
import type { Row as FaultRow } from "../chaos/Report.ts"
import type { Result as Fuzzed } from "../fuzz/Fuzz.ts"
import type { MeasuredRow } from "../Measure.ts"
import type { Lived } from "../month/Lived.ts"
import { columns, figure, line, machineLines, rowLines } from "../Report.ts"
import { spread } from "../Statistics.ts"
import type { Soaked } from "../soak/Soaked.ts"
import { curves } from "./Curves.ts"
import type { Kept, Origin } from "./Kept.ts"

export interface Figures {
  readonly bench: ReadonlyArray<Kept<MeasuredRow>>
  readonly chaos: ReadonlyArray<Kept<FaultRow>>
  readonly fuzz: ReadonlyArray<Kept<Fuzzed>>
  readonly month: ReadonlyArray<Kept<Lived>>
  readonly soak: ReadonlyArray<Kept<Soaked>>
}

const head = (cells: ReadonlyArray<string>) => [line(cells), line(cells.map(() => "---"))]
const day = (at: string) => at.slice(0, 10)
const whole = (value: number) => value.toLocaleString("en-US")

type Named = readonly [name: string, origin: Origin]

/** The origins of the named figures, grouped by run. */
const origins = (rows: ReadonlyArray<Named>, where: (origin: Origin) => string = () => ""): ReadonlyArray<string> => {
  const how = (origin: Origin) => `\`${origin.command}\`, ${day(origin.at)}, commit ${origin.commit}${where(origin)}`
  const groups = Map.groupBy(rows, ([, origin]) => how(origin))
  if (groups.size === 1) return [...groups.keys()].map((how) => `Measured by ${how}.`)
  return [...groups].map(([how, group]) => `- ${group.map(([name]) => name).join(", ")}: ${how}.`)
}

const described = ({ machine }: Origin) =>
  machineLines(machine)
    .filter((sentence) => !sentence.startsWith("Load"))
    .join(" ")

const letter = (index: number) => String.fromCharCode("A".charCodeAt(0) + index)

/** The same, with the machines. */
const provenance = (rows: ReadonlyArray<Named>): ReadonlyArray<string> => {
  const machines = [...new Set(rows.map(([, origin]) => described(origin)))]
  if (machines.length === 1) return [...origins(rows), "", ...machines]
  return [
    "Machines differ in speed: compare a rate only with its baseline, which ran on the same machine in turn.",
    "",
    ...origins(rows, (origin) => `, machine ${letter(machines.indexOf(described(origin)))}`),
    "",
    ...machines.map((machine, index) => `- Machine ${letter(index)}: ${machine}`)
  ]
}

const none = "No figures are stored yet."

const faultColumns = [
  "Scenario",
  "What happens",
  "Times",
  "Mails accepted",
  "Lost",
  "Copies",
  "Promised at most",
  "Verdict",
  "Further figures"
]

const faultLines = (rows: ReadonlyArray<FaultRow>) =>
  rows.map(({ accepted, bound, extra, faults, figures = {}, lost, scenario, violations }) =>
    line([
      scenario,
      scenes[scenario],
      ...[faults, accepted, lost, extra, bound].map(whole),
      violations.length === 0 ? "as promised" : "**broken**",
      Object.entries(figures)
        .map(([name, value]) => `${name}: ${figure(value)}`)
        .join("; ")
    ])
  )

const faultTable = (rows: Figures["chaos"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : [
        ...head(faultColumns),
        ...faultLines(rows),
        "",
        ...provenance(rows.map(({ origin, scenario }) => [scenario, origin]))
      ]

const fuzzLines = (rows: Figures["fuzz"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : rows.flatMap(({ findings, origin, replies = {}, requests, rss, sessions = 0, statuses, submitted = 0 }) => {
        const failures = Object.entries(statuses).filter(([status]) => Number(status) >= 500 && status !== "503")
        return [
          `${whole(requests)} requests: ${failures.reduce((sum, [, count]) => sum + count, 0)} failures of the service (5xx), ${findings.length} answers that the document does not describe; a 503 comes from payments, which are not configured there, or from a project that is being reset. Memory of the server after each tenth: ${rss.map((megabytes) => figure(megabytes ?? Number.NaN)).join(", ")} MB.`,
          ...(sessions === 0
            ? []
            : [
                "",
                `${whole(sessions)} SMTP sessions: ${whole(submitted)} messages accepted, ${sum(Object.values(replies))} replies.`
              ]),
          "",
          ...head(["Status", "Answers"]),
          ...Object.entries(statuses).map(([status, count]) => line([status, whole(count)])),
          "",
          ...origins([["fuzz", origin]])
        ]
      })

const monthLines = (rows: Figures["month"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : rows.flatMap(({ figures, origin, plan, promises }) => [
        `${plan.days} days of a project with ${whole(plan.contacts)} contacts in ${plan.zones} time zones, in ${whole(figures.seconds)} seconds: ${whole(figures.mails)} mails with ${whole(figures.tries)} tries, ${whole(figures.executions)} executions, ${whole(figures.throttled)} replies that ask for less mail and ${whole(figures.refused)} that refuse it.`,
        "",
        ...head(["Promise", "Checked", "Violated"]),
        ...promises.map(({ checked, name, violated }) => line([name, whole(checked), whole(violated)])),
        "",
        ...origins([["month", origin]])
      ])

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

/** The whole of RESULTS.md. */
export const results = ({ bench, chaos, fuzz, month, soak }: Figures): string =>
  [
    "# Results",
    "",
    "Generated by `npm run results` from the JSON in `results/`. Each figure names the run that measured it; no figure is rounded up.",
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
    ...(curves(bench) === undefined ? [] : ["## Cost by size", "", "![Cost by size](results/curves.svg)", ""]),
    "## Faults",
    "",
    ...faultTable(chaos),
    "",
    "[FAULTS.md](FAULTS.md) lists the faults and their tests.",
    "",
    "## Invalid and hostile requests",
    "",
    ...fuzzLines(fuzz),
    "",
    "## A month of journeys and campaigns",
    "",
    ...monthLines(month),
    "",
    "## A long run",
    "",
    ...soakLines(soak),
    ""
  ].join("\n")

/** One line for the first case of a row. */
const speedLine = (bench: Figures["bench"], id: string): ReadonlyArray<string> => {
  const row = bench.find((one) => one.id === id)
  const first = row?.cases[0]
  if (row === undefined || first === undefined) return []
  const { name, posthorn, ratios, target, unit } = first
  const [beside] = Object.entries(ratios)
  const value = `${figure(spread(posthorn.map(({ value }) => value)).median)} ${unit}`
  const ratio = beside === undefined ? "" : `, ${figure(beside[1].median)} times ${beside[0]}`
  return [`- ${id}, ${row.title}, ${name}: **${value}**${ratio}. Aim: ${target}.`]
}

const sum = (values: ReadonlyArray<number>) => whole(values.reduce((total, value) => total + value, 0))

const chaosLine = (chaos: Figures["chaos"]): ReadonlyArray<string> => {
  if (chaos.length === 0) return []
  const total = (of: (row: FaultRow) => number) => sum(chaos.map(of))
  const mails = `${total(({ accepted }) => accepted)} mails accepted, **${total(({ lost }) => lost)} lost**`
  const copies = `${total(({ extra }) => extra)} copies, of at most ${total(({ bound }) => bound)} promised`
  const broken = chaos.filter(({ violations }) => violations.length > 0).length
  return [
    `- Fault scenarios: ${chaos.length}, caused ${total(({ faults }) => faults)} times: ${mails}, ${copies}, promises broken in ${broken} of them.`
  ]
}

const soakLine = (soak: Figures["soak"]): ReadonlyArray<string> =>
  soak.map(
    ({ accepted, copies, minutes, perSecond, rss }) =>
      `- A run of ${figure(minutes)} minutes at ${perSecond} mails a second: ${whole(accepted)} accepted and delivered, ${copies} copies, ${figure(rss.most)} MB of memory at most.`
  )

/** For the README: accepting, delivering, how long both take, faults, and a long run. */
const summary = ({ bench, chaos, soak }: Figures): ReadonlyArray<string> => [
  ...["F1", "F4", "F5"].flatMap((id) => speedLine(bench, id)),
  ...chaosLine(chaos),
  ...soakLine(soak)
]

const sections: { readonly [name: string]: (figures: Figures) => ReadonlyArray<string> } = { summary }

/** A text with the lines of its marked sections regenerated: `<!-- results: summary -->` to `<!-- /results -->`. */
export const inserted = (text: string, figures: Figures): string =>
  text.replaceAll(
    /(<!-- results: (\w+) -->\n)[\s\S]*?(<!-- \/results -->)/g,
    (_, start: string, name: string, end: string) =>
      `${start}\n${(sections[name]?.(figures) ?? []).join("\n")}\n\n${end}`
  )
