// `npm run chart` renders the Helm chart of examples/helm with several values, and validates the manifests against the
// schemas of Kubernetes. It takes Helm and kubeconform where they are installed. Without Helm it renders with Go and the
// libraries that Helm uses (golang-go and golang-github-masterminds-sprig-dev of Debian).
import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parse, parseAllDocuments } from "yaml"

const root = resolve(import.meta.dirname, "..")
const chart = join(root, "examples/helm")
const step = (text) => process.stdout.write(`${text}\n`)
const has = (command, ...args) => spawnSync(command, args, { stdio: "ignore" }).status === 0
const go = { GOPATH: "/usr/share/gocode", GO111MODULE: "off" }
const hasHelm = has("helm", "version")
const hasSprig = existsSync(join(go.GOPATH, "src/github.com/Masterminds/sprig"))
if (!hasHelm && !(has("go", "version") && hasSprig)) {
  step("SKIPPED: the chart, as neither Helm nor Go with sprig is installed.")
  process.exit(0)
}
const place = mkdtempSync(join(tmpdir(), "posthorn-chart-"))
const about = parse(readFileSync(join(chart, "Chart.yaml"), "utf8"))
const defaults = parse(readFileSync(join(chart, "values.yaml"), "utf8"))

const merged = (base, changes) =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(changes)])].map((key) => {
      const [before, after] = [base[key], changes[key]]
      const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
      return [key, after === undefined ? before : isMap(before) && isMap(after) ? merged(before, after) : after]
    })
  )

const rendered = (values) => {
  if (hasHelm) {
    const file = join(place, "values.json")
    writeFileSync(file, JSON.stringify(values))
    execFileSync("helm", ["lint", "--strict", chart, "--values", file], { stdio: ["ignore", "ignore", "inherit"] })
    return execFileSync("helm", ["template", "mail", chart, "--values", file], { encoding: "utf8" })
  }
  const Chart = { Name: about.name, Version: about.version, AppVersion: about.appVersion }
  const Release = { Name: "mail", Namespace: "default", Service: "Helm" }
  return execFileSync("go", ["run", join(root, ".ci/chart/render.go"), chart], {
    encoding: "utf8",
    env: { ...process.env, ...go },
    input: JSON.stringify({ Values: merged(defaults, values), Chart, Release }),
    stdio: ["pipe", "pipe", "pipe"]
  })
}

const minimal = {
  publicUrl: "https://mail.example.com",
  databaseUrl: "postgres://posthorn:secret@db/posthorn",
  secret: "0123456789abcdef0123456789abcdef",
  smtpUrl: "smtp://user:password@smtp.example.com:587"
}
const cases = {
  minimal,
  full: {
    publicUrl: "https://mail.example.com",
    existingSecret: "mail-settings",
    settings: { POSTHORN_TRUST_PROXY: "1", POSTHORN_LOG_LEVEL: "warn" },
    imagePullSecrets: [{ name: "registry" }],
    ingress: {
      enabled: true,
      className: "nginx",
      host: "mail.example.com",
      tlsSecret: "mail-tls",
      annotations: { "example.com/note": "x" }
    },
    networkPolicy: { from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }] },
    serviceAccount: { annotations: { "example.com/role": "mail" } },
    podAnnotations: { "example.com/scrape": "true" },
    nodeSelector: { disk: "ssd" },
    tolerations: [{ key: "mail", operator: "Exists", effect: "NoSchedule" }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }
  },
  bare: {
    ...minimal,
    migration: { enabled: false },
    networkPolicy: { enabled: false },
    serviceAccount: { create: false },
    api: { autoscaling: { enabled: false } },
    worker: { autoscaling: { enabled: false } }
  }
}

step(`Rendering with ${hasHelm ? "Helm" : "Go"}.`)
execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", place, "kubernetes-models@5.1.0"])
const model = async ({ apiVersion, kind }) =>
  (await import(join(place, "node_modules/kubernetes-models", apiVersion, "index.js")))[kind]

const podsOf = ({ kind, spec }) => (["Deployment", "Job"].includes(kind) ? [spec.template.spec] : [])
const kindsOf = {}
/** The manifests as values of the types of Kubernetes: the compiler refuses fields that are unknown. */
const typed = [
  `// @ts-expect-error No such field.
export const wrong: import("kubernetes-models/apps/v1").IDeployment = { spec: { replcas: 2 } }`
]
for (const [name, values] of Object.entries(cases)) {
  const text = rendered(values)
  const manifests = parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null)
  kindsOf[name] = manifests.map(({ kind }) => kind).toSorted()
  for (const manifest of manifests) {
    const Model = await model(manifest)
    new Model(manifest).validate()
    const type = `import("kubernetes-models/${manifest.apiVersion}").I${manifest.kind}`
    typed.push(`export const m${typed.length}: ${type} = ${JSON.stringify(manifest)}`)
  }
  for (const pod of manifests.flatMap(podsOf)) {
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.equal(pod.automountServiceAccountToken, false)
    for (const { securityContext } of pod.containers)
      assert.deepEqual(
        [
          securityContext.readOnlyRootFilesystem,
          securityContext.allowPrivilegeEscalation,
          securityContext.capabilities
        ],
        [true, false, { drop: ["ALL"] }]
      )
  }
  // What a selector chooses is there.
  const labels = manifests.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec.template.metadata.labels)
  for (const { kind, spec } of manifests) {
    const wanted = kind === "Service" ? spec.selector : (spec?.podSelector ?? spec?.selector)?.matchLabels
    if (wanted === undefined) continue
    const chosen = labels.filter((of) => Object.entries(wanted).every(([key, value]) => of[key] === value))
    assert.equal(chosen.length, 1, `${kind} chooses ${chosen.length} deployments.`)
  }
  if (has("kubeconform", "-v"))
    execFileSync("kubeconform", ["-strict", "-summary"], { input: text, stdio: ["pipe", 1, 2] })
}
writeFileSync(join(place, "manifests.mts"), typed.join("\n"))
const compiler = join(root, "node_modules/@typescript/native/bin/tsc")
const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""]
execFileSync(process.execPath, [compiler, ...options, "manifests.mts"], {
  cwd: place,
  stdio: ["ignore", "inherit", "inherit"]
})
const both = (kind) => [kind, kind]
const always = [...both("Deployment"), ...both("PodDisruptionBudget"), "Service"]
const usual = [...always, ...both("HorizontalPodAutoscaler"), ...both("NetworkPolicy"), "Job", "ServiceAccount"]
assert.deepEqual(kindsOf, {
  minimal: [...usual, "Secret"].toSorted(),
  full: [...usual, "Ingress"].toSorted(),
  bare: [...always, "Secret"].toSorted()
})
for (const name of Object.keys(minimal))
  assert.throws(() => rendered({ ...minimal, [name]: "" }), /is required/, `It renders without ${name}.`)
rmSync(place, { recursive: true })
step(`The chart holds: ${Object.values(kindsOf).flat().length} manifests.`)
