import { existsSync } from 'node:fs'
import { type LockPlan, type ModulePlan, planEntries } from '../../codegen/plan-module.ts'
import { truncateList } from '../../core/text/pluralize.ts'
import { type Entry, lockOf } from '../../core/lock/entry.ts'
import { describePart, isEdited } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { PromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../project/project.ts'
import type { Notify } from './notify.ts'

export interface Start {
  readonly production: boolean
  readonly notify: Notify
}

/** The plan of a lock, and the content that it was made from. */
export interface Started {
  readonly plan: LockPlan
  readonly text: string | undefined
}

/**
 * Loads the lock of a build, a dev server or an app, plans its modules, and prints what happened. A
 * production build reads no declarations: the pull that wrote the lock has written them, and `check`
 * compares them.
 *
 * @param known - the content of the lock, if it was read before
 */
export async function startProject(
  project: Project,
  start: Start,
  known?: string,
): Promise<Started> {
  const { entries, text } = await loadLock(project, start, known)
  const { dts } = project.options
  const needsDeclarations = dts !== false && (!start.production || !existsSync(dts))
  if (needsDeclarations)
    try {
      await project.writeDeclarations(lockOf(entries))
    } catch (error) {
      // The prompts of the build do not depend on them, and it may not ship the entry that is not valid.
      if (!start.production || !isPromptsError(error)) throw error
      start.notify('warn', `${error.why} The build goes on without declarations.`)
    }
  const plan = planEntries(entries, project.options.served.environment)
  assertProductionReady(project, plan, start)
  warnOfEdits(entries, start.notify)
  warnOfCollisions(plan, start.notify)
  return { plan, text }
}

/**
 * Plans the modules of the lock as it is now, of which a production build verifies only what it ships.
 *
 * @param text - the content of the lock, if it was read before
 */
export async function readPlan(
  project: Project,
  { production }: Pick<Start, 'production'>,
  text?: string,
): Promise<LockPlan> {
  const entries = await project.openLock({ text, production })
  return planEntries(entries, project.options.served.environment)
}

/** Warns about edited parts, whichever view they are in: code may import both. */
function warnOfEdits(entries: readonly Entry[], notify: Notify): void {
  const edited = entries.flatMap(({ heads }) => heads.filter(isEdited))
  if (edited.length === 0) return
  const names = edited.map((part) => describePart(part, sanitize))
  const list = truncateList(names, MAX_NAMED).join(', ')
  notify('warn', `Edited here, and not what the service serves: ${list}.`)
}

/** More prompts are only counted, so that the warning stays one line. */
const MAX_NAMED = 5

/** Warns about identifiers that several slugs map to, since none of them gets it. */
function warnOfCollisions({ collisions }: ModulePlan, notify: Notify): void {
  for (const { identifier, slugs } of collisions) {
    const either = slugs.map(sanitize).join(' or ')
    notify('warn', `prompts.${identifier} could be ${either}: use the slug.`)
  }
}

/** Staging versions in a production build: a warning or an error, by the option `production`. */
function assertProductionReady(
  { options }: Project,
  { environment, prompts }: LockPlan,
  { production, notify }: Start,
): void {
  if (!production || environment === 'live' || options.production === 'allow') return
  if (prompts.every(({ head }) => head.environment === 'live')) return
  const error = new PromptsError('TEST_IN_PRODUCTION', { path: options.lock })
  if (options.production === 'error') throw error
  // A variable says what this build is for.
  if (options.served.chosenBy !== 'variable') notify('warn', `${error.why} ${error.fix}`)
}

/**
 * Loads the lock of a build or dev server, following the option `pull`. With `missing` and a lock
 * it makes no request and needs no key. A production build verifies only what it ships.
 */
export async function loadLock(
  project: Project,
  { production, notify }: Start,
  known?: string,
): Promise<{ readonly entries: readonly Entry[]; readonly text: string | undefined }> {
  const { options, lock } = project
  const isAlways = options.pull === 'always'
  if (isAlways) await (await import('./pull-lock.ts')).pullOrFallBack(project, notify)
  // A pull has replaced what was read before.
  let text = isAlways || known === undefined ? await lock.readText() : known
  if (text === undefined && options.pull === 'missing') {
    await (await import('./pull-lock.ts')).pullMissing(project, notify)
    text = await lock.readText()
  }
  return { text, entries: await project.openLock({ text, production }) }
}
