import { expect, test } from 'vitest'
import { prompts } from '../../helpers/cli.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { testService } from '../../helpers/local-service.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { buildAndRun, type BundlerName } from '../../bundlers/bundlers.ts'
import { jobIn } from '../../bundlers/configs.ts'

/** How an app gets its prompts. */
interface Way {
  readonly modules: readonly [prompts: string, staging: string]
  readonly files?: Readonly<Record<string, string>>
  /** Builds and runs `main.js` without a key, and returns what it prints. */
  run(root: string): Promise<unknown>
}

const VIRTUAL = ['virtual:prompts', 'virtual:prompts/staging'] as const

const built = (bundler: BundlerName): Way => ({
  modules: VIRTUAL,
  async run(root) {
    const outDir = await temporaryFolder()
    return (await buildAndRun(bundler, jobIn(root, { outDir }))).said
  },
})

const node = async (root: string, ...args: readonly string[]): Promise<unknown> => {
  const { stdout, stderr } = await runNode([...args, 'main.js'], root)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const WAYS: Readonly<Record<string, Way>> = {
  Vite: built('Vite SSR'),
  webpack: built('webpack'),
  esbuild: built('esbuild'),
  register: {
    modules: VIRTUAL,
    run: (root) => node(root, '--import', 'unplugin-prompts/register'),
  },
  'the generated folder': {
    modules: ['./gen/index.js', './gen/staging/index.js'],
    files: { 'prompts.config.js': `export default { dts: false, outDir: 'gen' }\n` },
    run: (root) => node(root),
  },
}

const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}.' }
const REPLY = { slug: 'reply', version: 'v3', system: 'Answer the letter.' }
const EDIT = { version: 'v23', system: 'Rank {{ ticket }} in a {{ tone }} tone.' }

/** Two users, of whom the app gives one the staging versions by a flag. */
const main = ([live, staging]: Way['modules']): string => `
import { prompts } from '${live}'
import { prompts as staging } from '${staging}'
const answer = ({ isEarly }) => {
  const { triage, reply } = isEarly ? staging : prompts
  const { text } = triage.render({ ticket: 'it', tone: 'calm' })
  return [triage.version, triage.environment, text, reply.render().text]
}
const isSame = ['triage', 'reply'].map((name) => Object.is(staging[name], prompts[name]))
console.log(JSON.stringify([answer({}), answer({ isEarly: true }), isSame]))
`

test.each(Object.entries(WAYS))(
  'an edit goes from staging over a review to some users, and then to all, with one lock (%s)',
  async (_, { modules, files, run }) => {
    const service = await testService([TRIAGE, REPLY])
    const root = await installedApp({
      files: { '.gitignore': 'node_modules\n*.map\n', 'main.js': main(modules), ...files },
    })
    const command = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await prompts(args, { cwd: root, env: service.both })
      expect(code, stderr).toBe(0)
      return stdout
    }
    /** The locks in what the last pull changed; nothing else of it is JSON. */
    const changedLocks = (): string[] =>
      git(root, 'diff', '--name-only')
        .split('\n')
        .filter((name) => name.endsWith('.json'))
    await command('pull')
    commitAll(root)
    const before = ['v22', 'live', 'Sort it.', 'Answer the letter.']
    expect(await run(root)).toEqual([before, before, [true, true]])

    // An author saves a staging version, and a pull request shows it.
    service.serve({ ...TRIAGE, staging: EDIT }, REPLY)
    await command('pull')
    expect(changedLocks()).toEqual(['prompts.lock.json'])
    const review = await command('diff', '--base', 'HEAD')
    expect(review).toMatch(/triage.*staging.*v23/)
    expect(review).toContain('Rank {{ ticket }}')
    expect(review).not.toContain('reply')
    await command('check', '--offline')
    commitAll(root)
    const early = ['v23', 'test', 'Rank it in a calm tone.', 'Answer the letter.']
    expect(await run(root)).toEqual([before, early, [false, true]])

    // The author publishes it: the flag stays, and changes nothing any more.
    service.serve({ ...TRIAGE, ...EDIT }, REPLY)
    await command('pull')
    expect(changedLocks()).toEqual(['prompts.lock.json'])
    const after = ['v23', 'live', ...early.slice(2)]
    expect(await run(root)).toEqual([after, after, [true, true]])
  },
)
