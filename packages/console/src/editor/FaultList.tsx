/** What prevents publishing. A fault with a line leads to it. */
import type { ReactNode } from "react"
import { Button } from "../kit/Button.tsx"
import { Notice } from "../kit/Layout.tsx"
import { Foreign } from "../kit/Text.tsx"
import type { Fault } from "./texts.ts"
import { editorWords } from "./words.ts"

interface FaultListProps {
  readonly faults: ReadonlyArray<Fault>
  /** Those in the text that is shown: they lead to their lines. */
  readonly ownFaults?: ReadonlyArray<Fault> | undefined
  /** Shows a line of the code. */
  readonly onLine?: ((line: number) => void) | undefined
}

export const FaultList = ({ faults, ownFaults, onLine }: FaultListProps): ReactNode => {
  const words = editorWords()
  if (faults.length === 0) return null
  return (
    <Notice tone="warning">
      <strong>{words.faults(faults.length)}</strong>
      <ul>
        {faults.map((fault) => {
          const { field, message, line } = fault
          const isOwn = ownFaults?.includes(fault) === true && onLine !== undefined
          return (
            <li key={`${field} ${line} ${message}`}>
              <code>{field}</code>
              {line !== undefined && !isOwn && ` ${words.line(line)}`}
              {line !== undefined && isOwn && (
                <Button kind="quiet" onPress={() => onLine(line)}>
                  {words.line(line)}
                </Button>
              )}
              : <Foreign>{message}</Foreign>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
