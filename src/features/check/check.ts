/** Checks the lock: by itself, and against the options, the generated files and the service. */
import { basename } from 'node:path'
import type { ChangeRow } from '../../core/change-row.ts'
import { describeEffects, describeVersion } from '../../core/describe-change.ts'
import { type HeldPrompt, heldPrompts } from '../../core/drift.ts'
import { entriesOf } from '../../core/lock/entry.ts'
import { locateParts } from '../../core/lock/lock-lines.ts'
import type { FaultyLock } from '../../core/lock/canonical-lock.ts'
import { parseLock } from '../../core/lock/parse-lock.ts'
import type { KeptPart } from '../../core/next-lock.ts'
import { partCommand, shellWord } from '../../core/part-command.ts'
import { describePart, type Environment, isEdited, type Lock } from '../../core/prompt.ts'
import { formatCommand, suggestPull } from '../../core/workspace-name.ts'
import { indexBySlug } from '../../core/text/order.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { asPromptsError, isPromptsError, PromptsError } from '../../errors/prompts-error.ts'
import { readText, sha256 } from '../../fs/files.ts'
import { lockError, type LockOrigin } from '../../fs/lock-store.ts'
import { findIgnored } from '../../fs/git.ts'
import { isInside } from '../../fs/paths.ts'
import type { CallOptions } from '../../service/sender.ts'
import { type DriftReport, readDrift, readList, type ReadList } from '../diff/drift.ts'
import { compareOutput, type Output, planOutputs } from '../../output/generated-files.ts'
import type { Apps } from '../../plan/apps.ts'
import {
  describeExcluded,
  describeServedStaging,
  excludedParts,
  type Project,
} from '../project/project.ts'

interface CheckRequest extends CallOptions {
  /** Whether the service is left alone. */
  readonly isOffline: boolean
  /** Whether prompts whose text was edited here are findings. Default: they are not. */
  readonly failOn?: 'edited' | undefined
  /** Whether the service is asked even if there is no lock to compare it with. Default: false. */
  readonly needsNoLock?: boolean | undefined
}

export interface CheckReport {
  readonly steps: readonly FinishedStep[]
  /** `undefined` if it can't be read. */
  readonly lock: Lock | undefined
  /** The held prompts of the lock; with their pending updates if the service was asked. */
  readonly held: readonly HeldPrompt[]
  /** The parts that no key at hand reads, and other updates that can't be taken. */
  readonly kept: readonly KeptPart[]
}

/** What the service answered; `undefined` if it was not asked. A list if there is no lock to compare with. */
type Answer = DriftReport | ReadList | PromptsError | undefined

/**
 * Checks the lock's integrity, the options, the generated files, and whether the service still
 * serves the pinned prompts. Writes nothing.
 */
export async function check(project: Project, request: CheckRequest): Promise<CheckReport> {
  const text = await readText(project.lock.path)
  const locate = findingLocator(project.lock.path, text ?? '')
  const { lock, findings } = checkLock(project.lock, text, locate)
  const options = lock && checkOptions(project, lock, locate)
  const answer = await ask(project, options?.length === 0 ? lock : undefined, request)
  const edited = lock && request.failOn === 'edited' ? findEdited(project.lock, lock, locate) : []
  const { declarations, files } = lock ? await checkGenerated(project, lock) : {}
  const compared = answer !== undefined && 'drift' in answer ? answer : undefined
  const drift = driftFindings(compared?.drift ?? [], project.lock, locate)
  const staging = describeServedStaging(project.options)
  const count = pluralize(indexBySlug(lock?.parts).size, 'prompt')
  return {
    steps: listSteps({
      lock: summarize([...findings, ...edited], `valid, ${count}`),
      options: summarize(options, staging ? `match the lock; ${staging}` : 'match the lock'),
      declarations: summarize(declarations, 'current'),
      files: files && summarize(files, 'current'),
      service: checkService(answer, drift),
    }),
    lock,
    held: compared?.held ?? (lock === undefined ? [] : heldPrompts(lock)),
    kept: compared?.kept ?? [],
  }
}

/** Asks the service: one list request, no metered read. */
async function ask(
  project: Project,
  lock: Lock | undefined,
  request: CheckRequest,
): Promise<Answer> {
  if (request.isOffline) return undefined
  if (lock !== undefined) return readDrift(project, lock, request).catch(asPromptsError)
  if (!request.needsNoLock) return undefined
  return readList(project, request).catch(asPromptsError)
}

type Findings = { [Kind in Output['kind']]?: Finding[] }

async function checkGenerated(project: Project, lock: Lock): Promise<Findings> {
  const findings: Findings = {}
  const apps = await project.apps()
  const { root, name } = project.options
  for (const output of await planOutputs(apps, lock)) {
    const { kind, root: folder } = output
    const ofApp = folder === root ? '' : ` --root ${shellWord(folder)}`
    const fix = `Run \`npx ${formatCommand(name, `generate${ofApp}`)}\`.`
    ;(findings[kind] ??= []).push(...(await checkOutput(output, fix)))
  }
  const unnamed = await checkUnnamed(apps, lock)
  return unnamed === undefined
    ? findings
    : { ...findings, files: [...(findings.files ?? []), ...unnamed] }
}

/**
 * Checks the generated folders that no option names. One may have the view that is not the default.
 *
 * @returns `undefined` if there are none
 */
async function checkUnnamed(apps: Apps, lock: Lock): Promise<Finding[] | undefined> {
  const { findOutDirs } = await import('../../output/out-dir.ts')
  const [{ root, name }] = apps
  const found = await Promise.all(apps.map((app) => findOutDirs(app.root, name)))
  const named = apps.flatMap(({ outDir }) => outDir ?? [])
  const unnamed = [...new Set(found.flat())].filter((folder) => !named.includes(folder))
  // A build that copies a named folder makes it anew.
  const names = new Set(named.map((folder) => basename(folder)))
  const ignored = names.size > 0 ? await findIgnored(root, unnamed) : undefined
  const isCopy = (folder: string): boolean =>
    names.has(basename(folder)) && ignored?.has(folder) === true
  const folders = unnamed.filter((folder) => !isCopy(folder)).toSorted()
  if (folders.length === 0) return undefined
  const findings = folders.map(async (outDir) => {
    const app = apps.findLast((one) => isInside(one.root, outDir)) ?? apps[0]
    const other: Environment = app.environment === 'live' ? 'test' : 'live'
    const views = [app.environment, other].map(async (environment) => {
      const view = environment === other ? ` --environment ${other}` : ''
      const command = formatCommand(name, `generate --out-dir ${shellWord(outDir)}${view}`)
      const fix = `Run \`npx ${command}\`. With the option \`outDir\`, pulls do that.`
      const [output] = await planOutputs([{ ...app, environment, dts: false, outDir }], lock)
      return output ? checkOutput(output, fix) : []
    })
    const [own = [], others = []] = await Promise.all(views)
    // Its view is that from which it differs less.
    return others.length < own.length ? others : own
  })
  return (await Promise.all(findings)).flat()
}

async function checkOutput(output: Output, fix: string): Promise<Finding[]> {
  const { kind } = output
  const subject = kind === 'files' ? 'This generated file does' : 'The declarations do'
  return (await compareOutput(output)).flatMap(({ path: file, state }) => {
    if (state === 'current') return []
    const message = `${subject} not ${state === 'missing' ? 'exist' : 'match the lock'}.`
    return [{ kind: `${kind}-${state}`, severity: 'warning', message, fix, file, line: 1 }]
  })
}

function checkService(answer: Answer, findings: readonly Finding[]): StepResult {
  if (answer === undefined) return skipped(NOT_CHECKED)
  if (isPromptsError(answer)) return { state: 'error', error: answer }
  const state =
    'drift' in answer ? labelsAlike(answer) : `lists ${pluralize(answer.prompts.length, 'prompt')}`
  const { planStatus } = answer
  const plan = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  return summarize(findings, sanitize(state + plan))
}

const NOT_CHECKED = 'not checked'

/** A text may be rewritten under its label. What does not fit was read. */
function labelsAlike({ held, kept, reads }: DriftReport): string {
  const misfits = kept.filter(({ reason }) => reason === 'refused').length
  const unread = kept.length - misfits
  const updates = held.filter(({ update }) => update).length
  const counts = [
    ...(updates > 0 ? [pluralize(updates, 'held update')] : []),
    ...(unread > 0 ? [`${pluralize(unread, 'version')} not fetched`] : []),
    ...(misfits > 0
      ? [`${pluralize(misfits, 'version')} that ${misfits === 1 ? 'does' : 'do'} not fit`]
      : []),
  ]
  const texts = reads === 0 ? 'no text was fetched' : `${pluralize(reads, 'text')} fetched`
  return `${['lists what is pinned', ...counts].join(', and ')}; ${texts}`
}

/** Says the first finding and counts the others. */
function summarize(findings: readonly Finding[] | undefined, fine: string): StepResult {
  if (findings === undefined) return skipped(NOT_CHECKED)
  const [first, ...others] = findings
  if (first === undefined) return ok(fine)
  const { message, fix, line } = first
  // Some messages have it.
  const at = line > 1 && !message.includes('(line ') ? ` (line ${line})` : ''
  const more = others.length === 0 ? '' : ` And ${pluralize(others.length, 'more finding')}.`
  const state = findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning'
  return { state, message: message + at + more, fix, findings }
}

/**
 * Checks the format, the integrity and the order of the lock.
 *
 * @param text - the text of its file; `undefined` if there is none
 * @returns also the lock; `undefined` if it is invalid
 */
function checkLock(
  source: LockOrigin,
  text: string | undefined,
  locate: LocateFinding,
): { readonly lock?: Lock; readonly findings: readonly Finding[] } {
  const { path, workspace } = source
  if (text === undefined) {
    const { code, why, fix } = new PromptsError('LOCK_MISSING', { path, workspace })
    const message = `[${code}] ${why}`
    return { findings: [locate({ kind: 'lock-missing', severity: 'error', message, fix })] }
  }
  const parsed = parseLock(text, sha256)
  if (parsed.kind === 'fault') return { findings: brokenFindings(parsed, source, locate) }
  const { lock, unsorted: slug } = parsed
  if (slug === undefined) return { lock, findings: [] }
  const message = `${sanitize(slug)} is out of order: the prompts of the lock must be sorted by slug.`
  const fix = `Run \`npx ${formatCommand(workspace, 'generate')}\`.`
  const finding = locate({ kind: 'lock-unsorted', severity: 'warning', slug, message, fix })
  return { lock, findings: [finding] }
}

function brokenFindings(broken: FaultyLock, source: LockOrigin, locate: LocateFinding): Finding[] {
  const { why, fix } = lockError(broken, source)
  const { code, details } = broken.fault
  const message = `[${code}] ${why}`
  const finding = { kind: 'lock-broken', severity: 'error', message, fix } as const
  if (code === 'LOCK_CONFLICTED') return [{ ...locate(finding), line: details.line }]
  if (code === 'LOCK_SYNTAX') {
    const { line, slug } = details
    return [{ ...locate(finding), line, ...(slug !== undefined && { slug }) }]
  }
  if (code !== 'LOCK_EDITED') return [locate(finding)]
  return (broken.parts ?? []).map(({ slug, environment }) => {
    const name = describePart({ slug, environment }, sanitize)
    const edited = `[${code}] ${name} was changed by hand: its hash doesn't match.`
    return locate({ ...finding, slug, environment, message: edited })
  })
}

function findEdited({ workspace }: LockOrigin, { parts }: Lock, locate: LocateFinding): Finding[] {
  return parts.filter(isEdited).map((part) => {
    const { slug, environment, version } = part
    const [restore, unhold] = [
      partCommand(workspace, 'restore', [part], '--from HEAD'),
      partCommand(workspace, 'unhold', [part]),
    ]
    const created = environment === 'test' ? ', or if it was created here' : ''
    const fix = `To go back, run \`${restore}\`, or take an earlier commit. Once the text is published in the service${created}, run \`${unhold}\` and \`npx ${formatCommand(workspace, 'pull')}\`.`
    const name = describePart({ slug, environment }, sanitize)
    const message = `The text of ${name} was edited here: ${sanitize(version)}.`
    const finding = { kind: 'prompt-edited', severity: 'warning', slug, environment } as const
    return locate({ ...finding, message, fix }, 'version')
  })
}

function checkOptions(
  { options, lock: { workspace } }: Pick<Project, 'options' | 'lock'>,
  lock: Lock,
  locate: LocateFinding,
): Finding[] {
  const fix = suggestPull(workspace)
  return excludedParts(entriesOf(lock), options).map(({ slug, environment }) => {
    const text = describeExcluded({ slug, environment })
    const message = `The lock does not match the options: ${sanitize(text)}.`
    return locate({ kind: 'lock-unfit', severity: 'error', slug, environment, message, fix })
  })
}

function driftFindings(
  rows: readonly ChangeRow[],
  { workspace }: LockOrigin,
  locate: LocateFinding,
): Finding[] {
  const fix = suggestPull(workspace)
  return rows.map((row) => {
    const { slug, environment, kind } = row
    const message = `${describePart(row, sanitize)} ${describeDrift(row)}.`
    const finding = { kind: `prompt-${kind}`, severity: 'warning', slug, environment } as const
    return locate({ ...finding, message, fix }, fieldOf(row))
  })
}

function describeDrift(row: ChangeRow): string {
  if (row.kind === 'removed') return 'was removed from the service'
  const version = describeVersion(row, sanitize)
  if (row.kind === 'added') return `(${version}) is in the service but not pinned`
  // That no text was read is true of all rows or of none.
  const effects = row.effects.filter(({ kind }) => kind !== 'unread')
  const words = effects.length > 0 ? [describeEffects({ ...row, effects }, sanitize)] : []
  return `differs in the service: ${[...(isRelabelled(row) ? [version] : []), ...words].join(', ')}`
}

function isRelabelled({ version }: ChangeRow): boolean {
  return version.before !== version.after
}

/** The field of the lock to point at. A list of the service shows the version and settings. */
function fieldOf(row: ChangeRow): string | undefined {
  if (row.kind !== 'updated') return undefined
  const setting = row.effects.find((effect) => effect.kind === 'setting')
  return isRelabelled(row) ? 'version' : setting?.field
}

/** The steps, and what they are called. */
export const STEP_TITLES = {
  node: 'Node',
  package: 'Package',
  configuration: 'Configuration',
  key: 'Key',
  url: 'URL',
  git: 'Git',
  lock: 'Lock',
  options: 'Options',
  declarations: 'Declarations',
  files: 'Generated files',
  service: 'Service',
  code: 'App code',
} as const

export type StepName = keyof typeof STEP_TITLES

/**
 * `error`: a build or a pull fails. `warning`: something may be wrong, is out of date, or does not compile.
 * `skipped`: it was not checked, or there is nothing to check.
 */
export type StepState = 'ok' | 'warning' | 'error' | 'skipped'

export type StepResult =
  | {
      readonly state: StepState
      /** Sanitized, except for its own line breaks. */
      readonly message: string
      /** What to do, if there is something. */
      readonly fix?: string
      /** What the message sums up. */
      readonly findings?: readonly Finding[]
    }
  | { readonly state: StepState; readonly error: PromptsError }

export type FinishedStep = StepResult & { readonly name: StepName }

/**
 * Returns the steps that were run.
 *
 * @param results - in their order; `undefined` if what a step checks is not in the project
 */
export function listSteps(
  results: Partial<Record<StepName, StepResult | undefined>>,
): FinishedStep[] {
  return Object.entries(results).flatMap(([name, result]) =>
    result === undefined ? [] : [{ name: name as StepName, ...result }],
  )
}

/** What the steps have found, but for errors that were raised. */
export function findingsOf(steps: readonly FinishedStep[]): Finding[] {
  return steps.flatMap((step) => ('error' in step ? [] : (step.findings ?? [])))
}

export function ok(message: string): StepResult {
  return { state: 'ok', message }
}

/** The result that there is nothing to check. */
export function skipped(message: string): StepResult {
  return { state: 'skipped', message }
}

type FindingKind =
  | `lock-${'missing' | 'broken' | 'unsorted' | 'unfit'}`
  | `${'declarations' | 'files'}-${'missing' | 'stale'}`
  | `prompt-${'edited' | 'added' | 'removed' | 'updated'}`

/** One problem that a check found. */
export interface Finding {
  readonly kind: FindingKind
  /**
   * `error`: a build would fail or use wrong prompts. `warning`: something is out of date, or was edited here.
   */
  readonly severity: 'error' | 'warning'
  /** The slug of the prompt, as served: sanitize it before printing. */
  readonly slug?: string
  /** Which part of the prompt. */
  readonly environment?: Environment
  /** Sanitized, except for its own line breaks. */
  readonly message: string
  /** How to fix it. */
  readonly fix: string
  /** Absolute path. */
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/** Completes a finding of the lock with its line: that of a field of its prompt. Default: of the slug. */
type LocateFinding = (finding: Omit<Finding, 'file' | 'line'>, field?: string) => Finding

/** Finds lines in the text of a lock; 1 for what is not there. */
function findingLocator(file: string, text: string): LocateFinding {
  const lineOf = locateParts(text)
  return (finding, field) => {
    const { slug = '', environment = 'live' } = finding
    return { ...finding, file, line: lineOf({ slug, environment }, field) ?? 1 }
  }
}
