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

/**
 * Prints the bundler and the planned changes, with every edit as a unified patch. A key in it must be
 * hidden before.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function printPlan(
  { root, bundler, changes }: SetupPlan,
  { stdout, messages }: Terminal,
): Promise<void> {
  messages.line(`${messages.dim('Found')} ${bundler?.title ?? 'no bundler'}`, '')
  if (changes.length === 0) messages.line(messages.mark('ok', 'Every file is set up.'))
  const rows = changes.map(({ name, kind, what }) => [
    kind === 'created' ? stdout.style('green', '+ create') : stdout.style('yellow', '~ update'),
    name,
    stdout.dim(what),
  ])
  stdout.rows(rows)
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

/** What to do when this package is installed, which the configuration file imports. */
export const PULL_LATER: ManualStep = { what: 'When it is installed:', lines: ['npx prompts pull'] }

/** What to do without a key or an address. */
export const CHOOSE_SERVICE: readonly ManualStep[] = [
  {
    what: 'Set PROMPTS_BASE_URL and PROMPTS_API_KEY in .env.local (see .env.example). Then:',
    lines: ['npx prompts pull'],
  },
  {
    what: 'No account yet? Begin with an example on this machine:',
    lines: ['npx prompts init --example'],
  },
]

/** What to do with the example. */
export const EDIT_EXAMPLE: ManualStep = {
  what: 'Serve the example before you run `pull`, `diff`, `check` or `doctor`. To change it, edit prompts.workspace.yaml, and pull in another terminal:',
  lines: ['npx prompts serve', 'npx prompts pull'],
}

/** The code that renders one of the pinned prompts, with a placeholder for each value. */
export function usePrompt({ prompts }: Lock, { load }: Pick<SetupPlan, 'load'>): ManualStep {
  const what = 'Commit the lock, and use a prompt in your code:'
  const prompt = prompts.find((item) => promptVariables(item).length > 0) ?? prompts[0]
  if (prompt === undefined) return { what, lines: [load] }
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  const access = accessOf({ ...prompt, identifier: identifiers.get(prompt.slug) ?? null })
  const members = promptVariables(prompt).map((name) => `${keyOf(name)}: '…'`)
  const values = members.length === 0 ? '' : `{ ${members.join(', ')} }`
  return { what, lines: [load, `const { messages } = ${access}.render(${values})`] }
}
