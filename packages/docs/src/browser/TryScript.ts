/**
 * The part of the script that calls an operation for the reader. It acts with the session of the console, or with a key
 * that it holds in memory only. A request that may change something is sent after a second question.
 */
export const tryScript = String.raw`
  const make = (tag, given = {}, ...children) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(given)) {
      if (name === "text") element.textContent = value
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
      else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value)
    }
    element.append(...children.filter((child) => child !== undefined))
    return element
  }

  // Gone when the page is left.
  let heldKey = ""
  let projects

  const maySession = () => /(?:^|; )posthorn_signed_in=1/.test(document.cookie)
  const loadProjects = async () => {
    if (!maySession()) return []
    const answer = await fetch("/users/@me/projects", { headers: { accept: "application/json" } })
    return answer.ok ? answer.json() : []
  }
  const lastProject = () => { try { return localStorage.getItem("posthorn.project") } catch { return null } }

  const open = async (article) => {
    const call = JSON.parse(article.dataset.call)
    projects ??= loadProjects().catch(() => [])
    const known = await projects
    const id = article.id
    const isProjects = call.takes.includes("secretKey") && call.takes.includes("session")
    const takesKey = call.takes.some((name) => name !== "session")
    const takesSession = call.takes.includes("session")
    const hasSession = takesSession && maySession()

    const field = (label, control) => make("label", { class: "field" }, make("code", { text: label }), control)
    const project = make("select", { name: "project" }, ...known.map(({ id, name }) =>
      make("option", { value: id, text: name, selected: id === lastProject() })))
    const key = make("input", { type: "password", name: "key", autocomplete: "off", spellcheck: "false", placeholder: call.takes.includes("publicKey") ? "pk_..." : "sk_..." })
    key.value = heldKey
    const way = (value, text, checked) => make("label", {}, make("input", { type: "radio", name: "way", value, checked }), " " + text)
    const keyField = field("Key", key)
    const projectField = field("Project", project)
    const ways = make("div", { class: "ways" },
      hasSession ? way("session", "Session of the console", true) : undefined,
      takesKey ? way("key", "A key", !hasSession) : undefined)
    const isSession = () => hasSession && ways.querySelector("input:checked")?.value === "session"
    const showWay = () => {
      projectField.hidden = !isSession() || !isProjects
      keyField.hidden = isSession() || !takesKey
    }
    ways.addEventListener("change", showWay)
    const credentials = call.takes.length === 0 ? undefined : make("fieldset", {}, make("legend", { text: "Who calls" }),
      takesSession && !takesKey && !hasSession ? make("p", { class: "quiet", text: "This needs a session. Sign in to the console first." }) : ways,
      projectField, keyField,
      make("p", { class: "quiet", text: "A key stays in the memory of this page." }))

    const inputs = call.parameters.map(([name, place, required, example]) => {
      const input = make("input", { type: "text", required, placeholder: example, spellcheck: "false", autocomplete: "off" })
      if (place === "query" && required) input.value = example
      return { name, place, input }
    })
    const parameters = inputs.length === 0 ? undefined : make("fieldset", {}, make("legend", { text: "Parameters" }),
      ...inputs.map(({ name, input }) => field(name, input)))
    const body = call.body === undefined ? undefined : make("textarea", { name: "body", spellcheck: "false", "aria-label": "Body, JSON" })
    if (body) body.value = JSON.stringify(call.body, null, 2)
    const bodyField = body && make("fieldset", {}, make("legend", { text: "Body" }), body)

    const output = make("output", { "aria-live": "polite" })
    const isWrite = call.method !== "GET"
    const send = make("button", { type: "submit", class: "button main", text: "Send" })
    const actions = make("div", { class: "row" }, send, make("span", { class: "quiet", text: isWrite ? "You are asked before it is sent." : "" }))
    const sure = make("button", { type: "button", class: "button main", text: "Send it" })
    const back = make("button", { type: "button", class: "button", text: "Back" })
    const question = make("p", {})
    const ask = make("div", { class: "ask", role: "alertdialog", "aria-label": "Send it?", hidden: true }, question, make("div", { class: "row" }, sure, back))

    const show = (status, text, took) => {
      let shown = text
      try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
      output.replaceChildren(
        make("p", { class: status < 400 && status > 0 ? "good" : "bad", text: status === 0 ? "No answer" : status + " in " + took + " ms" }),
        make("pre", { tabindex: "0", text: shown === "" ? "No content" : shown }))
    }

    const request = async () => {
      ask.hidden = true
      actions.hidden = false
      heldKey = key.value.trim()
      const left = inputs.filter(({ place }) => place === "path").map(({ input }) => input.value.trim())
      const path = call.path.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ""))
      const query = new URLSearchParams(inputs.filter(({ place, input }) => place === "query" && input.value !== "").map(({ name, input }) => [name, input.value]))
      const headers = { accept: "application/json" }
      if (isSession()) { if (isProjects) headers["x-project-id"] = project.value } else if (takesKey) headers.authorization = "Bearer " + heldKey
      if (body) headers["content-type"] = "application/json"
      const started = performance.now()
      send.disabled = true
      try {
        const answer = await fetch(path + (query.size > 0 ? "?" + query : ""), {
          method: call.method, headers, body: body?.value, credentials: isSession() || !takesKey ? "same-origin" : "omit"
        })
        show(answer.status, await answer.text(), Math.round(performance.now() - started))
      } catch (error) {
        show(0, String(error), 0)
      } finally {
        send.disabled = false
        send.focus()
      }
    }

    const form = make("form", { method: "dialog", onsubmit: (event) => {
      event.preventDefault()
      if (body) {
        try { JSON.parse(body.value) } catch (error) { return show(0, "The body is not JSON: " + error.message, 0) }
      }
      if (!isWrite) return void request()
      const name = isSession() && isProjects ? "the project " + (project.selectedOptions[0]?.textContent ?? "") : takesKey && !isSession() ? "the project of this key" : "this account"
      question.textContent = call.method + " " + call.path + " may change " + name + ". Send it?"
      ask.hidden = false
      actions.hidden = true
      sure.focus()
    } },
      make("div", { class: "head" },
        make("div", {}, make("h2", { id: "try-title", text: article.querySelector("h2").textContent }), make("p", { class: "quiet" }, make("code", { text: call.method + " " + call.path }))),
        make("button", { type: "button", class: "button", text: "Close", onclick: () => dialog.close() })),
      ...[credentials, parameters, bodyField].filter(Boolean), ask, actions, output)
    sure.addEventListener("click", () => void request())
    back.addEventListener("click", () => { ask.hidden = true; actions.hidden = false; send.focus() })
    const dialog = make("dialog", { "aria-labelledby": "try-title" }, form)
    const opener = document.activeElement
    dialog.addEventListener("close", () => { heldKey = key.value.trim(); dialog.remove(); opener?.focus() })
    showWay()
    document.body.append(dialog)
    dialog.showModal()
  }

  for (const article of all("article[data-call]")) {
    const button = make("button", { type: "button", class: "button try", text: "Try it", onclick: () => void open(article) })
    button.setAttribute("aria-label", "Try it: " + article.querySelector("h2").textContent)
    article.querySelector(".samples").after(button)
  }
`
