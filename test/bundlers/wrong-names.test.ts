import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CONFIG as CUSTOM_SERVICE } from '../helpers/custom-service.ts'
import { lockOf } from '../helpers/pinned.ts'
import { type Files, newApp, runBundle } from './app.ts'
import { type BundlerName, BUNDLERS, failure, ONE_EACH } from './bundlers.ts'
import { jobIn } from './configs.ts'

const LOCK = lockOf({
  live: [{ slug: 'support-triage' }, { slug: 'reply', system: 'Hello {{ name }}' }],
  staging: [
    { slug: 'new-digest', version: 'v1' },
    { slug: 'reply', version: 'v23', system: 'Hello {{ name }} in {{ tone }}' },
  ],
})

const PROMPTS = `import { prompts } from 'virtual:prompts'\n`

async function appOf(files: Files): Promise<string> {
  return newApp({ 'main.js': `import './src/ai.js'\n`, ...files }, LOCK)
}

function build(bundler: BundlerName, root: string): Promise<void> {
  return BUNDLERS[bundler](jobIn(root))
}

/** Code with wrong names, and what the error says of each. */
const WRONG: readonly [title: string, code: string, said: readonly string[]][] = [
  [
    'members, also optional ones, and destructuring, also beside a computed name',
    `${PROMPTS}\nexport const a = prompts.suportTriage.slug\nexport const b = prompts['support-triag']\n` +
      `export const { reply, replay: c } = prompts\nexport const d = prompts[a], e = prompts.other\nconsole.log(prompts.repli?.slug ?? 'none')\n`,
    [
      'src/ai.js:3:26 suportTriage. Did you mean supportTriage?',
      'src/ai.js:4:27 support-triag. Did you mean support-triage?',
      'src/ai.js:5:23 replay. Did you mean reply?',
      'src/ai.js:6:42 other.',
      'src/ai.js:7:21 repli. Did you mean reply?',
    ],
  ],
  [
    'a member of a promised import',
    `import('virtual:prompts').then(({ prompts }) => console.log(prompts.suportTriage))\n`,
    ['src/ai.js:1:69 suportTriage. Did you mean supportTriage?'],
  ],
  [
    'a named import',
    `import { suportTriage } from 'virtual:prompts/all'\nconsole.log(suportTriage)\n`,
    ['src/ai.js:1:10 suportTriage. Did you mean supportTriage?'],
  ],
  [
    'a member of a namespace and one of staging',
    `import * as all from 'virtual:prompts/staging/all'\nconsole.log(all.newDigset, all.newDigest)\n`,
    ['src/ai.js:2:17 newDigset. Did you mean newDigest?'],
  ],
]

describe.each(ONE_EACH)('a build with %s fails', (bundler) => {
  test.each(WRONG)('for names that the view does not have: %s', async (_, code, said) => {
    const message = await failure(build(bundler, await appOf({ 'src/ai.js': code })))
    for (const part of ['[PROMPT_UNKNOWN]', ...said]) expect(message).toContain(part)
  })

  test('for a prompt that only staging has, with another code', async () => {
    const code = `${PROMPTS}console.log(prompts.newDigest)\n`
    const message = await failure(build(bundler, await appOf({ 'src/ai.js': code })))
    expect(message).toContain('[LIVE_UNREAD] src/ai.js:2:21 ')
    for (const part of ['with a live key', "environment: 'test'"]) expect(message).toContain(part)
    expect(message).not.toContain('PROMPT_UNKNOWN')
    const custom = await appOf({ 'src/ai.js': code, 'prompts.config.mjs': CUSTOM_SERVICE })
    const other = await failure(build(bundler, custom))
    expect(other).toContain('from Own or says why it does not fit')
    expect(other).not.toContain('live key')
  })
})

/** Correct code that only looks as if it used a prompt that there is not. Each is a module. */
const CORRECT: readonly string[] = [
  `${PROMPTS}const key = ['oth', 'er'].join('')\nexport default [prompts][0][key] ?? 'none'`,
  `${PROMPTS}const f = (prompts) => prompts.other\nexport default [f({ other: 'none' }), prompts.reply][0]`,
  `${PROMPTS}const f = () => { const prompts = { other: 'none' }\nreturn prompts.other }\nexport default [f(), prompts.reply][0]`,
  `${PROMPTS}const all = [prompts.reply]\nfor (const { prompts } of [{ prompts: { other: 'none' } }]) all.unshift(prompts.other)\nexport default all[0]`,
  `${PROMPTS}const app = { prompts: { other: 'none' }, x: prompts.reply }\nexport default app.prompts.other`,
  `import 'virtual:prompts'\nconst prompts = { other: 'none' }\nexport default prompts.other`,
  `import { prompts } from './other.js'\nimport { prompts as real } from 'virtual:prompts'\nexport default [prompts.other, real.reply][0]`,
]

/** Code that works without a prompt, and is rejected by bundlers that see members of namespaces. */
const OPTIONAL: readonly string[] = [
  `'other' in prompts ? prompts.other.slug : 'none'`,
  `(({ other = 'none' }) => other)({ ...prompts })`,
].map((code) => `${PROMPTS}export default ${code}`)
const REJECTS: ReadonlySet<BundlerName> = new Set(['Rollup', 'webpack', 'Rspack', 'Rsbuild'])

/** An app of modules that each export `'none'`. */
function appOfModules(modules: readonly string[]): Promise<string> {
  const files = modules.map((code, index) => [`case${index}.js`, `${code}\n`])
  const imports = modules.map((_, index) => `import case${index} from './case${index}.js'\n`)
  const list = modules.map((_, index) => `case${index}`).join()
  return appOf({
    'other.js': `export const prompts = { other: 'none' }\n`,
    ...Object.fromEntries(files),
    'main.js': `${imports.join('')}console.log(JSON.stringify([${list}]))\n`,
  })
}

test.each(ONE_EACH)(
  'a build with %s accepts other variables and objects called `prompts`, computed names, and names that may be missing',
  async (bundler) => {
    const rejects = REJECTS.has(bundler)
    const modules = rejects ? CORRECT : [...CORRECT, ...OPTIONAL]
    const root = await appOfModules(modules)
    await build(bundler, root)
    expect(await runBundle(join(root, 'out/main.mjs'))).toEqual(modules.map(() => 'none'))
    if (!rejects) return
    const message = await failure(build(bundler, await appOfModules(OPTIONAL)))
    expect(message).not.toBe('')
    expect(message).not.toContain('PROMPT_UNKNOWN')
  },
)

test.each(['Vite SSR', 'Rolldown', 'esbuild', 'Bun', 'Rsbuild'] as const)(
  'a build with %s names the place in TypeScript, not that in the code that it becomes',
  async (bundler) => {
    const code = `interface Unused {\n  name: string\n}\n\n${PROMPTS}export const a = prompts.suportTriage as { slug: string }\n`
    const root = await appOf({
      'main.js': `import { a } from './src/ai.ts'\nconsole.log(a)\n`,
      'src/ai.ts': code,
    })
    expect(await failure(build(bundler, root))).toContain('src/ai.ts:6:26 suportTriage.')
  },
)

test.each([
  ['Vite client', 'virtual:prompt', 'virtual:prompts'],
  ['Rollup', 'virtual:promts/all', 'virtual:prompts/all'],
  ['Rolldown', 'virtual:prompts/stagin', 'virtual:prompts/staging'],
  ['Rolldown', 'virtual:prompts?raw', 'virtual:prompts'],
  ['esbuild', 'virtual:prompts?url', 'virtual:prompts'],
  ['webpack', 'virtual:prompts/al', 'virtual:prompts/all'],
  ['Rspack', 'virtual:prompts?raw', 'virtual:prompts'],
] as const)('a build with %s answers the module %s with %s', async (bundler, id, right) => {
  const code = `import { prompts } from '${id}'\nconsole.log(prompts)\n`
  const message = await failure(build(bundler, await appOf({ 'src/ai.js': code })))
  expect(message).toContain(`[MODULE_UNKNOWN] There is no module '${id}'.`)
  expect(message).toContain(`Did you mean ${right}?`)
})

test.each(['Rollup', 'Rolldown', 'webpack', 'Rspack', 'esbuild'] as const)(
  'a build with %s tells of used staging prompts with another contract',
  async (bundler) => {
    const written: string[] = []
    for (const level of ['warn', 'info', 'error', 'log'] as const)
      vi.spyOn(console, level).mockImplementation(
        (text: unknown) => void written.push(String(text)),
      )
    vi.stubEnv('NODE_ENV', 'production')
    vi.stubEnv('PROMPTS_ENVIRONMENT', 'test')
    onTestFinished(() => {
      vi.restoreAllMocks()
      vi.unstubAllEnvs()
    })
    const use = async (...names: string[]): Promise<void> => {
      const slugs = names.map((name) => `prompts.${name}.slug`)
      const code = `${PROMPTS}console.log(${slugs.join()})\n`
      await build(bundler, await appOf({ 'src/ai.js': code }))
    }
    await use('reply', 'newDigest')
    const lines = written.filter((line) => line.includes('serves staging'))
    expect(lines).toEqual([
      expect.stringMatching(
        /serves staging: reply \S+ also needs `tone`\. Calls that do not pass it throw/,
      ),
    ])
    written.length = 0
    await use('supportTriage')
    expect(written.join()).not.toContain('serves staging')
  },
)
