import { classes } from "./classes.ts"
import styles from "./kit.module.css"

/** The class of a link that looks like a button. */
export const buttonClass = (kind: "plain" | "primary" | "quiet" = "plain"): string =>
  classes(styles.button, kind !== "plain" && styles[kind])
