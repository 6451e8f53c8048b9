/** How many contacts a condition matches, and five of them, as it is being written. */
import type { FilterTree } from "@posthorn/client/session"
import { type ReactNode, useEffect, useState } from "react"
import { useRead } from "../../app/Queries.ts"
import kit from "../kit.module.css"
import { Bar, Card, Problem } from "../Layout.tsx"
import { Foreign, numberText } from "../Text.tsx"
import { useSettled } from "../useSettled.ts"
import { gapsIn } from "./check.ts"
import styles from "./conditions.module.css"
import { conditionWords } from "./words.ts"

/** Whether something has been going on for longer than two seconds. */
const useIsSlow = (isBusy: boolean): boolean => {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), 2_000)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isSlow
}

export const LiveCount = ({ condition }: { readonly condition: FilterTree }): ReactNode => {
  const words = conditionWords()
  const text = useSettled(JSON.stringify(condition), 400)
  const gaps = gapsIn(condition).length
  const settled: FilterTree = JSON.parse(text)
  const isComplete = gapsIn(settled).length === 0
  const found = useRead(
    ["contacts", "matching", text],
    (api, options) => api.contacts.query({ condition: settled, limit: 5 }, options).page(),
    { enabled: isComplete, keep: true, staleTime: 30_000 }
  )
  // The first page counts for two seconds only. What takes longer is counted on its own.
  const isUncounted = isComplete && !found.isPlaceholderData && found.data?.total === null
  const counted = useRead(
    ["contacts", "count", text],
    (api, options) => api.contacts.count({ condition: settled }, options),
    { enabled: isUncounted, staleTime: 30_000 }
  )
  const isBusy = isComplete && (found.isFetching || (isUncounted && counted.isPending))
  const isSlow = useIsSlow(isBusy)
  const error = isComplete ? (found.error ?? counted.error) : null
  const total = found.data?.total ?? counted.data?.count ?? null
  const countText = () => {
    if (gaps > 0) return words.incomplete(gaps)
    if (isBusy && (total === null || isSlow)) return isSlow ? words.stillCounting : words.counting
    return total === null ? words.notCounted : words.count(numberText(total), total === 1)
  }
  return (
    <Card title={words.matches}>
      {error !== null ? (
        <Problem error={error} onRetry={() => void found.refetch()} />
      ) : (
        <div className={styles.count} aria-busy={isBusy}>
          <strong role="status">{countText()}</strong>
          {gaps > 0 ? null : found.data === undefined ? (
            <Bar height={100} />
          ) : found.data.data.length === 0 ? (
            total === 0 && <p className={kit.help}>{words.nobody}</p>
          ) : (
            <>
              <span className={kit.help}>{words.examples}</span>
              <ul className={styles.examples}>
                {found.data.data.map(({ id, email }) => (
                  <li key={id}>
                    <Foreign>{email}</Foreign>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </Card>
  )
}
