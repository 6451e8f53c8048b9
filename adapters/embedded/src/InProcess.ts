/** Keys of the client in the process: they say what they are, and no project has them. */
export const keys = { secretKey: "sk_in_process", publicKey: "pk_in_process", baseUrl: "http://posthorn.invalid" }
