import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import type { Lock } from '../../core/prompt.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../core/suggested-command.ts'
import { readText } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import type { CallOptions } from '../../service/sender.ts'
import { type DriftReport, readDrift, readList, type ReadList } from '../diff/drift.ts'
import { compareOutput, type Output, planOutputs } from '../generate/generated-files.ts'
import type { Project } from '../project/project.ts'
import { checkLock, checkOptions, driftFindings, findEdited } from './lock-findings.ts'
import {
  type Finding,
  findingLocator,
  type FinishedStep,
  listSteps,
  ok,
  skipped,
  type StepResult,
  type StepResults,
} from './step.ts'

interface CheckRequest extends CallOptions {
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  /** Whether prompts whose text was edited here are findings. Default: they are not. */
  readonly failOn?: 'edited' | undefined
}

export interface CheckReport {
  readonly steps: readonly FinishedStep[]
  readonly findings: readonly Finding[]
  /** `undefined` if the lock can't be read. */
  readonly lock: Lock | undefined
  /** Why the service check failed. */
  readonly failure: PromptsError | undefined
  /** The held prompts of the lock; with their pending updates if the service was asked. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. */
  readonly kept: readonly KeptPart[]
}

/**
 * Checks the lock's integrity, the options, the generated files, and whether the service still
 * serves the pinned prompts. Writes nothing.
 */
export async function check(project: Project, request: CheckRequest): Promise<CheckReport> {
  const { lock, answer, ...results } = await examine(project, request)
  const steps = listSteps(results.steps)
  const drift = answer !== undefined && 'drift' in answer ? answer : undefined
  return {
    steps,
    findings: steps.flatMap((step) => ('error' in step ? [] : (step.findings ?? []))),
    lock,
    failure: isPromptsError(answer) ? answer : undefined,
    held: drift?.held ?? (lock === undefined ? [] : heldPrompts(lock)),
    kept: drift?.kept ?? [],
  }
}

interface ExamineRequest extends CheckRequest {
  /** Whether the service is asked even if there is no lock to compare it with. Default: false. */
  readonly needsNoLock?: boolean
}

/** What the service answered; `undefined` if it was not asked. A list if there is no lock to compare with. */
type Answer = DriftReport | ReadList | PromptsError | undefined

/** The lock, `undefined` if it can't be read, and all that can be said about it. */
export async function examine(
  project: Project,
  request: ExamineRequest,
): Promise<Pick<CheckReport, 'lock'> & { readonly answer: Answer; readonly steps: StepResults }> {
  const text = await readText(project.lock.path)
  const locate = findingLocator(project.lock.path, text ?? '')
  const { lock, findings } = checkLock(project.lock, text, locate)
  const options = lock && checkOptions(project, lock, locate)
  const answer = await ask(project, options?.length === 0 ? lock : undefined, request)
  const edited = lock && request.failOn === 'edited' ? findEdited(project.lock, lock, locate) : []
  const { declarations, files } = lock ? await checkGenerated(project, lock) : {}
  const drift = answer !== undefined && 'drift' in answer ? answer.drift : []
  const count = pluralize(indexBySlug(lock?.parts).size, 'prompt')
  // `lock` and `service` come before and after what needs it.
  const steps = {
    lock: summarize([...findings, ...edited], `valid, ${count}, ${lock?.environment ?? ''}`),
    options: summarize(options, 'match the lock'),
    declarations: summarize(declarations, 'current'),
    files: files && summarize(files, 'current'),
    service: checkService(answer, driftFindings(drift, project.lock, locate)),
  }
  return { lock, answer, steps }
}

/** Asks the service: one list request, no metered read. */
async function ask(
  project: Project,
  lock: Lock | undefined,
  request: ExamineRequest,
): Promise<Answer> {
  if (request.isOffline) return undefined
  if (lock !== undefined) return readDrift(project, lock, request).catch(asPromptsError)
  if (!request.needsNoLock) return undefined
  return readList(project, request).catch(asPromptsError)
}

type Findings = { [Kind in Output['kind']]?: Finding[] }

async function checkGenerated(project: Project, lock: Lock): Promise<Findings> {
  const findings: Findings = {}
  for (const output of await planOutputs(await project.apps(), lock))
    (findings[output.kind] ??= []).push(...(await checkOutput(output, project.options)))
  return findings
}

async function checkOutput(
  output: Output,
  { name, root }: Pick<Project['options'], 'name' | 'root'>,
): Promise<Finding[]> {
  const { kind, root: folder } = output
  const command = ['generate', ...(folder === root ? [] : [`--root ${relativePath(root, folder)}`])]
  const fix = `Run \`npx ${formatCommand(name, command.join(' '))}\`.`
  const subject = kind === 'files' ? 'This generated file does' : 'The declarations do'
  return (await compareOutput(output)).flatMap(({ path: file, state }) => {
    if (state === 'current') return []
    const message = `${subject} not ${state === 'missing' ? 'exist' : 'match the lock'}.`
    return [{ kind: `${kind}-${state}`, severity: 'drift', message, fix, file, line: 1 }]
  })
}

function checkService(answer: Answer, findings: readonly Finding[]): StepResult {
  if (answer === undefined) return skipped(NOT_CHECKED)
  if (isPromptsError(answer)) return { state: 'error', error: answer }
  const state =
    'drift' in answer ? LABELS_ALIKE : `lists ${pluralize(answer.prompts.length, 'prompt')}`
  const { planStatus } = answer
  const plan = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  return summarize(findings, sanitize(state + plan))
}

const NOT_CHECKED = 'not checked'

/** A text may be rewritten under its label. */
const LABELS_ALIKE = 'lists what is pinned; texts were not read'

/** Says the first finding and counts the others. */
function summarize(findings: readonly Finding[] | undefined, fine: string): StepResult {
  if (findings === undefined) return skipped(NOT_CHECKED)
  const [first, ...others] = findings
  if (first === undefined) return ok(fine)
  const { message, fix, line } = first
  const at = line > 1 ? ` (line ${line})` : ''
  const more = others.length === 0 ? '' : ` And ${pluralize(others.length, 'more finding')}.`
  const state = findings.some(({ severity }) => severity === 'fault') ? 'error' : 'warning'
  return { state, message: message + at + more, fix, findings }
}
