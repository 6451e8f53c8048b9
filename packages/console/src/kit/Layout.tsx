/** The plain parts of pages: rows, cards, facts, empty places and problems. */
import type { PosthornError } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { retryFailed } from "../app/Queries.ts"
import { Button, CopyText } from "./Button.tsx"
import { classes } from "./classes.ts"
import styles from "./kit.module.css"
import { words } from "./words.ts"

interface Children {
  readonly children?: ReactNode
}

export const Stack = ({ children }: Children): ReactNode => <div className={styles.stack}>{children}</div>
/** Lines that belong together. */
export const Lines = ({ children }: Children): ReactNode => <div className={styles.lines}>{children}</div>
export const Row = ({ children }: Children): ReactNode => <div className={styles.row}>{children}</div>
export const Pair = ({ children }: Children): ReactNode => <div className={styles.pair}>{children}</div>

interface CardProps extends Children {
  readonly title?: string | undefined
  readonly actions?: ReactNode
}

export const Card = ({ title, actions, children }: CardProps): ReactNode => (
  <section className={styles.card} {...(title !== undefined && { "aria-label": title })}>
    {(title !== undefined || actions !== undefined) && (
      <div className={styles.cardHead}>
        {title !== undefined && <h2>{title}</h2>}
        {actions !== undefined && <div className={styles.row}>{actions}</div>}
      </div>
    )}
    {children}
  </section>
)

export type Fact = readonly [name: string, value: ReactNode]

/** Labelled facts of a record. A fact without a value is left out. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact | false | null | undefined> }): ReactNode => (
  <dl className={styles.facts}>
    {facts.map((fact) => {
      if (!fact || fact[1] === null || fact[1] === undefined || fact[1] === "") return null
      return [<dt key={`${fact[0]} name`}>{fact[0]}</dt>, <dd key={fact[0]}>{fact[1]}</dd>]
    })}
  </dl>
)

interface EmptyProps extends Children {
  /** What the page is for, in one sentence. */
  readonly about: string
  /** The one action that fills it. */
  readonly action?: ReactNode
}

export const Empty = ({ about, action, children }: EmptyProps): ReactNode => (
  <div className={styles.empty}>
    <p>{about}</p>
    {action}
    {children}
  </div>
)

/** An empty result of filters. */
export const NothingFits = ({ onClear }: { readonly onClear: () => void }): ReactNode => {
  const { nothingFits, clearFilters } = words()
  return <Empty about={nothingFits} action={<Button onPress={onClear}>{clearFilters}</Button>} />
}

interface ProblemProps extends Children {
  readonly error: PosthornError
  readonly onRetry?: (() => void) | undefined
  /** What people call a field, instead of its path. */
  readonly nameOf?: ((field: string) => string | undefined) | undefined
}

/** What went wrong, why, and what to do. A list of faults says itself what to do. */
export const Problem = ({ error, onRetry, nameOf, children }: ProblemProps): ReactNode => {
  const { tryAgain, requestId, gone } = words()
  return (
    <div className={styles.problem} role="alert">
      <strong>{error.message}</strong>
      {error.errors.length > 0 && (
        <ul>
          {error.errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {nameOf?.(field) === undefined ? <code>{field}</code> : <bdi>{nameOf(field)}</bdi>}: {message}
            </li>
          ))}
        </ul>
      )}
      {error.statusCode === 404 && <span>{gone}</span>}
      {error.suggestion !== undefined && error.errors.length === 0 && <span>{error.suggestion}</span>}
      {children}
      {error.requestId !== null && (
        <span>
          {requestId} <CopyText text={error.requestId} name={requestId} />
        </span>
      )}
      {onRetry !== undefined && (
        <Button
          onPress={() => {
            onRetry()
            retryFailed()
          }}
        >
          {tryAgain}
        </Button>
      )}
    </div>
  )
}

/** A remark on a page. */
export const Notice = ({ tone, children }: Children & { readonly tone?: "good" | "warning" }): ReactNode => (
  <div
    className={classes(styles.notice, tone === "warning" && styles.noticeWarning, tone === "good" && styles.noticeGood)}
  >
    {children}
  </div>
)

/** A grey bar of the size of what is being loaded. */
export const Bar = ({
  width = "100%",
  height = 20
}: {
  readonly width?: string | number
  readonly height?: string | number
}): ReactNode => <span className={styles.bar} style={{ width, height }} />

interface AnswerProps<A> {
  /** What is read. */
  readonly of: {
    readonly data: A | undefined
    readonly error: PosthornError | null
    readonly refetch: () => unknown
  }
  /** Of the bar that keeps its place, in pixels. */
  readonly height: number
  readonly children: (data: A) => ReactNode
}

/** A part of a page that is read by itself: a grey bar, then what was read or what went wrong. */
export const Answer = <A,>({ of: { data, error, refetch }, height, children }: AnswerProps<A>): ReactNode => {
  if (data !== undefined) return children(data)
  return error === null ? <Bar height={height} /> : <Problem error={error} onRetry={() => void refetch()} />
}
