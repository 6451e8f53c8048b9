/** A secret that is shown once: masked until asked for, with copy and download. */
import { type ReactNode, useState } from "react"
import { Button, CopyButton } from "./Button.tsx"
import styles from "./kit.module.css"
import { Notice, Row, Stack } from "./Layout.tsx"
import { words } from "./words.ts"

interface SecretProps {
  /** What it is: "Secret key". */
  readonly name: string
  readonly secret: string
  /** The name of the file that is offered. */
  readonly file: string
}

/** Saves a text as a file. */
export const saveFile = (name: string, content: BlobPart, type = "text/plain"): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export const SecretOnce = ({ name, secret, file }: SecretProps): ReactNode => {
  const { onlyOnce, show, hide, download } = words()
  const [isShown, setShown] = useState(false)
  return (
    <Notice tone="warning">
      <Stack>
        <span>{onlyOnce(name)}</span>
        <span className={styles.id}>
          <code data-secret>{isShown ? secret : "•".repeat(24)}</code>
          <CopyButton text={secret} name={name} />
        </span>
        <Row>
          <Button onPress={() => setShown(!isShown)}>{isShown ? hide : show}</Button>
          <Button onPress={() => saveFile(file, `${secret}\n`)}>{download}</Button>
        </Row>
      </Stack>
    </Notice>
  )
}
