/** Runs in the browser. The public key is not secret, because it can only track events. */
import { Posthorn } from "@posthorn/client"

const { baseUrl, publicKey } = document.body.dataset
const posthorn = new Posthorn({ baseUrl, publicKey })

document.querySelector("form")?.addEventListener("submit", async (event) => {
  event.preventDefault()
  const email = new FormData(event.target instanceof HTMLFormElement ? event.target : undefined).get("email")
  const { error } = await posthorn.track({ event: "asked for the price list", email: String(email), subscribed: true })
  const output = document.querySelector("output")
  if (output) output.textContent = error ? error.message : "Thank you."
})
