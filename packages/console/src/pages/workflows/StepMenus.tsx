/** The menus of a step: what to insert after it, and where its branches lead. */
import type { ReactNode } from "react"
import { Header } from "react-aria-components/Header"
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu"
import { Dialog } from "../../kit/Dialog.tsx"
import kit from "../../kit/kit.module.css"
import { Foreign } from "../../kit/Text.tsx"
import {
  type AddedType,
  addedTypes,
  allBranchesOf,
  type Drawing,
  type DrawnStep,
  flowOrder,
  nextOf
} from "./Drawing.ts"
import { branchText } from "./stepText.ts"
import { workflowWords } from "./words.ts"
import styles from "./workflows.module.css"

interface Item {
  readonly id: string
  readonly name: string
  readonly isChosen?: boolean
  readonly onAction: () => void
}

interface BranchMenuProps {
  readonly title: string
  readonly step: DrawnStep
  readonly drawing: Drawing
  readonly items: (branch: string | null) => ReadonlyArray<Item>
  readonly onClose: () => void
}

/** One section a branch. */
const BranchMenu = ({ title, step, drawing, items, onClose }: BranchMenuProps) => {
  const words = workflowWords()
  const branches = allBranchesOf(drawing, step)
  return (
    <Dialog title={title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {branches.length === 0 ? (
        <p>{words.nothingLeaves(step.name)}</p>
      ) : (
        <Menu aria-label={title} className={styles.menu ?? ""} autoFocus="first">
          {branches.map((branch) => (
            <MenuSection key={branch ?? ""} aria-label={branchText(branch, step.config, words)}>
              {branches.length > 1 && (
                <Header className={styles.menuHead ?? ""}>
                  <Foreign>{branchText(branch, step.config, words)}</Foreign>
                </Header>
              )}
              {items(branch).map(({ id, name, isChosen, onAction }) => (
                <MenuItem
                  key={id}
                  id={`${branch} ${id}`}
                  className={kit.item ?? ""}
                  textValue={name}
                  onAction={onAction}
                >
                  <Foreign>{isChosen ? `✓ ${name}` : name}</Foreign>
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      )}
    </Dialog>
  )
}

interface MenuProps {
  readonly step: DrawnStep
  readonly drawing: Drawing
  readonly onClose: () => void
}

export const InsertMenu = ({
  onInsert,
  ...props
}: MenuProps & { readonly onInsert: (branch: string | null, type: AddedType) => void }): ReactNode => {
  const words = workflowWords()
  return (
    <BranchMenu
      {...props}
      title={words.insertAfter(props.step.name)}
      items={(branch) =>
        addedTypes.map((type) => ({ id: type, name: words.types[type], onAction: () => onInsert(branch, type) }))
      }
    />
  )
}

export const ConnectMenu = ({
  onConnect,
  ...props
}: MenuProps & { readonly onConnect: (branch: string | null, to: string | undefined) => void }): ReactNode => {
  const words = workflowWords()
  const { step, drawing } = props
  const targets = flowOrder(drawing).filter(({ id, type }) => type !== "TRIGGER" && id !== step.id)
  return (
    <BranchMenu
      {...props}
      title={words.connectFrom(step.name)}
      items={(branch) => {
        const next = nextOf(drawing, step.id, branch)
        return [
          ...targets.map(({ id, name }) => ({
            id,
            name,
            isChosen: id === next,
            onAction: () => onConnect(branch, id)
          })),
          { id: "end", name: words.endHere, isChosen: next === undefined, onAction: () => onConnect(branch, undefined) }
        ]
      }}
    />
  )
}
