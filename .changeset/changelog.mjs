// The text of a changeset as it is. All packages have one version, so the list of updated packages says nothing.
const lines = (text) =>
  text
    .trim()
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : `  ${line}`))

export const getReleaseLine = async ({ summary }) => `- ${lines(summary).join("\n")}`
export const getDependencyReleaseLine = async () => ""
export default { getReleaseLine, getDependencyReleaseLine }
