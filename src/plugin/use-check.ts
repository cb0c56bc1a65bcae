import { resolve } from 'node:path'
import { positionAt, type UseAnalysis } from './by-use/used-names.ts'
import type { ModulePlan } from '../codegen/plan-module.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { readForeignText } from '../fs/files.ts'
import { type ImportedModule, messagePath } from './ids.ts'
import type { BuildContext } from './context.ts'
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
    const { service } = project.options
    const views = { view, staging: plan.staging }
    throw await unknownPrompts([...unknown], path, { ...context, service: service?.name }, views)
  }
  if (!context.production || staging || plan.environment === 'live') return
  const { listStagedContracts } = await import('./staged-contracts.ts')
  for (const warning of listStagedContracts(project, plan, use)) warn(warning)
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
  const problems = wrong.map((name) => {
    const collision = view.collisions.find(({ identifier }) => identifier === name)
    const advice = collision
      ? ` It could be ${collision.slugs.join(' and ')}: use the slug.`
      : didYouMean(name, namesIn(view))
    return `${placeOf(name)} ${name}.${advice}`
  })
  return new PromptsError('PROMPT_UNKNOWN', { problems, workspace })
}

/**
 * Where a file, before all plugins, has the name of a member or an import: `:6:12`; empty if that is not certain,
 * because another object may have it, too.
 */
function positionOf(name: string, text: string): string {
  const [escaped, ...locals] = [name, 'prompts', ...localNames(text)].map((word) =>
    word.replaceAll(/[^\w\s]/g, '\\$&'),
  )
  const places = [...text.matchAll(new RegExp(`(?<=[.'"\`{,]\\s*)${escaped}(?![\\w$-])`, 'g'))]
  const member = new RegExp(
    `(?<![\\w$.])(?:${locals.join('|')})\\s*(?:\\??\\.\\s*|(?:\\?\\.\\s*)?\\[\\s*['"\`])$`,
  )
  const ofPrompts = places.find(({ index }) => member.test(text.slice(0, index)))
  const [place, ...others] = ofPrompts ? [ofPrompts] : places
  return place && others.length === 0 ? `:${positionAt(place.index, text)}` : ''
}

/** As in `import { prompts as staging }` and `import * as all`. */
function localNames(text: string): string[] {
  return Array.from(text.matchAll(/(?:\bprompts|\*)\s+as\s+([\w$]+)/g), ([, local = '']) => local)
}
