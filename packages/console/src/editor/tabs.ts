export const editorTabs = ["blocks", "code", "preview", "text"] as const
export type EditorTab = (typeof editorTabs)[number]
