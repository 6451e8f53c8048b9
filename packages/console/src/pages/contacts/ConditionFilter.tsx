/** Filters the list by a condition, with the builder of segments. */
import type { FilterTree } from "@posthorn/client/session"
import { type ReactNode, useState } from "react"
import { Button } from "../../kit/Button.tsx"
import { ConditionBuilder, useConditionGaps } from "../../kit/conditions/ConditionBuilder.tsx"
import { everyone } from "../../kit/conditions/everyone.ts"
import { LiveCount } from "../../kit/conditions/LiveCount.tsx"
import type { TreeFault } from "../../kit/conditions/Vocabulary.tsx"
import { Dialog, DialogButtons } from "../../kit/Dialog.tsx"
import { Notice, Stack } from "../../kit/Layout.tsx"
import { contactWords } from "./words.ts"

/** The longest condition that a link holds. */
const longest = 4_000

interface ConditionFilterProps {
  readonly value: FilterTree | undefined
  /** The condition as JSON; undefined: every contact. */
  readonly onChange: (text: string | undefined) => void
  readonly onClose: () => void
}

export const ConditionFilter = ({ value, onChange, onClose }: ConditionFilterProps): ReactNode => {
  const words = contactWords()
  const gapsOf = useConditionGaps()
  const [tree, setTree] = useState(value ?? everyone)
  const [gaps, setGaps] = useState<ReadonlyArray<TreeFault>>([])
  const [isTooLong, setTooLong] = useState(false)
  const apply = () => {
    const found = gapsOf(tree)
    setGaps(found)
    if (found.length > 0) return
    const text = JSON.stringify(tree)
    if (text.length > longest) return setTooLong(true)
    onClose()
    onChange(tree.groups.length === 0 ? undefined : text)
  }
  return (
    <Dialog title={words.condition} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Stack>
        <p>{words.conditionAbout}</p>
        <ConditionBuilder
          value={tree}
          faults={gaps}
          onChange={(next) => {
            setTree(next)
            setGaps([])
            setTooLong(false)
          }}
        />
        <LiveCount condition={tree} />
        {isTooLong && <Notice tone="warning">{words.conditionTooLong}</Notice>}
        <DialogButtons>
          <Button kind="primary" onPress={apply}>
            {words.apply}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
