/** Imported first: on an older Node.js, the other modules would fail with unclear errors. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`@posthorn/embedded needs Node.js 22.19 or newer; this is ${process.version}.`)
}

export {}
