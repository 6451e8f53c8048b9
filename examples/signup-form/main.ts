/** Creates the form, and serves a page with its snippet. The page is static: any web server can serve it. */
import { createServer } from "node:http"
import { Posthorn } from "@posthorn/client"

const { PORT = "4005", POSTHORN_URL = "http://127.0.0.1:3000", POSTHORN_KEY = "" } = process.env

const posthorn = new Posthorn({ baseUrl: POSTHORN_URL, secretKey: POSTHORN_KEY })

const known = (await posthorn.forms.list().orThrow()).find(({ key }) => key === "newsletter")
const form =
  known ??
  (await posthorn.forms
    .create({
      key: "newsletter",
      name: "Newsletter",
      fields: [{ key: "firstName", label: "First name" }],
      texts: { description: "Once a month, what is new in the shop.", button: "Sign me up" }
    })
    .orThrow())

const { html, script } = await posthorn.forms.snippet(form.id).orThrow()

const page = `<!doctype html>
<html lang="en">
<title>Shop</title>
<main>
<h1>Shop</h1>
${html}
</main>
${script}
`

const server = createServer((_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8").end(page)
}).listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}` }))
})
process.once("SIGTERM", () => server.close().closeAllConnections())
