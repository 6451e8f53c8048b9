/**
 * The script of the documentation, served as `/docs.js`. It adds search, buttons to copy, one language for all samples,
 * and "Try it". The pages work without it.
 */
import { tryScript } from "./TryScript.ts"

export const script = `${String.raw`"use strict"
{
  const all = (selector) => document.querySelectorAll(selector)

  // The colours that the reader chose in the console.
  try {
    const { scheme } = JSON.parse(localStorage.getItem("posthorn.preferences") ?? "{}")
    if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme
  } catch {}

  // The chosen language applies to all samples and all pages.
  const kept = "posthorn-docs-language"
  const choose = (language) => {
    for (const input of all(".choice input")) input.checked = input.value === language
  }
  const read = () => {
    try { return localStorage.getItem(kept) } catch { return null }
  }
  const keep = (language) => {
    try { localStorage.setItem(kept, language) } catch {}
  }
  const before = read()
  if (["curl", "typescript", "cli"].includes(before)) choose(before)
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".choice input")) return
    const place = target.getBoundingClientRect().top
    choose(target.value)
    keep(target.value)
    // The samples above may now be longer or shorter, so the scroll position is corrected.
    scrollBy(0, target.getBoundingClientRect().top - place)
  })

  const notice = document.createElement("p")
  notice.className = "unseen"
  notice.setAttribute("role", "status")
  document.body.append(notice)

  if (navigator.clipboard) {
    for (const place of all(".samples, .answer, figure.code")) {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "copy"
      button.textContent = "Copy"
      button.setAttribute("aria-label", place.matches(".answer") ? "Copy the response" : place.matches(".samples") ? "Copy the sample" : "Copy the code")
      button.addEventListener("click", async () => {
        const shown = [...place.querySelectorAll("pre")].find((pre) => pre.offsetParent !== null)
        await navigator.clipboard.writeText(shown ? shown.textContent : "")
        button.textContent = "Copied"
        notice.textContent = "Copied"
        setTimeout(() => {
          button.textContent = "Copy"
          notice.textContent = ""
        }, 2000)
      })
      place.append(button)
    }
  }

  const box = document.querySelector(".search")
  const input = box.querySelector("input")
  const results = box.querySelector(".results")
  const list = results.querySelector("ul")
  const count = results.querySelector("p")
  box.hidden = false

  let entries
  const load = () => {
    entries ??= fetch("/docs/search.json")
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error("status " + answer.status))))
      .then((found) => found.map(([address, title, about, words]) => ({
        address, title, about,
        first: title.toLowerCase(),
        text: (title + " " + about + " " + words).toLowerCase()
      })))
    entries.catch(() => { entries = undefined })
    return entries
  }

  /**
   * Matches in titles come before matches in texts, and texts that begin with the words before texts that contain them.
   */
  const rank = ({ first, text }, words) => {
    if (!words.every((word) => text.includes(word))) return -1
    const whole = words.join(" ")
    if (first === whole) return 4
    if (first.startsWith(whole)) return 3
    if (words.every((word) => first.includes(word))) return 2
    return new RegExp("(?:^|[^a-z])" + words[0].replace(/[^a-z0-9]/g, "\\$&")).test(text) ? 1 : 0
  }

  const close = () => { results.hidden = true }

  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "")
    if (words.length === 0) return close()
    let known
    try { known = await load() } catch {
      list.replaceChildren()
      count.textContent = "The search could not be loaded."
      results.hidden = false
      return
    }
    const found = known
      .map((entry) => ({ entry, rank: rank(entry, words) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => b.rank - a.rank)
    count.textContent = found.length === 0 ? "No results." : found.length === 1 ? "1 result" : found.length + " results"
    list.replaceChildren(...found.slice(0, 20).map(({ entry: { address, title, about } }) => {
      const item = document.createElement("li")
      const link = document.createElement("a")
      link.href = address
      const name = document.createElement("span")
      name.textContent = title
      const place = document.createElement("span")
      place.className = "kind"
      place.textContent = about
      link.append(name, " ", place)
      item.append(link)
      return item
    }))
    results.hidden = false
  }

  input.addEventListener("focus", () => { load().catch(() => {}) })
  input.addEventListener("input", show)
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget)) close()
  })
  document.addEventListener("pointerdown", ({ target }) => {
    if (!box.contains(target)) close()
  })
  results.addEventListener("click", ({ target }) => {
    if (target.closest("a")) close()
  })

  box.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")]
    const at = links.indexOf(document.activeElement)
    if (event.key === "Escape") {
      close()
      input.focus()
    } else if (event.key === "Enter" && document.activeElement === input && links.length > 0 && !results.hidden) {
      event.preventDefault()
      links[0].click()
    } else if (event.key === "ArrowDown" && links.length > 0 && !results.hidden) {
      event.preventDefault()
      links[Math.min(at + 1, links.length - 1)].focus()
    } else if (event.key === "ArrowUp" && at >= 0) {
      event.preventDefault()
      if (at === 0) input.focus()
      else links[at - 1].focus()
    }
  })

  document.addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input, textarea, select")
    if (isSlash || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault()
      input.focus()
    } else if (event.key === "Escape" && location.hash === "#contents") location.hash = "#main"
  })

  // The page that is open is in sight in the contents.
  const contents = document.querySelector("#contents")
  const current = contents.querySelector("[aria-current]")
  if (current && current.offsetTop > contents.clientHeight - 120) contents.scrollTop = current.offsetTop - 120

  // The contents highlight the endpoint in view.
  const marks = new Map([...all("#contents li li a")].map((link) => [new URL(link.href).hash.slice(1), link]))
  const mark = (id) => {
    for (const [name, link] of marks) link.classList.toggle("read", name === id)
  }
  if (marks.size > 0 && "IntersectionObserver" in window) {
    const observer = new IntersectionObserver((changes) => {
      for (const { isIntersecting, target } of changes) if (isIntersecting) mark(target.id)
    }, { rootMargin: "-20% 0px -75% 0px" })
    for (const article of all("article")) observer.observe(article)
  }
`}${tryScript}}
`
