import { resolve } from 'node:path'
import { positionAt, type UseAnalysis } from '../analysis/by-use/used-names.ts'
import type { ModulePlan } from '../codegen/plan-module.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { readForeignText } from '../fs/files.ts'
import { type ImportedModule, messagePath } from './ids.ts'
import type { BuildContext, Session } from './session.ts'

/** What a build checks uses with. */
interface UseCheck {
  readonly session: Session
  readonly context: BuildContext
  /** The warnings of this build so far, each once. */
  readonly warned: Set<string>
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
 * @throws PromptsError PROMPT_UNKNOWN, LIVE_UNREAD; what loading the snapshot throws
 */
export async function checkUse(
  { session, context, warned }: UseCheck,
  { path, module: { staging } }: Importer,
  { use, names }: Pick<UseAnalysis, 'use' | 'names'>,
): Promise<void> {
  const { production, notify } = context
  const { plan } = await session.snapshot()
  const view = staging ? plan.staging : plan
  const unknown = new Set(names)
  for (const prompt of view.prompts) for (const name of prompt.names) unknown.delete(name)
  if (unknown.size > 0) {
    const { service } = (await session.project()).options
    const views = { view, staging: plan.staging }
    throw await unknownPrompts([...unknown], path, { ...context, service: service?.name }, views)
  }
  if (!production || staging || plan.environment === 'live') return
  const { listStagedContracts } = await import('./staged-contracts.ts')
  const warnings = listStagedContracts(await session.project(), plan, use)
  for (const warning of warnings.filter((text) => !warned.has(text))) {
    warned.add(warning)
    notify('warn', warning)
  }
}

function namesIn({ prompts }: ModulePlan): string[] {
  return prompts.flatMap(({ names }) => names)
}

/** The error for names that a view does not have. */
async function unknownPrompts(
  unknown: readonly string[],
  importer: string,
  { root, ids: { workspace }, service }: BuildContext & { readonly service: string | undefined },
  { view, staging }: Readonly<Record<'view' | 'staging', ModulePlan>>,
): Promise<PromptsError> {
  const path = messagePath(root, importer)
  const text = (await readForeignText(resolve(root, path)).catch(() => undefined)) ?? ''
  const placeOf = (name: string): string => path + positionOf(name, text)
  const staged = new Set(namesIn(staging))
  const wrong = unknown.filter((name) => !staged.has(name))
  if (wrong.length === 0)
    return new PromptsError('LIVE_UNREAD', {
      path: placeOf(unknown[0] ?? ''),
      slugs: unknown,
      workspace,
      service,
    })
  const problems = wrong.map(
    (name) => `${placeOf(name)} ${name}.${didYouMean(name, namesIn(view))}`,
  )
  return new PromptsError('PROMPT_UNKNOWN', { problems, workspace })
}

/** Where a file, before all plugins, has the name of a member or an import: `:6:12`. */
function positionOf(name: string, text: string): string {
  const escaped = name.replace(/[^\w\s]/g, '\\$&')
  const start = text.search(new RegExp(`(?<=[.'"\`{,]\\s*)${escaped}(?![\\w$-])`))
  return start === -1 ? '' : `:${positionAt(start, text)}`
}
