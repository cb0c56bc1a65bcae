import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { ViteDevServer } from 'vite'
import { compareCodePoints } from '../core/text/order.ts'
import { toForwardSlashes } from '../fs/paths.ts'
import type { UseView } from '../page/protocol.ts'
import { findMentions } from '../page/server/mentions.ts'
import type { WorkspaceIds } from './ids.ts'
import type { Session } from './session.ts'

/** The modules that a dev server has loaded and that import prompts, sorted by file. */
export async function findUses(
  server: Pick<ViteDevServer, 'config' | 'environments'>,
  { ids, session }: { readonly ids: WorkspaceIds; readonly session: Session },
): Promise<UseView[]> {
  const slugs = await slugsByName(session)
  const uses = importersIn(server, ids).map(async ({ path, client }): Promise<UseView> => {
    // A module may have no file, or its file may have been deleted.
    const code = await readFile(path, 'utf8').catch(() => '')
    const file = toForwardSlashes(relative(server.config.root, path))
    const mentions = findMentions(code, slugs, ids.entry)
    return { file, path, side: client ? 'client' : 'server', mentions, escapes: [] }
  })
  return (await Promise.all(uses)).toSorted((a, b) => compareCodePoints(a.file, b.file))
}

/** Empty if the lock can't be read. The page shows that error elsewhere. */
async function slugsByName(session: Session): Promise<Map<string, string>> {
  const snapshot = await session.snapshot().catch(() => undefined)
  const prompts = snapshot?.plan.prompts ?? []
  return new Map(prompts.flatMap(({ names, prompt }) => names.map((name) => [name, prompt.slug])))
}

interface Importer {
  readonly path: string
  readonly client: boolean
}

/** One per file. A file that runs on both sides counts as client code. */
function importersIn(
  { environments }: Pick<ViteDevServer, 'environments'>,
  { resolvedPattern }: WorkspaceIds,
): Importer[] {
  const found = new Map<string, Importer>()
  for (const { moduleGraph, config } of Object.values(environments)) {
    for (const [id, { importers }] of moduleGraph.idToModuleMap) {
      if (!resolvedPattern.test(id)) continue
      for (const { file, id: importer } of importers) {
        if (file === null || resolvedPattern.test(importer ?? '')) continue
        const client = config.consumer === 'client' || found.get(file)?.client === true
        found.set(file, { path: file, client })
      }
    }
  }
  return [...found.values()]
}
