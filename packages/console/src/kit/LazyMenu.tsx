/** A menu whose code is loaded when somebody comes near it, so that the first page does not wait for it. */
import { lazy, type ReactNode, Suspense, useState } from "react"
import { buttonClass } from "./buttonClass.ts"
import { classes } from "./classes.ts"
import type { MenuProps } from "./Menu.tsx"

const load = () => import("./Menu.tsx")
const Menu = lazy(async () => ({ default: (await load()).Menu }))

export const LazyMenu = ({ label, children, className, ...props }: MenuProps): ReactNode => {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <button
      type="button"
      className={classes(buttonClass("quiet"), className)}
      aria-label={label}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Menu {...props} label={label} className={className} isOpenAtFirst>
        {children}
      </Menu>
    </Suspense>
  )
}
