/** Shows the HTML of a mail in a frame with an opaque origin: nothing in it reaches the page, the session or the network. */
import { type ReactNode, useEffect, useRef, useState } from "react"
import { deployment } from "../app/Deployment.ts"
import styles from "./PreviewFrame.module.css"

interface PreviewProps {
  readonly title: string
  readonly html: string
  /** Pixels; the whole width by default. */
  readonly width?: number | undefined
  readonly dark?: "scheme" | "inverted" | undefined
  /** Whether remote images are loaded; default true. */
  readonly images?: boolean
  /** Called with the id of a block that was clicked. */
  readonly onBlock?: ((id: string) => void) | undefined
}

const highest = 20_000

export const PreviewFrame = ({ title, html, width, dark, images = true, onBlock }: PreviewProps): ReactNode => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(320)
  const [ready, setReady] = useState(0)

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || data?.posthorn !== true) return
      if (data.ready === true) setReady((count) => count + 1)
      if (typeof data.height === "number" && Number.isFinite(data.height)) {
        setHeight(Math.min(highest, Math.max(120, data.height)))
      }
      if (typeof data.block === "string" && data.block.length <= 100) onBlock?.(data.block)
    }
    addEventListener("message", onMessage)
    return () => removeEventListener("message", onMessage)
  }, [onBlock])

  useEffect(() => {
    // The frame has no origin, so a message cannot name one.
    if (ready > 0) frame.current?.contentWindow?.postMessage({ html, dark, marks: onBlock !== undefined }, "*")
  }, [ready, html, dark, onBlock])

  return (
    <div className={styles.ground}>
      <iframe
        ref={frame}
        key={String(images)}
        title={title}
        className={styles.frame}
        src={`${deployment.basePath}/preview.html${images ? "" : "?images=0"}`}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        style={{ height, ...(width !== undefined && { width }) }}
      />
    </div>
  )
}
