/** The frame of pages outside of a project. */
import type { ReactNode } from "react"
import { productName } from "../../app/Deployment.ts"
import { Page } from "../../app/Page.tsx"
import { classes } from "../../kit/classes.ts"
import styles from "./Outside.module.css"

interface OutsideProps {
  readonly title: string
  readonly children: ReactNode
  readonly isWide?: boolean
}

export const Outside = ({ title, children, isWide = false }: OutsideProps): ReactNode => (
  <main className={styles.outside}>
    <div className={classes(styles.box, isWide && styles.wide)}>
      <span className={styles.brand}>{productName}</span>
      <Page title={title}>{children}</Page>
    </div>
  </main>
)
