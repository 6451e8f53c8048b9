/** What the server says about itself in the page. */

export interface Deployment {
  readonly basePath: string
  readonly apiBase: string
  readonly mode: "server" | "embedded"
  readonly dev: boolean
  readonly version: string
  readonly title?: string
  readonly signInUrl?: string
}

const given = document.querySelector('meta[name="posthorn"]')?.getAttribute("content") ?? "{}"

export const deployment: Deployment = {
  basePath: "/console",
  apiBase: "",
  mode: "server",
  dev: import.meta.env.DEV,
  version: "",
  ...JSON.parse(given)
}

export const productName: string = deployment.title ?? "Posthorn"
