/** What was kept, as Markdown: all of it for RESULTS.md, the heart of it for the README. Pure. */
import type { Row as Scar } from "../chaos/Report.ts"
import type { Result as Fuzzed } from "../fuzz/Fuzz.ts"
import type { MeasuredRow } from "../Measure.ts"
import { columns, figure, line, machineLines, rowLines, withRange } from "../Report.ts"
import { spread } from "../Statistics.ts"
import type { Soaked } from "../soak/Soaked.ts"
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

/** How the named figures came about, together where they came about together. */
const origins = (rows: ReadonlyArray<readonly [name: string, origin: Origin]>): ReadonlyArray<string> => {
  const groups = Map.groupBy(rows, ([, { at, commit, command }]) => `\`${command}\`, ${day(at)}, commit ${commit}`)
  if (groups.size === 1) return [...groups.keys()].map((how) => `Made by ${how}.`)
  return [...groups].map(([how, group]) => `- ${group.map(([name]) => name).join(", ")}: ${how}.`)
}

const machines = (all: ReadonlyArray<Origin>): ReadonlyArray<string> => [
  ...new Set(
    all.map(({ machine }) =>
      machineLines(machine)
        .filter((told) => !told.startsWith("Load"))
        .join(" ")
    )
  )
]

const none = "Nothing was kept yet."

/** What happens in a scenario of `npm run chaos`, for those who do not know its name. */
const scars: { readonly [scenario: string]: string } = {
  race: "Workers race for the same mails",
  worker_kills: "`kill -9` of a worker under load",
  campaign_kills: "`kill -9` of a worker in the middle of a campaign",
  worker_restarts: "SIGTERM of a worker under load",
  takeovers: "`kill -9` of the only worker; the next takes over by itself",
  blocked_loop: "A worker's event loop stands still for longer than its lease",
  worker_freezes: "SIGSTOP of a worker beyond its lease, SIGCONT when others have its mail",
  api_kills: "`kill -9` of the API under load",
  database_outages: "PostgreSQL stopped at once, without a checkpoint, under load",
  peer_breaks: "The connection to the peer breaks at any stage of a mail"
}

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
      scars[scenario] ?? "",
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
        ...origins(rows.map(({ origin, scenario }) => [scenario, origin])),
        "",
        ...machines(rows.map(({ origin }) => origin))
      ]

/** The first case of a row, beside its first baseline. */
const speedLine = ({ cases: [first], id, title }: MeasuredRow): ReadonlyArray<string> => {
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
        ...origins(rows.map(({ id, origin }) => [id, origin])),
        "",
        ...machines(rows.map(({ origin }) => origin))
      ]

const fuzzLines = (rows: Figures["fuzz"]): ReadonlyArray<string> =>
  rows.length === 0
    ? [none]
    : rows.flatMap(({ findings, origin, requests, rss, statuses }) => {
        const failures = Object.entries(statuses).filter(([status]) => Number(status) >= 500 && status !== "503")
        return [
          `${whole(requests)} requests: ${failures.reduce((sum, [, count]) => sum + count, 0)} failures of the service (5xx), ${findings.length} answers that the document does not describe; a 503 is that of payments, which are not set up there. Memory of the server after each tenth: ${rss.map((megabytes) => figure(megabytes ?? Number.NaN)).join(", ")} MB.`,
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
          ...origins(bench.map(({ id, origin }) => [id, origin])),
          "",
          ...machines(bench.map(({ origin }) => origin))
        ]),
    "",
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
