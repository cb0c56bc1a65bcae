import { checkLock, checkOptions } from './check/lock-findings.ts'
import { findChanges, findDrift, type LockText } from './check/service-findings.ts'
import type { Finding } from './check/finding.ts'
import type { Lock } from './core/prompt.ts'
import { commandOf } from './core/workspace-command.ts'
import { diffWorkspace } from './diff.ts'
import { readDrift } from './drift.ts'
import { isPromptsError, type PromptsError } from './errors.ts'
import { declarationsState } from './generate.ts'
import { readText } from './io/files.ts'
import type { Project, ServiceWatch } from './project.ts'
import type { PullRequest } from './pull.ts'

export type { Finding } from './check/finding.ts'

/** How much of the service a check asks: nothing, one list call, or every prompt. */
export type ServiceDepth = 'offline' | 'list' | 'full'

/** How to check. */
export interface CheckRequest extends ServiceWatch, Pick<PullRequest, 'onProgress'> {
  readonly depth: ServiceDepth
}

/** What became of one part of a check. */
export type StepState = 'fine' | 'found' | 'skipped' | 'failed'

/** What a check looks at, in its order. */
export type StepName = 'lock' | 'options' | 'declarations' | 'service'

/** What a check found. */
export interface CheckReport {
  readonly findings: readonly Finding[]
  readonly steps: Readonly<Record<StepName, StepState>>
  /** `undefined` where the lock can't be read. */
  readonly lock: Lock | undefined
  /** Why the service could not be asked: then nothing is known of it. */
  readonly failure: PromptsError | undefined
  /** Prompts of the test environment that only a full check can tell. */
  readonly drafts: readonly string[]
  /** Single reads, which services commonly meter. */
  readonly reads: number
}

/**
 * Checks what an app is built from: the lock's integrity, its fit to the options, the
 * declarations, and whether the service still serves what is pinned. Writes nothing.
 *
 * @throws PromptsError FILE_UNREADABLE; the reason of an abort
 */
export async function check(project: Project, request: CheckRequest): Promise<CheckReport> {
  const text = (await readText(project.lock.path)) ?? ''
  const checked = await checkLock(project, text)
  if (checked.kind === 'broken') return report({ lock: undefined, broken: checked.findings })
  const { lock } = checked
  const unfit = checkOptions(project, lock, text)
  const declarations = await checkDeclarations(project, lock)
  const asked =
    unfit.length > 0 || request.depth === 'offline'
      ? SKIPPED
      : await askService(project, { file: project.lock, text, lock }, request)
  return report({ lock, unfit, declarations, asked })
}

/** The parts of a check, as far as it came; a part that is `undefined` was skipped. */
interface Parts {
  readonly lock: Lock | undefined
  readonly broken?: readonly Finding[]
  readonly unfit?: readonly Finding[]
  readonly declarations?: readonly Finding[] | undefined
  readonly asked?: Asked
}

function report(parts: Parts): CheckReport {
  const { lock, broken = [], unfit, declarations, asked = SKIPPED } = parts
  const { failure, drafts, reads } = asked
  const found = [broken, unfit, declarations, asked.findings]
  return {
    findings: found.flatMap((findings) => findings ?? []),
    steps: {
      lock: stateOf(broken),
      options: stateOf(unfit),
      declarations: stateOf(declarations),
      service: failure === undefined ? stateOf(asked.findings) : 'failed',
    },
    lock,
    failure,
    drafts,
    reads,
  }
}

function stateOf(findings: readonly Finding[] | undefined): StepState {
  if (findings === undefined) return 'skipped'
  return findings.length === 0 ? 'fine' : 'found'
}

const MESSAGES = {
  missing: 'The declarations do not exist.',
  stale: 'The declarations are not what the lock says.',
} as const

async function checkDeclarations({ options }: Project, lock: Lock): Promise<Finding[] | undefined> {
  const { dts } = options
  if (dts === false) return undefined
  const state = await declarationsState(lock, { dts, name: options.name, lock: options.lock })
  if (state === 'current') return []
  return [
    {
      kind: `declarations-${state}`,
      severity: 'drift',
      message: MESSAGES[state],
      fix: `Run \`npx ${commandOf(options.name, 'generate')}\`.`,
      file: dts,
      line: 1,
    },
  ]
}

/** What asking the service gave. */
interface Asked extends Pick<CheckReport, 'failure' | 'drafts' | 'reads'> {
  /** `undefined` where it was not asked or did not answer. */
  readonly findings: readonly Finding[] | undefined
}

const SKIPPED: Asked = { findings: undefined, failure: undefined, drafts: [], reads: 0 }

async function askService(project: Project, lock: LockText, request: CheckRequest): Promise<Asked> {
  try {
    return await (request.depth === 'full' ? askAll : askList)(project, lock, request)
  } catch (error) {
    if (!isPromptsError(error)) throw error
    return { ...SKIPPED, failure: error }
  }
}

async function askList(project: Project, lock: LockText, watch: ServiceWatch): Promise<Asked> {
  const { drift, drafts } = await readDrift(project, lock.lock, watch)
  return { ...SKIPPED, findings: findDrift(drift, lock), drafts }
}

async function askAll(
  { withService, options }: Project,
  lock: LockText,
  request: CheckRequest,
): Promise<Asked> {
  const { selects, concurrency } = options
  const { onProgress } = request
  const { changes, reads } = await withService(
    (service) => diffWorkspace(service, { before: lock.lock, selects, concurrency, onProgress }),
    request,
  )
  return { ...SKIPPED, findings: findChanges(changes, lock), reads }
}
