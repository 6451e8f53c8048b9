/** The list of a menu. It is loaded when somebody comes near the button. */
import type { ReactNode, RefObject } from "react"
import { Menu, MenuItem } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Separator } from "react-aria-components/Separator"
import styles from "./kit.module.css"
import type { Action } from "./Menu.tsx"

interface MenuListProps {
  readonly actions: ReadonlyArray<Action>
  readonly label: string
  readonly button: RefObject<HTMLButtonElement | null>
  readonly isOpen: boolean
  /** The action that has the focus at first; `true`: the list itself has it. */
  readonly focus: "first" | "last" | true
  readonly onClose: () => void
}

export const MenuList = ({ actions, label, button, isOpen, focus, onClose }: MenuListProps): ReactNode => (
  <Popover
    className={styles.popover ?? ""}
    placement="bottom end"
    aria-label={label}
    trigger="MenuTrigger"
    triggerRef={button}
    isOpen={isOpen}
    onOpenChange={(open) => !open && onClose()}
  >
    <Menu className={styles.list ?? ""} aria-label={label} autoFocus={focus} onClose={onClose}>
      {actions.flatMap(({ id, name, help, onAction, isLast }) => [
        ...(isLast && actions.length > 1 ? [<Separator key={`${id} line`} className={styles.separator ?? ""} />] : []),
        <MenuItem key={id} id={id} className={styles.item ?? ""} textValue={name} onAction={onAction}>
          <span>
            {name}
            {help !== undefined && <span className={styles.itemHelp}> {help}</span>}
          </span>
        </MenuItem>
      ])}
    </Menu>
  </Popover>
)
