import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from 'jest'
import { expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { parseWorkspace } from '../../../src/local-service/workspace.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import type { Run } from '../../helpers/binary.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { liveLock } from '../../helpers/pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const LOCK = liveLock({ slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' })

/** The files of a page, by the path in the first line of their code. */
function filesOf(page: string, language: string): Record<string, string> {
  const text = readFileSync(join(REPOSITORY, `src/docs/${page}.md`), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n// (\\S+)\n(.*?)^\`\`\``, 'gms'))
  return Object.fromEntries(Array.from(blocks, ([, path = '', code = '']) => [path, code]))
}

const CONFIG = { 'vitest.config.ts': filesOf('testing', 'ts')['vitest.config.ts'] ?? '' }

test('the tests of the page pass in Vitest, and a spy on a prompt fails as the page says', async () => {
  const spy = `import { expect, test, vi } from 'vitest'
import { prompts } from 'virtual:prompts'

test('fails', () => {
  expect(() => vi.spyOn(prompts.supportTriage, 'render')).toThrow('Cannot redefine property: render')
})
`
  const files = { ...filesOf('testing', 'ts'), 'src/spy.test.ts': spy }
  const root = await vitestApp({ ...files, 'rendered/triage.md': 'Be calm.\n\nIt beeps' })
  expect((await vitest(root)).stdout).toMatch(/Tests +5 passed/)
})

test('the script of the page moves texts out of code, and each prompt renders its old text', async () => {
  const old = `export const HOUSE_RULES = 'Promise nothing. Quote the customer\\'s words, and keep\\ttabs \\u00e9 😀.'

export const triagePrompt = ({ tone, ticket }: { tone: string; ticket: string }): string =>
  \`Sort the ticket in a \${tone} tone. \\\`\\\${code}\\\` and \\\\n stay as they are: $&

\${ticket}
\${tone}\`

export const known = (user: { name: string }, place: { name: string }, isOn: boolean): string =>
  \`Known are \${user.name} of \${place.name} and \${JSON.stringify(user)}, \${isOn ? 'on' : 'off'}.\`
`
  const folder = await installedApp({ files: { 'src/old-triage-prompt.ts': old } })
  const script = 'node_modules/unplugin-prompts/dist/docs/scripts/extract-prompts.js'
  const { stdout } = await runNode([script, 'src/old-triage-prompt.ts'], folder)
  const calls = [...stdout.matchAll(/^ {2}# \S+:(\d+) (.*)$/gm)].map(([, line, call]) => [
    line,
    call,
  ])
  expect(calls).toEqual([
    ['1', `prompts['house-rules'].render().text`],
    ['4', `prompts['triage-prompt'].render({ tone, ticket }).text`],
    [
      '10',
      `prompts['known'].render({ name: user.name, name2: place.name, user: JSON.stringify(user), section: isOn ? 'on' : 'off' }).text`,
    ],
  ])
  const { prompts } = parseWorkspace(stdout, 'stdout')
  const lock = liveLock(
    ...Array.from(prompts.values(), ({ slug, live }) => ({ slug, system: live.system })),
  )
  const others = `import { prompts } from 'virtual:prompts'
import { expect, test } from 'vitest'
import { HOUSE_RULES, known } from './old-triage-prompt'

test('renders the texts by the printed calls', () => {
  const [user, place, isOn] = [{ name: 'Ada' }, { name: 'Acme' }, true]
  expect(${calls[0]?.[1]}).toBe(HOUSE_RULES)
  expect(${calls[2]?.[1]}).toBe(known(user, place, isOn))
})
`
  const app = {
    ...CONFIG,
    ...filesOf('moving-in', 'ts'),
    'src/old-triage-prompt.ts': old,
    'src/others.test.ts': others,
  }
  expect((await vitest(await vitestApp(app, lock))).stdout).toMatch(/Tests +3 passed/)
})

function vitestApp(files: Readonly<Record<string, string>>, lock: Lock = LOCK): Promise<string> {
  return installedApp({ files, lock, packages: ['vite', 'vitest'] })
}

function vitest(root: string): Promise<Run> {
  const environment = { PROMPTS_PULL: 'never', NO_COLOR: '1', CI: 'true' }
  return runNode([join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run'], root, environment)
}

test('the tests of the page pass in Jest', async () => {
  const question = `import { prompts } from 'virtual:prompts'

export const question = (ticket) => prompts.supportTriage.render({ ticket, tone: 'calm' }).text
`
  const config: Config = {
    moduleNameMapper: { '^virtual:prompts$': '<rootDir>/prompts/index.js' },
  }
  const page = filesOf('testing', 'js')
  const files = {
    'src/mocked.test.js': page['src/mocked.test.js'] ?? '',
    'src/question.js': question,
    'jest.config.json': JSON.stringify(config),
  }
  const root = await installedApp({ files, lock: LOCK })
  await writeOutDir(LOCK, { root, folder: join(root, 'prompts') })
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js')
  const run = await runNode(['--experimental-vm-modules', jest, '--rootDir', root], root)
  expect(run.stderr).toMatch(/Tests: +1 passed/)
  expect(run.code).toBe(0)
})
