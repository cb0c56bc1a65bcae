import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { asPromptsError, isPromptsError, type PromptsError } from '../../errors/prompts-error.ts'
import { formatCommand } from '../../errors/suggested-command.ts'
import { readText } from '../../fs/files.ts'
import { relativePath } from '../../fs/paths.ts'
import type { CallOptions } from '../../service/client.ts'
import { readDrift } from '../diff/drift.ts'
import { type Output, outputStates, printApp } from '../generate/generated-files.ts'
import type { Project } from '../project/project.ts'
import { type Finding, findingLocator } from './finding.ts'
import { checkLock, checkOptions, driftFindings, findEdited } from './lock-findings.ts'

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
  const locate = findingLocator(project.lock.path, text ?? '')
  const { lock, findings } = checkLock(project.lock, text, locate)
  if (lock === undefined) {
    const nothing = { lock, failure: undefined, held: [], drafts: [] }
    return { ...stepsOf({ lock: findings }), ...nothing }
  }
  const edited = request.failOn === 'edited' ? findEdited(project.lock, lock, locate) : []
  const options = checkOptions(project, lock, locate)
  const generated = request.isSecond ? {} : await checkGenerated(project, lock)
  const isAsked = options.length === 0 && !request.isOffline
  const answer = isAsked ? await readDrift(project, lock, request).catch(asPromptsError) : undefined
  const failure = isPromptsError(answer) ? answer : undefined
  const listed = isPromptsError(answer) ? undefined : answer
  const service = listed && driftFindings(listed.drift, project.lock, locate)
  const result = stepsOf({ lock: [...findings, ...edited], options, ...generated, service })
  return {
    ...result,
    steps: failure === undefined ? result.steps : { ...result.steps, service: 'failed' },
    lock,
    failure,
    held: listed?.held ?? heldPrompts(lock),
    drafts: listed?.drafts ?? [],
  }
}

/** The findings of each part. A part that was skipped has none. */
type Findings = { readonly [Step in StepName]?: readonly Finding[] | undefined }

function stepsOf(findings: Findings): Pick<CheckReport, 'findings' | 'steps'> {
  const stateOf = (step: StepName): StepState => {
    if (findings[step] === undefined) return 'skipped'
    return findings[step].length === 0 ? 'fine' : 'found'
  }
  return {
    findings: STEPS.flatMap((step) => findings[step] ?? []),
    steps: {
      lock: stateOf('lock'),
      options: stateOf('options'),
      declarations: stateOf('declarations'),
      files: stateOf('files'),
      service: stateOf('service'),
    },
  }
}

/** The findings in the generated files of all apps. */
async function checkGenerated(project: Project, lock: Lock): Promise<Findings> {
  const findings: { [Kind in Output['kind']]?: Finding[] } = {}
  for (const app of await project.apps())
    for (const output of await printApp(app, lock)) {
      const { kind } = output
      const more = await checkOutput(output, app, project.options.root)
      findings[kind] = [...(findings[kind] ?? []), ...more]
    }
  return findings
}

async function checkOutput(
  output: Output,
  { name, environment, root: folder }: ResolvedOptions,
  root: string,
): Promise<Finding[]> {
  const { kind, path, source } = output
  const command = [
    'generate',
    ...(environment === 'test' && source.lock.environment === 'test' ? ['--environment test'] : []),
    ...(folder === root ? [] : [`--root ${relativePath(root, folder)}`]),
    ...(kind === 'files' ? [`--out-dir ${relativePath(root, path)}`] : []),
  ]
  const fix = `Run \`npx ${formatCommand(name, command.join(' '))}\`.`
  const subject = kind === 'files' ? 'This generated file does' : 'The declarations do'
  return (await outputStates(output)).flatMap(({ path: file, state }) => {
    if (state === 'current') return []
    const message = `${subject} not ${state === 'missing' ? 'exist' : 'match the lock'}.`
    return [{ kind: `${kind}-${state}`, severity: 'drift', message, fix, file, line: 1 }]
  })
}
