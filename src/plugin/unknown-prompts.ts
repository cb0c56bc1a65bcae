import { resolve } from 'node:path'
import { positionAt } from './by-use/used-names.ts'
import type { LockPlan, ModulePlan } from '../codegen/plan-module.ts'
import { didYouMean } from '../errors/did-you-mean.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { readForeignText } from '../fs/files.ts'
import type { Project } from '../features/project/project.ts'
import type { BuildContext } from './context.ts'

interface Request {
  /** With these names, relative to the root. */
  readonly file: string
  readonly view: ModulePlan
  readonly plan: LockPlan
  readonly context: BuildContext
  readonly project: Project
}

/** The error for names that a view does not have. */
export async function unknownPrompts(
  unknown: readonly string[],
  { file: path, view, plan, context, project }: Request,
): Promise<PromptsError> {
  const { root, ids } = context
  const { workspace } = ids
  const text = (await readForeignText(resolve(root, path)).catch(() => undefined)) ?? ''
  const placeOf = (name: string): string => path + positionOf(name, text)
  const staged = new Set(namesIn(plan.staging))
  const wrong = unknown.filter((name) => !staged.has(name))
  if (wrong.length === 0)
    return new PromptsError('LIVE_UNREAD', {
      path: placeOf(unknown[0] ?? ''),
      slugs: unknown,
      workspace,
      service: project.options.service?.name,
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

function namesIn({ prompts }: ModulePlan): string[] {
  return prompts.flatMap(({ names }) => names)
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
