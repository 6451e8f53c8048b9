import { MoreHorizontal } from "lucide-react"
import type { ReactNode } from "react"
import { Menu as AriaMenu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Separator } from "react-aria-components/Separator"
import { Text } from "react-aria-components/Text"
import { Button } from "./Button.tsx"
import styles from "./kit.module.css"
import { words } from "./words.ts"

export interface Action {
  readonly id: string
  readonly name: string
  readonly help?: string | undefined
  readonly onAction: () => void
  /** Stands apart, last. */
  readonly isLast?: boolean | undefined
}

export interface MenuProps {
  readonly actions: ReadonlyArray<Action>
  /** The name of the menu; "More actions" by default. */
  readonly label?: string | undefined
  /** What the button shows; three dots by default. */
  readonly children?: ReactNode
  readonly className?: string | undefined
  readonly isOpenAtFirst?: boolean
}

export const Menu = ({ actions, label, children, className, isOpenAtFirst = false }: MenuProps): ReactNode => {
  const { more } = words()
  if (actions.length === 0) return null
  return (
    <MenuTrigger defaultOpen={isOpenAtFirst}>
      {children === undefined ? (
        <Button kind="quiet" isIcon aria-label={label ?? more}>
          <MoreHorizontal size={16} aria-hidden />
        </Button>
      ) : (
        <Button kind="quiet" className={className} {...(label !== undefined && { "aria-label": label })}>
          {children}
        </Button>
      )}
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <AriaMenu className={styles.list ?? ""}>
          {actions.flatMap(({ id, name, help, onAction, isLast }) => [
            ...(isLast && actions.length > 1
              ? [<Separator key={`${id} line`} className={styles.separator ?? ""} />]
              : []),
            <MenuItem key={id} id={id} className={styles.item ?? ""} textValue={name} onAction={onAction}>
              <span>
                <Text slot="label">{name}</Text>
                {help !== undefined && (
                  <Text slot="description" elementType="div" className={styles.itemHelp ?? ""}>
                    {help}
                  </Text>
                )}
              </span>
            </MenuItem>
          ])}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
