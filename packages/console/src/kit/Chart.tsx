/**
 * Charts drawn as SVG. The title is the question, every series has its own colour, dash and marker, arrow keys walk the
 * points and a live region reads them, and a button shows the values as a table.
 */
import { nice, ticks } from "d3-array"
import { curveMonotoneX, line } from "d3-shape"
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import styles from "./Chart.module.css"
import { numberText } from "./Text.tsx"
import { words } from "./words.ts"

export interface Series {
  readonly name: string
  /** One for each label; fewer, if the series ends before the last label. */
  readonly values: ReadonlyArray<number>
}

interface TimeChartProps {
  /** The question that the chart answers. */
  readonly title: string
  /** A label for each point, earliest first. */
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
}

const textAt = (values: Series["values"], index: number) => {
  const value = values[index]
  return value === undefined ? "" : numberText(value)
}

const colour = (index: number) => `var(--series-${(index % 6) + 1})`
const dashes = ["", "6 3", "2 3", "8 3 2 3", "1 4", "10 4"]
const dash = (index: number) => dashes[index % dashes.length] ?? ""

const height = 240
const [left, right, top, bottom] = [44, 12, 8, 24]

const Marker = ({ index, x, y }: { readonly index: number; readonly x: number; readonly y: number }) => {
  const fill = colour(index)
  if (index % 3 === 0) return <circle cx={x} cy={y} r={3} fill={fill} />
  if (index % 3 === 1) return <rect x={x - 3} y={y - 3} width={6} height={6} fill={fill} />
  return <path d={`M${x} ${y - 4}l4 7h-8z`} fill={fill} />
}

const useWidth = () => {
  const ref = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(240, entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

const Values = ({ labels, series }: Pick<TimeChartProps, "labels" | "series">) => (
  <section className={styles.scroll} tabIndex={0} aria-label={series.map(({ name }) => name).join(", ")}>
    <table className={styles.values}>
      <thead>
        <tr>
          <th scope="col" />
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, index) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{textAt(values, index)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

export const TimeChart = ({ title, labels, series }: TimeChartProps): ReactNode => {
  const { showTable, showChart } = words()
  const [isTable, setTable] = useState(false)
  const [at, setAt] = useState<number | null>(null)
  const [ref, width] = useWidth()
  const most = Math.max(1, ...series.flatMap(({ values }) => values))
  const [, end] = nice(0, most, 4)
  const y = (value: number) => height - bottom - (value / end) * (height - bottom - top)
  const step = (width - left - right) / Math.max(1, labels.length - 1)
  const place = (index: number) => (labels.length === 1 ? (left + width - right) / 2 : left + index * step)
  const widest = Math.max(90, ...labels.map((label) => label.length * 7 + 16))
  const shown = Math.max(1, Math.ceil(labels.length / Math.max(1, Math.floor((width - left) / widest))))
  const path = line<number>((_, index) => place(index), y).curve(curveMonotoneX)
  const reading =
    at === null
      ? ""
      : `${labels[at]}: ${series.flatMap(({ name, values }) => (at < values.length ? `${name} ${textAt(values, at)}` : [])).join(", ")}`

  const walk = (event: KeyboardEvent) => {
    const last = labels.length - 1
    const moves: { readonly [key: string]: number } = {
      ArrowRight: Math.min(last, (at ?? -1) + 1),
      ArrowLeft: Math.max(0, (at ?? last + 1) - 1),
      Home: 0,
      End: last
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
  }
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const from = event.clientX - event.currentTarget.getBoundingClientRect().left
    setAt(Math.min(labels.length - 1, Math.max(0, Math.round((from - left) / step))))
  }

  return (
    <figure className={styles.figure} ref={ref}>
      <div className={styles.head}>
        <figcaption>{title}</figcaption>
        {series.map(({ name }, index) => (
          <span key={name} className={styles.key}>
            <svg width={24} height={10} aria-hidden>
              <path d="M0 5h24" stroke={colour(index)} strokeWidth={2} strokeDasharray={dash(index)} />
              <Marker index={index} x={12} y={5} />
            </svg>
            {name}
          </span>
        ))}
        <Button kind="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? showChart : showTable}
        </Button>
      </div>
      {isTable ? (
        <Values labels={labels} series={series} />
      ) : (
        <svg
          className={styles.plot}
          role="img"
          aria-label={title}
          tabIndex={0}
          viewBox={`0 0 ${width} ${height}`}
          onKeyDown={walk}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
          onBlur={() => setAt(null)}
        >
          {ticks(0, end, 4)
            .filter(Number.isInteger)
            .map((tick) => (
              <g key={tick}>
                <line className={styles.grid} x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text className={styles.axis} x={left - 8} y={y(tick) + 4} textAnchor="end">
                  {numberText(tick)}
                </text>
              </g>
            ))}
          {labels.map(
            (label, index) =>
              index % shown === 0 && (
                <text
                  key={label}
                  className={styles.axis}
                  x={place(index)}
                  y={height - 6}
                  textAnchor={
                    place(index) < widest / 2 ? "start" : place(index) + widest / 2 > width ? "end" : "middle"
                  }
                >
                  {label}
                </text>
              )
          )}
          {series.map(({ name, values }, index) => (
            <path
              key={name}
              d={path([...values]) ?? ""}
              fill="none"
              stroke={colour(index)}
              strokeWidth={2}
              strokeDasharray={dash(index)}
            />
          ))}
          {/* A line of one point is not seen. */}
          {series.map(
            ({ name, values }, index) =>
              values.length === 1 && <Marker key={name} index={index} x={place(0)} y={y(values[0] ?? 0)} />
          )}
          {at !== null && (
            <>
              <line className={styles.cursor} x1={place(at)} x2={place(at)} y1={top} y2={height - bottom} />
              {series.map(
                ({ name, values }, index) =>
                  at < values.length && <Marker key={name} index={index} x={place(at)} y={y(values[at] ?? 0)} />
              )}
            </>
          )}
        </svg>
      )}
      <p className={styles.reading} role="status">
        {reading}
      </p>
    </figure>
  )
}
