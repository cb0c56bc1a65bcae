// Monorepos with pnpm and Turborepo, made from src/docs/monorepos.md and the setup pages: a Next app, a
// Vite app and a Node service on one lock, then a package with the prompts. They live through text
// changes, a renamed variable, a merge and a rollback. Prints what each app had after each step and how
// many builds Turborepo took from its cache; exits with 1 when something is wrong.
//
// node test/nightly/monorepo.js, after npm run build.
import assert from 'node:assert'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { install, pack, REPOSITORY, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { withService, WORKSPACE } from './apps/lock.js'
import { run, succeed } from './apps/run.js'
import { COMPILER_OPTIONS, REACT, TYPESCRIPT, VITE_VERSION } from './frameworks/sources.js'

const PNPM = 'pnpm@10.34.9'
const TURBO = 'turbo@2.11.11'
const [REACT_CORE, REACT_DOM, ...REACT_TYPES] = REACT

/** The files of the page, by the path in the first line of their code. */
const FILES = filesOf(readFileSync(join(REPOSITORY, 'src/docs/monorepos.md'), 'utf8'))
const SETUPS = Object.fromEntries(readmeSetups().map(({ name, files }) => [name, files]))

function filesOf(page) {
  const blocks = page.matchAll(/^```\w+\n\/\/ (\S+)\n(.*?)^```/gms)
  return Object.fromEntries(Array.from(blocks, ([, path, code]) => [path, code]))
}

const NEXT_FILES = {
  'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
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
  await inFolder(async (scratch) => {
    const archive = await pack(scratch)
    const tools = join(scratch, 'tools')
    mkdirSync(tools)
    await install(tools, [PNPM])
    for (const [name, steps] of Object.entries({ 'one lock': oneLock, package: packageForm }))
      await monorepo({ name, folder: join(scratch, name), archive, tools }, steps)
  })
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
console.table(rows)

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
async function oneLock({ root, add, setUp, prompts, edit, git, commit, turbo }) {
  const config = { 'prompts.config.ts': FILES['apps/*/prompts.config.ts'] }
  add('.', { 'prompts.config.ts': FILES['prompts.config.ts'], 'turbo.json': FILES['turbo.json'] })
  const next = ['next@16.4.6', REACT_CORE, REACT_DOM, TYPESCRIPT, ...REACT_TYPES, '@types/node@22']
  add('apps/web', { ...SETUPS.next, ...NEXT_FILES, ...config }, 'next build', next)
  add('apps/site', { ...SETUPS.vite, ...VITE_FILES, ...config }, 'vite build', [
    VITE_VERSION,
    TYPESCRIPT,
  ])
  add('apps/mail', { ...SETUPS.node, ...config })
  await setUp()

  const [web, site, mail] = ['web', 'site', 'mail'].map((name) => join(root, 'apps', name))
  const builds = async (step, expected, cached) => {
    await succeed(site, ['node_modules/.bin/tsc'])
    const found = await turbo(step)
    const page = readFileSync(join(web, '.next/server/app/triage.html'), 'utf8')
    const start = [process.execPath, '--import', 'unplugin-prompts/register', 'app.js']
    const row = {
      web: words(page),
      site: words(viteScript(site)),
      mail: words((await succeed(mail, start)).output),
      cached: found.cached,
    }
    rows.push({ step, ...row, seconds: Math.round(found.seconds) })
    assert.deepEqual(
      row,
      { web: expected, site: expected, mail: expected, cached, ...expected },
      step,
    )
  }
  const USES = [
    /apps\/mail\/app\.js/,
    /apps\/site\/src\/main\.ts/,
    /apps\/web\/app\/triage\/page\.tsx/,
  ]
  const namesAll = (text) => USES.forEach((use) => assert.match(text, use))

  await prompts(0, 'pull')
  await commit('Pull')
  await prompts(0, 'doctor', '--offline')
  await builds('first build', 25, 0)
  await builds('nothing changed', 25, 2)

  // The trap: without the lock among its inputs, Turborepo builds nothing.
  const withLock = FILES['turbo.json']
  write(root, { 'turbo.json': withLock.replace(/^ *"globalDependencies".*\n/m, '') })
  assert.match(await prompts(1, 'doctor', '--offline'), /Turborepo does not build apps\/mail/)
  await builds('turbo.json without the lock', 25, 0)
  await edit('support-triage', 'at most 25 words', 'at most 24 words')
  await prompts(0, 'pull')
  await builds('… and a text change: stale', { web: 25, site: 25, mail: 24 }, 2)
  write(root, { 'turbo.json': withLock })
  await builds('text change', 24, 0)
  await commit('A new text')

  await edit('support-triage', 'in this tone: {{ tone }}', 'in this mood: {{ mood }}')
  await edit('support-triage', 'at most 24 words', 'at most 23 words')
  namesAll(await prompts(3, 'pull'))
  assert.equal(await git('status', '--porcelain'), '', 'the refused pull wrote something')
  await builds('renamed variable: refused', 24, 2)

  await edit('email-subject-lines', 'at most 45 characters', 'at most 44 characters')
  await prompts(0, 'pull', '--skip-breaking', '--report', 'report.md')
  const report = readFileSync(join(root, 'report.md'), 'utf8')
  assert.match(report, /Left as pinned[^]*`support-triage`[^]*apps\/mail\/app\.js/)
  rmSync(join(root, 'report.md'))
  await builds('--skip-breaking', 24, 0)
  await commit('The other text')

  await prompts(0, 'pull', '--fix', '--rename', 'support-triage:tone=mood', '--yes')
  namesAll(await git('diff', '--name-only'))
  await builds('--fix', 23, 0)
  await commit('The renamed variable')

  await git('switch', '--quiet', '--create', 'branch')
  await edit('support-triage', 'at most 23 words', 'at most 22 words')
  await prompts(0, 'pull', 'support-triage')
  await commit('On the branch')
  await git('switch', '--quiet', 'main')
  await edit('email-subject-lines', 'at most 44 characters', 'at most 43 characters')
  await prompts(0, 'pull', 'email-subject-lines')
  await commit('On the default branch')
  await builds('another prompt', 23, 0)
  await git('merge', '--quiet', '--no-edit', 'branch')
  await prompts(0, 'check')
  await builds('merge', 22, 0)
  await git('revert', '--no-edit', '--mainline', '1', 'HEAD')
  await prompts(0, 'check', '--offline')
  await builds('rollback: git revert', 23, 2)
}

/** A Vite app that imports a package with the prompts. */
async function packageForm({ root, add, setUp, prompts, edit, commit, turbo }) {
  const { 'packages/prompts/prompts.config.ts': config, 'apps/web/src/main.ts': main } = FILES
  const turboJson = JSON.stringify({
    tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] } },
  })
  add('.', { 'turbo.json': turboJson })
  add(
    'packages/prompts',
    { 'prompts.config.ts': config },
    undefined,
    [],
    FILES['packages/prompts/package.json'],
  )
  const files = { ...VITE_FILES, 'src/main.ts': main }
  add('apps/web', files, 'vite build', [VITE_VERSION, TYPESCRIPT], FILES['apps/web/package.json'])
  await setUp()

  const owner = 'packages/prompts'
  const builds = async (step, expected, cached) => {
    await succeed(join(root, 'apps/web'), ['node_modules/.bin/tsc'])
    const found = await turbo(step)
    const row = { web: words(viteScript(join(root, 'apps/web'))), cached: found.cached }
    rows.push({ step: `package: ${step}`, ...row, seconds: Math.round(found.seconds) })
    assert.deepEqual(row, { web: expected, cached }, step)
  }
  await prompts(0, 'pull', '--root', owner)
  await commit('Pull')
  await prompts(0, 'doctor', '--offline', '--root', owner)
  await builds('first build', 25, 0)
  await builds('nothing changed', 25, 1)
  await edit('support-triage', 'at most 25 words', 'at most 24 words')
  await prompts(0, 'pull', '--root', owner)
  await builds('text change', 24, 0)
  await edit('support-triage', 'in this tone: {{ tone }}', 'in this mood: {{ mood }}')
  assert.match(await prompts(3, 'pull', '--root', owner), /apps\/web\/src\/main\.ts/)
  await builds('renamed variable: refused', 24, 1)
}

/** Gives a monorepo to a job, with what it does in it. */
async function monorepo({ folder: root, archive, tools }, job) {
  const path = [join(tools, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const identity = { GIT_AUTHOR_NAME: 'n', GIT_AUTHOR_EMAIL: 'n@example.com' }
  const variables = {
    PATH: path,
    TURBO_TELEMETRY_DISABLED: '1',
    // The version of `packageManager` is on the path, and the registry here may be a mirror.
    npm_config_manage_package_manager_versions: 'false',
    ...identity,
    GIT_COMMITTER_NAME: 'n',
    GIT_COMMITTER_EMAIL: 'n@example.com',
  }
  const workspace = join(root, '..', `${job.name}.yaml`)
  writeFileSync(workspace, readFileSync(WORKSPACE))
  const git = async (...args) => (await succeed(root, ['git', ...args], variables)).output
  const add = (folder, files, build, packages = [], given = '{}') => {
    const dependencies = Object.fromEntries(packages.map((each) => each.split(/(?<!^)@/)))
    const own = JSON.parse(given)
    const manifest = {
      name: folder.split('/').at(-1),
      private: true,
      type: 'module',
      ...own,
      ...(build && { scripts: { build } }),
      ...(folder === '.' && { packageManager: PNPM }),
      devDependencies: {
        ...dependencies,
        ...(own.dependencies ? {} : { 'unplugin-prompts': `file:${archive}` }),
        ...(folder === '.' && Object.fromEntries([TURBO.split('@')])),
      },
    }
    write(join(root, folder), { ...files, 'package.json': JSON.stringify(manifest) })
  }
  await withService(workspace, async (service) => {
    const { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: key } = service
    await job({
      root,
      git,
      add,
      async setUp() {
        write(root, {
          'pnpm-workspace.yaml': 'packages: [apps/*, packages/*]\n',
          '.gitignore':
            'node_modules\n.turbo\ndist\n.next\nnext-env.d.ts\n*.tsbuildinfo\n*.d.ts.map\n.env.local\n',
          '.env.local': `PROMPTS_BASE_URL=${url}\nPROMPTS_API_KEY=${key}\n`,
        })
        await git('init', '--quiet', '--initial-branch', 'main')
        await succeed(root, ['pnpm', 'install', '--ignore-scripts'], variables)
      },
      async commit(message) {
        await git('add', '--all')
        await git('commit', '--quiet', '--message', message)
      },
      /** Runs a command in the root and returns its output. */
      async prompts(code, ...args) {
        // In a package, the key is in the environment.
        const ended = await run(root, ['node_modules/.bin/prompts', ...args], {
          ...variables,
          ...service,
        })
        assert.equal(ended.code, code, `prompts ${args.join(' ')}\n${ended.output}`)
        return ended.output
      },
      /** Changes a text in the service. */
      async edit(slug, from, to) {
        const text = readFileSync(workspace, 'utf8')
        assert(text.includes(from), from)
        writeFileSync(workspace, text.replace(from, to))
        const headers = { authorization: `Bearer ${key}` }
        for (let isServed = false; !isServed;) {
          const answer = await fetch(`${url}/api/v1/prompts/${slug}`, { headers })
          isServed = (await answer.text()).includes(to)
        }
      },
      /** Builds all apps, and counts those that were cached. */
      async turbo(step) {
        const { output, seconds } = await succeed(
          root,
          ['node_modules/.bin/turbo', 'run', 'build'],
          variables,
        )
        const [, cached] = /Cached: +(\d+) cached/.exec(output) ?? assert.fail(`${step}\n${output}`)
        return { cached: Number(cached), seconds }
      },
    })
  })
}
