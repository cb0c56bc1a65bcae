import type { UseAnalysis } from './by-use/used-names.ts'
import type { ImportedModule } from './ids.ts'
import type { BuildContext } from './context.ts'
import { messagePath } from './importers.ts'
import type { Loaded } from './session.ts'

/** What a build checks uses with. */
interface UseCheck extends Pick<Loaded, 'project' | 'snapshot'> {
  readonly context: BuildContext
  readonly warn: (message: string) => void
}

/** A module that imports prompts, and the module that it imports. */
export interface Importer {
  /** As the bundler names it. */
  readonly path: string
  readonly module: ImportedModule
}

/**
 * Checks the names that an importer uses: the view must have each. In a production build this also warns of
 * staging prompts whose contract the declarations, those of the live view, don't have.
 *
 * @throws PromptsError PROMPT_UNKNOWN, LIVE_UNREAD
 */
export async function checkUse(
  { project, snapshot: { plan }, context, warn }: UseCheck,
  { path, module: { staging } }: Importer,
  { use, names }: Pick<UseAnalysis, 'use' | 'names'>,
): Promise<void> {
  const view = staging ? plan.staging : plan
  const unknown = new Set(names)
  for (const prompt of view.prompts) for (const name of prompt.names) unknown.delete(name)
  if (unknown.size > 0) {
    const { unknownPrompts } = await import('./unknown-prompts.ts')
    const file = messagePath(context.root, path)
    throw await unknownPrompts([...unknown], { file, view, plan, context, project })
  }
  if (!context.production || staging || plan.environment === 'live') return
  const { listStagedContracts } = await import('./staged-contracts.ts')
  for (const warning of listStagedContracts(project, plan, use)) warn(warning)
}
