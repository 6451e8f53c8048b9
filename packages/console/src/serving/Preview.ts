/**
 * The page in the frame of a mail preview. The frame has an opaque origin, so a mail reaches neither the session nor
 * the console. Its one script takes HTML from the parent only and puts it in place without anything that runs.
 */

export const previewScript = `(() => {
  const parent = window.parent
  const drop = "script,base,meta[http-equiv],object,embed,iframe,frame,form,link"
  const report = (message) => parent.postMessage({ posthorn: true, ...message }, "*")
  const height = () => report({ height: Math.ceil(document.documentElement.getBoundingClientRect().height) })
  addEventListener("message", (event) => {
    if (event.source !== parent || typeof event.data?.html !== "string") return
    const { html, dark, marks } = event.data
    const made = new DOMParser().parseFromString(html, "text/html")
    for (const element of made.querySelectorAll(drop)) element.remove()
    for (const style of made.querySelectorAll("style")) {
      style.textContent = style.textContent.replace(/@import[^;]*;?/gi, "")
    }
    for (const link of made.querySelectorAll("a[href],area[href]")) {
      link.setAttribute("target", "_blank")
      link.setAttribute("rel", "noopener noreferrer")
    }
    document.head.replaceChildren(...made.head.childNodes)
    document.documentElement.replaceChild(document.adoptNode(made.body), document.body)
    document.documentElement.style.colorScheme = dark === "scheme" ? "dark" : "light"
    document.documentElement.style.filter = dark === "inverted" ? "invert(1) hue-rotate(180deg)" : ""
    for (const image of document.images) image.addEventListener("load", height)
    if (marks === true) document.body.dataset.marks = "on"
    new ResizeObserver(height).observe(document.body)
    height()
  })
  addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null
    const link = target?.closest("a[href]")
    if (link) {
      const href = link.getAttribute("href") ?? ""
      if (!/^(?:https?:|mailto:)/i.test(href)) event.preventDefault()
      report({ link: href.slice(0, 2000) })
    }
    const block = target?.closest("[data-block]")
    if (block) report({ block: (block.getAttribute("data-block") ?? "").slice(0, 100) })
  }, true)
  report({ ready: true })
})()`

export const previewPage = `<!doctype html><html><head><meta charset="utf-8"><title>Mail</title></head><body><script>${previewScript}</script></body></html>`

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))

const scriptHash = crypto.subtle.digest("SHA-256", new TextEncoder().encode(previewScript)).then(base64)

/**
 * Without an origin of its own even when it is opened by itself. Of other servers it gets images, where they are
 * allowed, and nothing else: fonts and styles would tell them who looks.
 */
export const previewPolicy = async (images: boolean, frameAncestors: ReadonlyArray<string> = []): Promise<string> => {
  return [
    "default-src 'none'",
    `script-src 'sha256-${await scriptHash}'`,
    "style-src 'unsafe-inline'",
    `img-src data:${images ? " https: http:" : ""}`,
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    // Those who may show the console in a frame have the preview in it too.
    `frame-ancestors ${["'self'", ...frameAncestors.filter((source) => source !== "'self'")].join(" ")}`,
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
  ].join("; ")
}
