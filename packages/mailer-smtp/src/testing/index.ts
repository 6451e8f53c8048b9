/** Peers to test a mailer against, and a verifier of what it signs. */
export * from "./Certificate.ts"
export * from "./DkimOracle.ts"
export * from "./SmtpServerPeer.ts"
export * from "./SmtpSink.ts"
