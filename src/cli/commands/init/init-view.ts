import type { ManualStep, SetupPlan } from '../../../features/init/init.ts'
import { alignColumns } from '../../output/table.ts'
import type { Terminal } from '../../output/terminal.ts'

/** Prints the detected bundler and the planned changes. */
export function printPlan({ bundler, changes }: SetupPlan, { stdout, messages }: Terminal): void {
  const found = bundler === undefined ? 'no bundler' : bundler.title
  messages.line(`${messages.style('dim', 'Found')} ${found}`)
  messages.line()
  if (changes.length === 0) messages.line(`${messages.style('green', '✔')} Every file is set up.`)
  const rows = changes.map(({ name, kind, what }) => [
    kind === 'created' ? stdout.style('green', '+ create') : stdout.style('yellow', '~ update'),
    name,
    stdout.style('dim', what),
  ])
  for (const row of alignColumns(rows)) stdout.line(row)
}

/** Prints the manual steps, with the lines to copy. */
export function printManual(steps: readonly ManualStep[], { stdout, messages }: Terminal): void {
  for (const { what, lines } of steps) {
    messages.line()
    messages.line(`${messages.style('cyan', '→')} ${what}`)
    for (const line of lines) stdout.line(`    ${line}`)
  }
}

/** The next steps after the first pull. */
export function nextSteps(
  { generatedFolder }: Pick<SetupPlan, 'generatedFolder'>,
  state: 'pulled' | 'pinned' | 'waiting',
): ManualStep[] {
  const generate = generatedFolder === undefined ? [] : ['npm run prompts:generate']
  const from = generatedFolder === undefined ? 'virtual:prompts' : `./${generatedFolder}/index.js`
  const use = `import { prompts } from '${from}'`
  if (state === 'pinned') return []
  if (state === 'pulled')
    return [{ what: 'Commit the lock, and use the prompts:', lines: [...generate, use] }]
  return [
    {
      what: 'Set PROMPTS_BASE_URL and PROMPTS_API_KEY in .env.local (see .env.example). Then:',
      lines: ['npx prompts pull', ...generate],
    },
    {
      what: 'No account yet? Serve an example and copy its variables to .env.local:',
      lines: ['npx prompts serve --example'],
    },
  ]
}
