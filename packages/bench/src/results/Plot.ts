/** Line plots as an SVG that any browser shows. Pure. */

/** The horizontal axis: 0 is at the left edge, the greatest value at the right edge. */
export interface Axis {
  readonly at: ReadonlyArray<number>
  readonly ticks: ReadonlyArray<{ readonly at: number; readonly label: string }>
}

export interface Panel {
  readonly title: string
  readonly axis: Axis
  /** By name; each has as many values as the axis. */
  readonly lines: Readonly<Record<string, ReadonlyArray<number>>>
}

const width = 880
const height = 240
const margin = { left: 70, right: 230, top: 34, bottom: 30 }
const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
const colours = ["#0b62a4", "#d1661c", "#2e7d32", "#7b1fa2", "#b71c1c"]

/** The smallest of 1, 2 and 5 times a power of ten that is at least a quarter of the maximum. */
const step = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1e-9) / 4))
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each * 4 >= most) ?? 10 * power
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const text = (x: number, y: number, content: string, more = "") =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`

/** Round times from 0. */
export const timeAxis = (times: ReadonlyArray<number>, unit: string): Axis => {
  const end = Math.max(...times, 1e-9)
  const beat = step(end)
  const beats = Array.from({ length: Math.floor(end / beat + 1e-9) + 1 }, (_, n) => n * beat)
  return { at: times, ticks: beats.map((at) => ({ at, label: `${at} ${unit}` })) }
}

/** Logarithmic. */
export const sizeAxis = (sizes: ReadonlyArray<number>): Axis => {
  const at = sizes.map((size) => Math.log10(size / Math.min(...sizes)))
  return { at, ticks: sizes.map((size, n) => ({ at: at[n] ?? 0, label: size.toLocaleString("en-US") })) }
}

const panelOf = ({ axis, lines, title }: Panel, offset: number): string => {
  const end = Math.max(...axis.at, 1e-9)
  const by = step(Math.max(...Object.values(lines).flat(), 0))
  const top = Math.max(by, Math.ceil(Math.max(...Object.values(lines).flat(), 0) / by) * by)
  const x = (at: number) => margin.left + (at / end) * inner.width
  const y = (value: number) => offset + margin.top + inner.height - (value / top) * inner.height
  const ticks = Array.from({ length: Math.round(top / by) + 1 }, (_, n) => n * by)
  return [
    text(margin.left, offset + 20, title, 'font-weight="bold"'),
    ...ticks.flatMap((value) => [
      `<line x1="${margin.left}" x2="${margin.left + inner.width}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>`,
      text(margin.left - 6, y(value) + 4, value.toLocaleString("en-US"), 'text-anchor="end"')
    ]),
    ...axis.ticks.map(({ at, label }) => text(x(at), offset + height - 10, label, 'text-anchor="middle"')),
    ...Object.entries(lines).flatMap(([name, values], at) => {
      const colour = colours[at % colours.length] ?? "black"
      const points = values.map((value, n) => `${x(axis.at[n] ?? 0).toFixed(1)},${y(value).toFixed(1)}`).join(" ")
      return [
        `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        text(margin.left + inner.width + 10, offset + margin.top + 14 * (at + 1), name, `fill="${colour}"`)
      ]
    })
  ].join("\n")
}

/** One panel below the other. */
export const svg = (panels: ReadonlyArray<Panel>): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height * panels.length}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="white"/>',
    ...panels.map((panel, at) => panelOf(panel, at * height)),
    "</svg>",
    ""
  ].join("\n")
