import { checkLock, checkOptions, findEdited } from './lock-findings.ts'
import { checkDeclarations, checkFolder } from './file-findings.ts'
import { type LockText, serviceFindings } from './service-findings.ts'
import type { Finding } from './finding.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import { readDrift } from '../diff/drift.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { readText } from '../../fs/files.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import type { CallOptions } from '../../service/client.ts'
import type { Project } from '../project/project.ts'

export type { Finding } from './finding.ts'

/** How to check. */
export interface CheckRequest extends CallOptions {
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  /** Whether this is a test lock next to a live lock, which generated files follow. Default: false. */
  readonly isSecond?: boolean | undefined
  /** Whether prompts whose text was edited here are findings. Default: they are not. */
  readonly failOn?: 'edited' | undefined
}

/** The result of one part of a check. */
export type StepState = 'fine' | 'found' | 'skipped' | 'failed'

const STEPS = ['lock', 'options', 'declarations', 'files', 'service'] as const

/** The parts of a check, in order. */
export type StepName = (typeof STEPS)[number]

/** The part of a check that a finding is from. */
export function stepOf({ kind }: Finding): StepName {
  if (kind === 'lock-unfit') return 'options'
  if (kind === 'prompt-edited') return 'lock'
  const [name] = kind.split('-', 1)
  return name === 'lock' || name === 'declarations' || name === 'files' ? name : 'service'
}

/** What a check found. */
export interface CheckReport {
  readonly findings: readonly Finding[]
  readonly steps: Readonly<Record<StepName, StepState>>
  /** `undefined` if the lock can't be read. */
  readonly lock: Lock | undefined
  /** Why the service check failed. */
  readonly failure: PromptsError | undefined
  /** The held prompts of the lock; with their pending updates if the service was asked. */
  readonly held: readonly HeldPrompt[]
  /** Prompts of the test environment that may have changed under their label. */
  readonly drafts: readonly string[]
}

/**
 * Checks the lock's integrity, the options, the generated files, and whether the service still
 * serves the pinned prompts. Writes nothing.
 *
 * @throws PromptsError FILE_UNREADABLE; the reason of an abort
 */
export async function check(project: Project, request: CheckRequest): Promise<CheckReport> {
  const text = await readText(project.lock.path)
  const { lock, findings } = checkLock(project, text)
  if (text === undefined || lock === undefined) return report(undefined, { lock: findings })
  const edited = request.failOn === 'edited' ? findEdited(project.lock, lock, text) : []
  const options = checkOptions(project, lock, text)
  const apps = request.isSecond ? [] : await project.apps()
  const declarations = await checkApps(apps, (app) => checkDeclarations(app, project, lock))
  const files = await checkApps(apps, (app) => checkFolder(app, project, lock))
  const service =
    options.length > 0 || request.isOffline
      ? SKIPPED
      : await checkService(project, { file: project.lock, text, lock }, request)
  return report(lock, { lock: [...findings, ...edited], options, declarations, files }, service)
}

/** The findings in all apps; `undefined` if none of them has these files. */
async function checkApps(
  apps: readonly ResolvedOptions[],
  examine: (app: ResolvedOptions) => Promise<Finding[] | undefined>,
): Promise<Finding[] | undefined> {
  const found = (await Promise.all(apps.map(examine))).filter((findings) => findings !== undefined)
  return found.length === 0 ? undefined : found.flat()
}

/** The findings of each part. A part that was skipped has none. */
type Findings = { readonly [Step in StepName]?: readonly Finding[] | undefined }

function report(
  lock: Lock | undefined,
  offline: Findings,
  {
    findings: served,
    held = lock === undefined ? [] : heldPrompts(lock),
    ...service
  }: ServiceResult = SKIPPED,
): CheckReport {
  const found: Findings = { ...offline, service: served }
  return {
    findings: STEPS.flatMap((step) => found[step] ?? []),
    steps: {
      lock: stateOf(found.lock),
      options: stateOf(found.options),
      declarations: stateOf(found.declarations),
      files: stateOf(found.files),
      service: service.failure === undefined ? stateOf(served) : 'failed',
    },
    lock,
    held,
    ...service,
  }
}

function stateOf(findings: readonly Finding[] | undefined): StepState {
  if (findings === undefined) return 'skipped'
  return findings.length === 0 ? 'fine' : 'found'
}

/** The result of the service check. */
interface ServiceResult extends Pick<CheckReport, 'failure' | 'drafts'> {
  /** `undefined` if the service was not asked or did not answer. */
  readonly findings: readonly Finding[] | undefined
  readonly held?: readonly HeldPrompt[]
}

const SKIPPED: ServiceResult = {
  findings: undefined,
  failure: undefined,
  drafts: [],
}

async function checkService(
  project: Project,
  lock: LockText,
  request: CheckRequest,
): Promise<ServiceResult> {
  const listed = await readDrift(project, lock.lock, request).catch(asPromptsError)
  if (isPromptsError(listed)) return { ...SKIPPED, failure: listed }
  const { drift, held, drafts } = listed
  return { ...SKIPPED, findings: serviceFindings(drift, lock), held, drafts }
}
