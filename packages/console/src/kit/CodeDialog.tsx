import type { ReactNode } from "react"
import { useKeyUrl } from "../app/Start.ts"
import { CopyButton } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import styles from "./kit.module.css"
import { Stack } from "./Layout.tsx"
import { type CodeCall, clientSample, commandSample, curlSample } from "./samples.ts"
import { words } from "./words.ts"

const CodeDialog = ({ call, onClose }: { readonly call: CodeCall; readonly onClose: () => void }): ReactNode => {
  const { showCode, codeAbout, curl, client, command } = words()
  const origin = useKeyUrl()
  const samples = [
    [curl, curlSample(call, origin)],
    [client, clientSample(call, origin)],
    [command, commandSample(call, origin)]
  ] as const
  return (
    <Dialog title={showCode} isWide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Stack>
        <p>{codeAbout}</p>
        {samples.map(([name, code]) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <pre className={styles.code}>
              <code>{code}</code>
              <span className={styles.codeCopy}>
                <CopyButton text={code} name={name} />
              </span>
            </pre>
          </section>
        ))}
      </Stack>
    </Dialog>
  )
}

export default CodeDialog
