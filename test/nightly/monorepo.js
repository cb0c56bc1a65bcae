// A monorepo with pnpm and Turborepo, made from src/docs/monorepos.md and the setup pages: a Next app, a
// Vite app and a Node service on one lock. They live through text changes and a renamed variable. Prints
// what each app had after each step and how many builds Turborepo took from its cache; exits with 1 when
// something is wrong.
//
// node test/nightly/monorepo.js, after npm run build.
import assert from 'node:assert'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { install, pack, REPOSITORY, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { withService, WORKSPACE } from './apps/lock.js'
import { run, succeed } from './apps/run.js'
import { appFiles } from './next/app.js'
import { COMPILER_OPTIONS, REACT, TYPESCRIPT, VITE_VERSION } from './frameworks/sources.js'

const PNPM = 'pnpm@10.34.9'
const TURBO = 'turbo@2.11.11'

/** The files of the page, by the path in the first line of their code. */
const FILES = filesOf(readFileSync(join(REPOSITORY, 'src/docs/monorepos.md'), 'utf8'))
const SETUPS = Object.fromEntries(readmeSetups().map(({ name, files }) => [name, files]))

function filesOf(page) {
  const blocks = page.matchAll(/^```\w+\n\/\/ (\S+)\n(.*?)^```/gms)
  return Object.fromEntries(Array.from(blocks, ([, path, code]) => [path, code]))
}

const NEXT_FILES = {
  'app/layout.tsx': appFiles(16)['app/layout.tsx'],
  // With all that Next would add to it.
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...COMPILER_OPTIONS,
      types: [],
      allowJs: true,
      incremental: true,
      isolatedModules: true,
      resolveJsonModule: true,
      esModuleInterop: true,
      plugins: [{ name: 'next' }],
    },
    include: [
      'next-env.d.ts',
      '**/*.ts',
      '**/*.tsx',
      '.next/types/**/*.ts',
      '.next/dev/types/**/*.ts',
    ],
    exclude: ['node_modules'],
  }),
}

const VITE_FILES = {
  'index.html': '<script type="module" src="/src/main.ts"></script>\n',
  'tsconfig.json': JSON.stringify({
    include: ['src', '*.d.ts'],
    compilerOptions: COMPILER_OPTIONS,
  }),
}

const rows = []
try {
  await inFolder(oneLock)
} finally {
  console.table(rows)
}

/** Serves a copy of the playground's workspace, and takes its updates. */
async function oneLock(scratch) {
  const workspace = join(scratch, 'workspace.yaml')
  copyFileSync(WORKSPACE, workspace)
  await withService(workspace, async (service) => {
    const root = join(scratch, 'one lock')
    const variables = {
      ...service,
      PATH: [join(scratch, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      TURBO_TELEMETRY_DISABLED: '1',
      // The version of `packageManager` is on the path, and the registry here may be a mirror.
      npm_config_manage_package_manager_versions: 'false',
      GIT_AUTHOR_NAME: 'n',
      GIT_AUTHOR_EMAIL: 'n@example.com',
      GIT_COMMITTER_NAME: 'n',
      GIT_COMMITTER_EMAIL: 'n@example.com',
    }
    await install(scratch, [PNPM])
    writeApps(root, await pack(scratch))
    await succeed(root, ['pnpm', 'install', '--ignore-scripts'], variables)
    await takeUpdates(root, stepsIn(root, { variables, workspace }))
  })
}

async function takeUpdates(root, { prompts, git, builds, edit }) {
  const USES = [
    /apps\/mail\/app\.js/,
    /apps\/site\/src\/main\.ts/,
    /apps\/web\/app\/triage\/page\.tsx/,
  ]
  const namesAll = (text) => USES.forEach((use) => assert.match(text, use))

  await prompts(0, 'pull')
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'Pull')
  await prompts(0, 'check', '--all', '--offline')
  await builds('first build', 25, 0)
  await builds('nothing changed', 25, 2)

  // The trap: without the lock among its inputs, Turborepo builds nothing.
  const withLock = FILES['turbo.json']
  write(root, { 'turbo.json': withLock.replace(/^ *"globalDependencies".*\n/m, '') })
  await builds('turbo.json without the lock', 25, 0)
  await edit('at most 25 words', 'at most 24 words')
  await prompts(0, 'pull')
  await builds('… and a text change: stale', { web: 25, site: 25, mail: 24 }, 2)
  write(root, { 'turbo.json': withLock })
  await builds('text change', 24, 0)
  await git('commit', '--quiet', '--all', '--message', 'A new text')

  await edit('in this tone: {{ tone }}', 'in this mood: {{ mood }}')
  await edit('at most 24 words', 'at most 23 words')
  namesAll(await prompts(3, 'pull'))
  assert.equal(await git('status', '--porcelain'), '', 'the refused pull wrote something')
  await builds('renamed variable: refused', 24, 2)
  await prompts(0, 'pull', '--fix', '--rename', 'support-triage:tone=mood', '--yes')
  namesAll(await git('diff', '--name-only'))
  await builds('--fix', 23, 0)
}

/** What an update consists of. */
function stepsIn(root, { variables, workspace }) {
  const succeedHere = async (...command) => (await succeed(root, command, variables)).output
  return {
    git: (...args) => succeedHere('git', ...args),

    /** Runs a command in the root and returns its output. */
    async prompts(code, ...args) {
      const ended = await run(root, ['node_modules/.bin/prompts', ...args], variables)
      assert.equal(ended.code, code, `prompts ${args.join(' ')}\n${ended.output}`)
      return ended.output
    },

    /** Changes the text of `support-triage` in the service. */
    async edit(from, to) {
      const text = readFileSync(workspace, 'utf8')
      assert(text.includes(from), from)
      writeFileSync(workspace, text.replace(from, to))
      const headers = { authorization: `Bearer ${variables.PROMPTS_API_KEY}` }
      const url = `${variables.PROMPTS_BASE_URL}/api/v1/prompts/support-triage`
      for (let isServed = false; !isServed;) {
        const answer = await fetch(url, { headers })
        isServed = (await answer.text()).includes(to)
      }
    },

    /** Builds all apps, and compares what each has and how many builds were in the cache. */
    async builds(step, expected, cached) {
      const [web, site, mail] = ['web', 'site', 'mail'].map((name) => join(root, 'apps', name))
      await succeed(site, ['node_modules/.bin/tsc'])
      const output = await succeedHere('node_modules/.bin/turbo', 'run', 'build')
      const start = [process.execPath, '--import', 'unplugin-prompts/register', 'app.js']
      const row = {
        web: words(readFileSync(join(web, '.next/server/app/triage.html'), 'utf8')),
        site: words(viteScript(site)),
        mail: words((await succeed(mail, start)).output),
        cached: Number(/Cached: +(\d+) cached/.exec(output)?.[1]),
      }
      rows.push({ step, ...row })
      const all = { web: expected, site: expected, mail: expected }
      assert.deepEqual(row, { ...all, ...expected, cached }, step)
    },
  }
}

/** The most words that the prompt in each app asks for, as the text of the service says it. */
function words(text) {
  return Number(/at most (\d+) words/.exec(text)?.[1])
}

/** The script that the page of a Vite app loads. The folder still has those of earlier builds. */
function viteScript(app) {
  const [, path] = /src="(.*?)"/.exec(readFileSync(join(app, 'dist/index.html'), 'utf8'))
  return readFileSync(join(app, 'dist', path), 'utf8')
}

/** A Next app, a Vite app and a Node service on the lock of the root. */
function writeApps(root, archive) {
  const add = (folder, files, { build, packages = [], ...more } = {}) => {
    const devDependencies = {
      ...Object.fromEntries(packages.map((each) => each.split(/(?<!^)@/))),
      'unplugin-prompts': `file:${archive}`,
    }
    const manifest = { private: true, type: 'module', ...more, scripts: { build }, devDependencies }
    const texts = { ...files, 'package.json': JSON.stringify(manifest) }
    write(join(root, folder), texts)
  }
  const config = { 'prompts.config.ts': FILES['apps/*/prompts.config.ts'] }
  add(
    '.',
    {
      'prompts.config.ts': FILES['prompts.config.ts'],
      'turbo.json': FILES['turbo.json'],
      'pnpm-workspace.yaml': 'packages: [apps/*]\n',
      '.gitignore':
        'node_modules\n.turbo\ndist\n.next\nnext-env.d.ts\n*.tsbuildinfo\n*.d.ts.map\n.env.local\n',
    },
    { packageManager: PNPM, packages: [TURBO] },
  )
  const packages = ['next@16.4.6', ...REACT, TYPESCRIPT, '@types/node@22']
  add(
    'apps/web',
    { ...SETUPS.next, ...NEXT_FILES, ...config },
    { name: 'web', build: 'next build', packages },
  )
  add(
    'apps/site',
    { ...SETUPS.vite, ...VITE_FILES, ...config },
    { name: 'site', build: 'vite build', packages: [VITE_VERSION, TYPESCRIPT] },
  )
  add('apps/mail', { ...SETUPS.node, ...config }, { name: 'mail' })
}
