/** Two texts as one: the lines that went and the lines that came, with a few equal ones around them. */
import { diffLines } from "diff"
import { type ReactNode, useMemo } from "react"
import styles from "./editor.module.css"
import { editorWords } from "./words.ts"

/** Equal lines that are shown before and after a difference. */
const around = 3

/** Milliseconds after which two texts are shown whole, one after the other. */
const timeout = 500

interface Part {
  readonly kind: "same" | "gone" | "new"
  readonly lines: ReadonlyArray<string>
}

const linesOf = (text: string) => text.replace(/\n$/, "").split("\n")

export const partsOf = (before: string, after: string): ReadonlyArray<Part> => {
  // The last line is equal whether a line break ends it or not.
  const whole = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)
  const found = diffLines(whole(before), whole(after), { timeout })
  if (found === undefined) {
    return [
      { kind: "gone", lines: linesOf(before) },
      { kind: "new", lines: linesOf(after) }
    ]
  }
  return found.map(({ added, removed, value }) => ({
    kind: added ? "new" : removed ? "gone" : "same",
    lines: linesOf(value)
  }))
}

const marks = { same: "  ", gone: "− ", new: "+ " } as const

interface CompareProps {
  /** What the text before and the text after are. */
  readonly names: readonly [before: string, after: string]
  readonly before: string
  readonly after: string
}

export const Compare = ({ names, before, after }: CompareProps): ReactNode => {
  const words = editorWords().compare
  const parts = useMemo(() => partsOf(before, after), [before, after])
  if (parts.every(({ kind }) => kind === "same")) return <p>{words.equal}</p>
  return (
    <section aria-label={words.title(names[0], names[1])}>
      <p className={styles.legend}>
        <del>{names[0]}</del> <ins>{names[1]}</ins>
      </p>
      <pre className={styles.plain} tabIndex={0}>
        {parts.map(({ kind, lines }, index) => {
          const key = `${index} ${kind}`
          const print = (some: ReadonlyArray<string>) => some.map((line) => `${marks[kind]}${line}\n`).join("")
          if (kind === "gone") return <del key={key}>{print(lines)}</del>
          if (kind === "new") return <ins key={key}>{print(lines)}</ins>
          const head = index === 0 ? 0 : around
          const tail = index === parts.length - 1 ? 0 : around
          const hidden = lines.length - head - tail
          if (hidden <= 1) return <bdi key={key}>{print(lines)}</bdi>
          return (
            <bdi key={key}>
              {print(lines.slice(0, head))}
              <span className={styles.folded}>{`${words.hidden(hidden)}\n`}</span>
              {print(tail === 0 ? [] : lines.slice(-tail))}
            </bdi>
          )
        })}
      </pre>
    </section>
  )
}
