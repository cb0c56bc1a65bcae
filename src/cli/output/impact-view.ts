import { resolve } from 'node:path'
import { riskyChanges } from '../../core/classify-change.ts'
import { applyChanges } from '../../core/compare.ts'
import { describeImpact } from '../../core/describe-change.ts'
import { IMPACT_TEXTS } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import type { PullDraft } from '../../features/pull/draft.ts'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import { findImpact } from '../../features/usage/impact.ts'
import type { ProjectContext } from '../project-command.ts'
import { displayReason, formatPlace } from './change-view.ts'
import type { Channel } from './channel.ts'

/** The option of every command that looks at the app's code. */
export const codeOptions = {
  tsconfig: {
    placeholder: 'path',
    description: "The app's tsconfig (default: tsconfig.json or jsconfig.json in the root)",
  },
} as const

/** A call of a command that looks at the app's code. */
export interface CodeContext extends ProjectContext {
  readonly values: { readonly tsconfig?: string | undefined }
}

/**
 * Where a command finds the code of the apps.
 *
 * @param live - the live lock that is going to be written. Default: the one on disk
 */
export async function codeLocation(
  { project, cwd, values: { tsconfig } }: CodeContext,
  live?: Lock,
): Promise<AppLocation> {
  const location = await project.locate(tsconfig === undefined ? undefined : resolve(cwd, tsconfig))
  return live === undefined ? location : { ...location, locks: { ...location.locks, live } }
}

/** Changes of a lock. */
type LockChanges = Pick<PullDraft, 'before' | 'changes' | 'live'>

/**
 * Finds what changes to a lock would break in the app.
 *
 * @throws PromptsError TSCONFIG_INVALID, TYPES_NOT_FOUND
 */
export async function impactOfChanges(
  context: CodeContext,
  { before, changes, live }: LockChanges,
): Promise<ImpactReport> {
  const after = { ...before, prompts: applyChanges(before.prompts, changes) }
  return findImpact({ ...(await codeLocation(context, live)), before, after })
}

/**
 * What an update breaks in the app; `undefined` if it can't break anything, since no contract changes,
 * and `null` if the app could not be analysed.
 */
export type CheckedImpact = ImpactReport | null | undefined

/** Checks what changes of the lock break, if they can: that takes a type check. */
export async function checkImpact(
  context: CodeContext,
  draft: LockChanges,
): Promise<CheckedImpact> {
  if (riskyChanges(draft.before, draft.changes).length === 0) return undefined
  const { messages } = context.terminal
  messages.line(messages.dim(IMPACT_TEXTS.started))
  try {
    return await impactOfChanges(context, draft)
  } catch (error) {
    if (isPromptsError(error, 'PACKAGE_MISSING')) throw error
    // Only a warning, so a pull can still repair the lock.
    const reason = isPromptsError(error) ? error.why : sanitize(String(error))
    messages.line(messages.mark('warning', IMPACT_TEXTS.failed(reason)))
    return null
  }
}

/** More places are only counted. */
const PLACES_SHOWN = 50

/** Prints the places that would stop working and the unproven uses, or that there is none, after an empty line. */
export function printImpact({ findings, files }: ImpactReport, channel: Channel): void {
  if (findings.length === 0) {
    if (files === 0) return channel.line('', channel.mark('warning', IMPACT_TEXTS.unused))
    return channel.line('', channel.mark('ok', `Nothing breaks in ${pluralize(files, 'file')}.`))
  }
  const rows = findings.map((finding) => [
    formatPlace(finding),
    channel.style('bold', sanitize(finding.slug ?? '')),
    displayReason(finding.reason),
  ])
  const isProven = findings.some(({ kind }) => kind !== 'unproven')
  const title = channel.mark(isProven ? 'error' : 'warning', `${describeImpact(findings)}:`)
  channel.section(title, rows, PLACES_SHOWN)
}
