import { resolve } from 'node:path'
import {
  check as checkProject,
  type CheckReport,
  type ServiceDepth,
} from '../../../features/check/check.ts'
import { formatCommand } from '../../../errors/suggested-command.ts'
import type { ImpactReport } from '../../../features/usage/impact.ts'
import type { Project } from '../../../features/project/project.ts'
import { printFindings, printSteps } from './check-view.ts'
import { type Command, defineCommand, type ExitCode, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { annotationLines, writeJobSummary } from '../../output/github.ts'
import {
  codeLocation,
  codeOptions,
  impactOfChanges,
  printImpact,
} from '../../output/impact-view.ts'
import { type CheckJson, checkJson } from './json-check.ts'
import { openCommandProject, serviceLabel } from '../../command-project.ts'
import { startProgress } from '../../output/progress.ts'
import { printError } from '../../output/report-error.ts'

const options = {
  full: {
    type: 'flag',
    description: 'Read every prompt: also finds temperatures and rewritten texts',
  },
  offline: { type: 'flag', description: 'Do not ask the service; needs no key' },
  impact: {
    type: 'flag',
    description: 'Read every prompt and type-check the app: drift that breaks it fails',
  },
  ...codeOptions,
  'out-dir': {
    type: 'text',
    placeholder: 'dir',
    description: 'Also check the files in this folder (default: the option outDir)',
  },
  format: {
    type: 'choice',
    choices: ['text', 'github'],
    description: 'github marks lines of the lock in a pull request (default: text)',
  },
  ...projectOptions,
  ...globalOptions,
} as const

type CheckInvocation = Invocation<typeof options>

/** `prompts check`. */
export const check: Command = defineCommand({
  name: 'check',
  details: [
    'Checks that the lock is valid and matches the options, that the declarations are current, and that the service still serves the pinned prompts. The service check takes one list call and no metered read.',
    'Exits with 1 for errors and with 3 for drift: the service has updates, or a generated file is stale.',
  ],
  options,
  conflicts: [
    ['full', 'offline'],
    ['impact', 'offline'],
    ['format github', 'json'],
  ],
  examples: [
    ['prompts check --offline', 'on every push, without a key'],
    ['prompts check', 'also against the service'],
    ['prompts check --full --format github', 'nightly, with annotations and a job summary'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    const folder = values['out-dir']
    const outDir = folder === undefined ? {} : { outDir: resolve(invocation.cwd, folder) }
    const project = await openCommandProject(invocation, outDir)
    const { report, retries } = await checkWithProgress(project, invocation)
    const impact = await analyseImpact(project, report, invocation)
    const json = checkJson(report, retries)
    terminal.json(impact === undefined ? json : withImpact(json, impact))
    await printReport(project, report, invocation)
    if (impact !== undefined) printImpactSection(impact, invocation)
    return exitCodeOf(report, impact)
  },
})

async function checkWithProgress(
  project: Project,
  { terminal, signal, values }: CheckInvocation,
): Promise<{ report: CheckReport; retries: number }> {
  const readsAll = values.full || values.impact
  const depth: ServiceDepth = values.offline ? 'offline' : readsAll ? 'full' : 'list'
  const what = depth === 'offline' ? 'Checking' : `Checking against ${serviceLabel(project)}`
  const { onProgress, onRetry, retries, stop } = startProgress(terminal, what)
  const report = await checkProject(project, { depth, signal, onProgress, onRetry }).finally(stop)
  return { report, retries: retries() }
}

async function printReport(
  { lock: { workspace } }: Project,
  report: CheckReport,
  invocation: CheckInvocation,
): Promise<void> {
  const { terminal, values } = invocation
  if (values.json) return
  const { failure } = report
  if (values.format === 'github') {
    printSteps(report, terminal.messages)
    for (const line of annotationLines(report, invocation)) terminal.raw(`${line}\n`)
    await writeJobSummary(report, invocation)
  } else {
    printSteps(report, terminal.stdout)
    printFindings(report, terminal, invocation)
  }
  if (failure === undefined) return
  terminal.errors.line()
  printError(failure, terminal)
  if (failure.code === 'KEY_MISSING') {
    const command = formatCommand(workspace, 'check --offline')
    terminal.errors.line(`  Or check without the service: \`${command}\`.`)
  }
}

function printImpactSection(impact: ImpactReport, { terminal: { stdout } }: CheckInvocation): void {
  stdout.line()
  printImpact(impact, stdout)
}

function withImpact(json: CheckJson, { findings }: ImpactReport): CheckJson {
  return { ...json, ok: json.ok && findings.length === 0, impact: findings }
}

/** Analyses what the changes in the service break in the app. */
async function analyseImpact(
  project: Project,
  { lock, changes }: CheckReport,
  invocation: CheckInvocation,
): Promise<ImpactReport | undefined> {
  const { values } = invocation
  if (!values.impact || lock === undefined || changes === undefined) return undefined
  return impactOfChanges(lock, changes, codeLocation(project, invocation, values))
}

function exitCodeOf({ findings, failure }: CheckReport, impact?: ImpactReport): ExitCode {
  if (failure !== undefined || findings.some(({ severity }) => severity === 'fault')) return 1
  return findings.length + (impact?.findings.length ?? 0) === 0 ? 0 : 3
}
