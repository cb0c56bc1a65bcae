import { join } from 'node:path'
import { compareCodePoints } from '../../core/text/order.ts'
import type { Place, UsageReport } from '../../features/usage/usage.ts'
import type { UseView } from '../protocol.ts'

/** Who uses which prompt, by file; `root` is the app's folder. */
export function usesOf({ prompts, escapes }: UsageReport, root: string): UseView[] {
  const sites = prompts.flatMap((prompt) => prompt.sites)
  const files = new Set([...sites, ...escapes].map(({ file }) => file))
  return [...files].toSorted(compareCodePoints).map((file): UseView => {
    const isHere = (place: Place): boolean => place.file === file
    const mentioned = prompts.filter((prompt) => prompt.sites.some(isHere))
    return {
      file,
      path: join(root, file),
      // That no client code leads to a file is no proof that it runs on a server.
      side: sites.some((site) => isHere(site) && site.client !== undefined) ? 'client' : null,
      mentions: Object.fromEntries(
        mentioned.map((prompt) => [prompt.slug, linesOf(prompt.sites.filter(isHere))]),
      ),
      escapes: linesOf(escapes.filter(isHere)),
    }
  })
}

/** In order, each once. */
function linesOf(places: readonly Place[]): number[] {
  return [...new Set(places.map(({ line }) => line))].toSorted((a, b) => a - b)
}
