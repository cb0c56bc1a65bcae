import { join } from 'node:path'
import { accessOf, keyOf } from '../../../core/app-code.ts'
import { promptVariables } from '../../../core/compare.ts'
import { planNames } from '../../../core/names.ts'
import type { Lock } from '../../../core/prompt.ts'
import type { SetupPlan } from '../../../features/init/init.ts'
import type { ManualStep } from '../../../features/init/project-files.ts'
import { unifiedPatch } from '../../../features/diff/text-diff.ts'
import { readText } from '../../../fs/files.ts'
import { printPatch } from '../../output/change-view.ts'
import type { Terminal } from '../../output/terminal.ts'
import type { ServiceChoice } from './choose-setup.ts'
import type { FirstPull } from './first-pull.ts'

/** Prints the detected bundler and the planned changes. */
export function printPlan({ bundler, changes }: SetupPlan, { stdout, messages }: Terminal): void {
  const found = bundler === undefined ? 'no bundler' : bundler.title
  messages.line(`${messages.dim('Found')} ${found}`)
  messages.line()
  if (changes.length === 0) messages.line(messages.mark('ok', 'Every file is set up.'))
  const rows = changes.map(({ name, kind, what }) => [
    kind === 'created' ? stdout.style('green', '+ create') : stdout.style('yellow', '~ update'),
    name,
    stdout.dim(what),
  ])
  stdout.rows(rows)
}

/**
 * Prints every edit of a plan as a unified patch. A key in it must be hidden before.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function printSetupDiff(
  { root, changes }: SetupPlan,
  { messages }: Terminal,
): Promise<void> {
  for (const { name, kind, text } of changes) {
    const current = (await readText(join(root, name))) ?? ''
    const old = kind === 'created' ? '/dev/null' : `a/${name}`
    messages.line()
    printPatch(unifiedPatch(current, text, { old, now: `b/${name}` }), messages)
  }
}

/** Prints the manual steps, with the lines to copy. */
export function printManual(
  steps: readonly ManualStep[],
  { stdout, messages, suggest }: Terminal,
): void {
  for (const { what, lines } of steps) {
    messages.line('', `${messages.style('cyan', '→')} ${what}`)
    for (const line of lines) stdout.exactLine(`    ${suggest(line)}`)
  }
}

/** What is left to do if the package was not installed. */
export function installStep({ install }: Pick<SetupPlan, 'install'>): ManualStep[] {
  return install === undefined ? [] : [{ what: 'Install the package:', lines: [install] }]
}

/** The next steps after the first pull. */
export function nextSteps(
  { state, lock }: FirstPull,
  service: ServiceChoice['kind'],
  { load }: Pick<SetupPlan, 'load'>,
): ManualStep[] {
  const pull = ['npx prompts pull']
  if (state === 'pinned') return []
  if (state === 'pulled') {
    const what = 'Commit the lock, and use a prompt in your code:'
    const use = { what, lines: useOf(lock, load) }
    return service === 'example' ? [EDIT_EXAMPLE, use] : [use]
  }
  if (state === 'uninstalled') return [{ what: 'When it is installed:', lines: pull }]
  return [
    {
      what: 'Set PROMPTS_BASE_URL and PROMPTS_API_KEY in .env.local (see .env.example). Then:',
      lines: pull,
    },
    {
      what: 'No account yet? Begin with an example on this machine:',
      lines: ['npx prompts init --example'],
    },
  ]
}

/** The code that renders one of the pinned prompts, with a placeholder for each value. */
function useOf(lock: Lock | undefined, load: string): string[] {
  const prompts = lock?.prompts ?? []
  const prompt = prompts.find((each) => promptVariables(each).length > 0) ?? prompts[0]
  if (prompt === undefined) return [load]
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  const access = accessOf({ ...prompt, identifier: identifiers.get(prompt.slug) ?? null })
  const values = promptVariables(prompt).map((name) => `${keyOf(name)}: '…'`)
  const given = values.length === 0 ? '' : `{ ${values.join(', ')} }`
  return [load, `const { messages } = ${access}.render(${given})`]
}

const EDIT_EXAMPLE: ManualStep = {
  what: 'Serve the example before you run `pull`, `diff`, `check` or `doctor`. To change it, edit prompts.workspace.yaml, and pull in another terminal:',
  lines: ['npx prompts serve', 'npx prompts pull'],
}
