/** Imported first, because the other modules fail with unclear errors on an older Node.js. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`@posthorn/embedded requires Node.js 22.19 or newer; this is ${process.version}.`)
}

export {}
