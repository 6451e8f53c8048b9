/** The settings that analytics libraries in browsers ask for before they send. They name this host and nothing else. Pure. */

/** For `@segment/analytics-next`: the only destination is this host. */
export const segmentSettings = (base: URL, key: string) => ({
  integrations: {
    "Segment.io": {
      apiKey: key,
      apiHost: `${base.host}${base.pathname.replace(/\/$/, "")}/ingest/v1`,
      protocol: base.protocol.replace(":", ""),
      unbundledIntegrations: [],
      addBundledMetadata: false,
      maybeBundledConfigIds: {},
      versionSettings: { version: "4.4.7", componentTypes: ["browser"] }
    }
  },
  plan: { track: { __default: { enabled: true, integrations: {} } }, identify: { __default: { enabled: true } } },
  edgeFunction: {},
  analyticsNextEnabled: true,
  middlewareSettings: {},
  enabledMiddleware: {},
  metrics: { sampleRate: 0 },
  legacyVideoPluginsEnabled: false,
  remotePlugins: []
})

/** For `@rudderstack/analytics-js`: a source without destinations in the browser. */
export const rudderSettings = (key: string) => ({
  source: {
    id: "posthorn",
    name: "Posthorn",
    writeKey: key,
    enabled: true,
    workspaceId: "posthorn",
    config: { statsCollection: { errors: { enabled: false }, metrics: { enabled: false } } },
    destinations: [],
    connections: []
  }
})
