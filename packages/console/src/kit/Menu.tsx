/** A button with a list of actions. */
import { MoreHorizontal } from "lucide-react"
import { lazy, type ReactNode, Suspense, useRef, useState } from "react"
import { Button } from "./Button.tsx"
import { words } from "./words.ts"

const load = () => import("./MenuList.tsx")
const MenuList = lazy(async () => ({ default: (await load()).MenuList }))

export interface Action {
  readonly id: string
  readonly name: string
  readonly help?: string | undefined
  readonly onAction: () => void
  /** Stands apart, last. */
  readonly isLast?: boolean | undefined
}

interface MenuProps {
  readonly actions: ReadonlyArray<Action>
  /** The name of the menu; "More actions" by default. */
  readonly label?: string | undefined
  /** What the button shows; three dots by default. */
  readonly children?: ReactNode
  readonly className?: string | undefined
  readonly onOpen?: (() => void) | undefined
}

export const Menu = ({ actions, label, children, className, onOpen }: MenuProps): ReactNode => {
  // Text on the button is its name.
  const name = label ?? (children === undefined ? words().more : undefined)
  const button = useRef<HTMLButtonElement>(null)
  const [isWanted, setWanted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [focus, setFocus] = useState<"first" | "last" | true>("first")
  if (actions.length === 0) return null
  const open = (at: typeof focus) => {
    setFocus(at)
    setOpen(true)
    setWanted(true)
    onOpen?.()
  }
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        isIcon={children === undefined}
        className={className}
        {...(name !== undefined && { "aria-label": name })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onHoverStart={() => void load()}
        onFocus={() => void load()}
        onPress={({ pointerType }) => open(pointerType === "keyboard" || pointerType === "virtual" ? "first" : true)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") open("first")
          else if (event.key === "ArrowUp") open("last")
          else event.continuePropagation()
        }}
      >
        {children ?? <MoreHorizontal size={16} aria-hidden />}
      </Button>
      {isWanted && (
        <Suspense>
          <MenuList
            actions={actions}
            label={label ?? words().more}
            button={button}
            isOpen={isOpen}
            focus={focus}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
