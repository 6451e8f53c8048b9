import { Check, Copy, Lock } from "lucide-react"
import { type ReactNode, type Ref, useEffect, useState } from "react"
import { Button as AriaButton, type ButtonProps as AriaProps } from "react-aria-components/Button"
import { type Missing, type Role, useHolders } from "../app/Roles.ts"
import { classes } from "./classes.ts"
import styles from "./kit.module.css"
import { notify } from "./notices.ts"
import { words } from "./words.ts"

export interface ButtonProps extends Omit<AriaProps, "className" | "style" | "isDisabled"> {
  /** `primary` once on a page; `danger` only in a confirmation. */
  readonly kind?: "plain" | "primary" | "quiet" | "danger" | undefined
  /** Only an icon, which `aria-label` names. */
  readonly isIcon?: boolean | undefined
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
  /** What the action lacks, by `useMissing`. The button stays, and says so when it is pressed. */
  readonly missing?: Missing | null | undefined
  readonly children: ReactNode
}

interface MarkedProps {
  readonly reason: string
  readonly className: string
  readonly label: string | undefined
  readonly children: ReactNode
}

const Marked = ({ reason, className, label, children }: MarkedProps) => (
  <AriaButton
    className={className}
    onPress={() => notify(reason)}
    {...(label !== undefined && { "aria-label": `${label}. ${reason}` })}
  >
    <Lock size={12} aria-hidden />
    {children}
    <span className="visually-hidden"> {reason}</span>
  </AriaButton>
)

const NeedsRole = ({ role, ...rest }: Omit<MarkedProps, "reason"> & { readonly role: Role }) => {
  const { needsRole, whoHasIt } = words()
  return <Marked {...rest} reason={`${needsRole(role)} ${whoHasIt(useHolders(role))}`} />
}

/** A button is never disabled: it says what is missing. While its action runs, `isPending` holds further presses back. */
export const Button = (props: ButtonProps): ReactNode => {
  const { kind = "plain", isIcon = false, className, missing = null, children, ...rest } = props
  const look = classes(styles.button, kind !== "plain" && styles[kind], isIcon && styles.icon, className)
  if (missing === null) {
    return (
      <AriaButton {...rest} className={look}>
        {children}
      </AriaButton>
    )
  }
  const marked = { className: classes(look, styles.missing), label: rest["aria-label"], children }
  return missing === "DISABLED" ? (
    <Marked {...marked} reason={words().isDisabled} />
  ) : (
    <NeedsRole {...marked} role={missing} />
  )
}

/** Copies a text, and says so. */
export const CopyButton = ({ text, name }: { readonly text: string; readonly name: string }): ReactNode => {
  const { copied, copy } = words()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <AriaButton
      className={styles.copy ?? ""}
      aria-label={isCopied ? copied : copy(name)}
      onPress={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </AriaButton>
  )
}

/** An id or another short text in code letters, with a button that copies it. */
export const CopyText = ({ text, name }: { readonly text: string; readonly name: string }): ReactNode => (
  <span className={styles.id}>
    <bdi>{text}</bdi>
    <CopyButton text={text} name={name} />
  </span>
)
