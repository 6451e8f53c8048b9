/** Placeholder keys of the in-process client, which belong to no project. */
export const keys = { secretKey: "sk_in_process", publicKey: "pk_in_process", baseUrl: "http://posthorn.invalid" }
