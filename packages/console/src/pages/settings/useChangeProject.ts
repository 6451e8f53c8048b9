import type { PosthornError, Project, UpdateProject } from "@posthorn/client/session"
import { useMutation } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { accountApi } from "../../app/Api.ts"
import { useProjectId } from "../../app/Project.tsx"
import { readSigned } from "../../app/Start.ts"

/** Changes the project, and shows it everywhere. */
export const useChangeProject = (onDone: () => void) => {
  const id = useProjectId()
  const router = useRouter()
  return useMutation<Project, PosthornError, UpdateProject>({
    mutationFn: (change) => accountApi.ownProjects.update(id, change).orThrow(),
    onSuccess: async () => {
      await readSigned()
      await router.invalidate()
      onDone()
    }
  })
}
