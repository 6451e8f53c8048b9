/** The script of the list: it shows new emails without a reload. Without it the page has a link that reloads. */
export const mailboxScript = `const mails = () => document.getElementById("mails")

const refresh = async () => {
  if (document.hidden || document.querySelector("details[open]")) return
  const text = await (await fetch(location.href)).text()
  const next = new DOMParser().parseFromString(text, "text/html").getElementById("mails")
  if (!next || next.innerHTML === mails().innerHTML) return
  const focused = mails().contains(document.activeElement) ? document.activeElement.getAttribute("href") : null
  mails().replaceWith(next)
  if (focused) mails().querySelector('[href="' + CSS.escape(focused) + '"]')?.focus()
}

const repeat = () => setTimeout(() => refresh().catch(() => {}).then(repeat), 1000)
repeat()
`
