import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import optimizeLocales from "@react-aria/optimize-locales-plugin"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { compress } from "./build/Compress.ts"
import { currentStamp, stampBuild } from "./build/Stamp.ts"

const home = import.meta.dirname

/** The stamp is written last, so that a build that was stopped is not taken for whole. */
const stamp = (): Plugin => {
  const before = currentStamp()
  return { name: "posthorn-stamp", apply: "build", closeBundle: { order: "post", handler: () => stampBuild(before) } }
}

/** The running `posthorn dev`, whose API the hot-reloading server uses. */
const devServer = (): string => {
  try {
    return JSON.parse(readFileSync(resolve(home, "../../.posthorn/dev.json"), "utf8")).url
  } catch {
    return "http://127.0.0.1:3000"
  }
}

/** Every style sheet names the order of the layers, because any of them can be the first that a page loads. */
const layerOrder = (): Plugin => ({
  name: "posthorn-layers",
  enforce: "pre",
  transform: {
    filter: { id: /\.css$/ },
    handler: (code) => ({ code: `@layer tokens, base, kit, page;\n${code}`, map: null })
  }
})

/** The lists of languages of React Aria without those that the plugin leaves out: each list names 34. */
const otherLocales = (): Plugin => ({
  name: "posthorn-locales",
  transform: {
    filter: { id: /react-(?:aria|stately)[^?]*intlStrings\.mjs$/ },
    handler: (code) => ({ code: code.replaceAll(/^.*\b(?!de-DE|en-US)[a-z]{2}-[A-Z]{2}\b.*$/gm, ""), map: null })
  }
})

/** What every page of a project needs, with all that it imports: one chunk is smaller than thirty, and comes sooner. */
const onEveryPage = /src[\\/](?:app[\\/](?:Shell|Page|Range|links)|kit[\\/](?:Button|Choices|Layout|Marks|Text))\.tsx?$/

export default defineConfig(({ command }) => {
  const target = command === "serve" ? devServer() : ""
  // A build is the same wherever it is started: with another value, as in a test, it would hold React's development form.
  if (command === "build") process.env["NODE_ENV"] = "production"
  return {
    // Assets are found relative to the file that names them, so that the console works below any path.
    base: command === "build" ? "./" : "/console/",
    plugins: [
      layerOrder(),
      react(),
      otherLocales(),
      { ...optimizeLocales.vite({ locales: ["en-US", "de-DE"] }), enforce: "pre" as const },
      compress(resolve(home, "dist")),
      stamp()
    ],
    resolve: { alias: { "@codemirror/lang-javascript": resolve(home, "src/editor/scripts.ts") } },
    css: { transformer: "lightningcss" as const, modules: { generateScopedName: "[local]_[hash:4]" } },
    build: {
      outDir: "dist",
      target: ["chrome120", "firefox121", "safari17"],
      cssMinify: "lightningcss" as const,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      manifest: true,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: "frame", test: onEveryPage }] } } },
      chunkSizeWarningLimit: 1_000
    },
    server: {
      proxy: {
        "^/(?!console(?:/|$)|@|src/|node_modules/)": { target, changeOrigin: true, headers: { origin: target } }
      }
    }
  }
})
