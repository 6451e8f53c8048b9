/** Serves the page and its script. Any web server and bundler can do this; this server bundles once, at its start. */
import { createServer } from "node:http"
import { rolldown } from "rolldown"

const { PORT = "4004", POSTHORN_URL = "http://127.0.0.1:3000", POSTHORN_PUBLIC_KEY = "" } = process.env

const bundle = await rolldown({ input: new URL("page.ts", import.meta.url).pathname, platform: "browser" })
const {
  output: [script]
} = await bundle.generate({ minify: true })
await bundle.close()

const page = `<!doctype html>
<html lang="en">
<title>Price list</title>
<body data-base-url="${POSTHORN_URL}" data-public-key="${POSTHORN_PUBLIC_KEY}">
<form><label>Your address <input name="email" type="email" required></label> <button>Send me the price list</button></form>
<output></output>
<script type="module" src="/page.js"></script>
`

const server = createServer(({ url }, response) => {
  if (url === "/page.js") response.setHeader("content-type", "text/javascript").end(script.code)
  else response.setHeader("content-type", "text/html; charset=utf-8").end(page)
}).listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}` }))
})
process.once("SIGTERM", () => server.close().closeAllConnections())
