/** A page: its title, its way back, its actions. After a navigation the focus is on the title. */
import { Link, type LinkProps } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { plainText } from "../kit/Text.tsx"
import { productName } from "./Deployment.ts"
import styles from "./Page.module.css"
import { useOpenedOrNull } from "./Project.tsx"

interface PageProps {
  /** The name of the page or of the record. */
  readonly title: string
  /** What stands in the heading, if it is more than the title. */
  readonly heading?: ReactNode
  /** The list that the record is in. */
  readonly back?: { readonly name: string; readonly link: LinkProps } | undefined
  readonly actions?: ReactNode
  /** The saved views of a list: `<Views page="mails" />`. */
  readonly views?: ReactNode
  readonly children: ReactNode
}

/** The first page after the start keeps the focus of the browser. */
let isFirst = true

export const Page = ({ title, heading, back, actions, views, children }: PageProps): ReactNode => {
  const project = useOpenedOrNull()?.project
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = [title, project?.name, productName].filter(Boolean).map(plainText).join(" - ")
  }, [title, project?.name])
  useEffect(() => {
    if (isFirst) isFirst = false
    else ref.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.page}>
      {back !== undefined && (
        <nav className={styles.crumbs} aria-label={back.name}>
          <Link {...back.link}>{back.name}</Link>
          <span aria-hidden>/</span>
        </nav>
      )}
      <div className={styles.head}>
        <h1 ref={ref} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {(actions !== undefined || views !== undefined) && (
          <div className={styles.actions}>
            {views}
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}
